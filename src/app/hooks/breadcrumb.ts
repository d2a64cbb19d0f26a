import { utcSeconds } from '../../core/instant.ts';
import { HOOK_CLIENTS } from './client-dialect.ts';
import type { HookContext } from './hook-context.ts';

/** A line at the end of each reply; when it is missing from the context, the client has compacted. */
const BREADCRUMB = /<!--\s*MEMORY_BREADCRUMB:/;

export const showsBreadcrumb = (text: string): boolean => BREADCRUMB.test(text);

/** Whether replies should end with a breadcrumb: by default only in clients that do not report compactions. */
export function asksBreadcrumb({ memory, client }: HookContext): boolean {
  const setting = memory.config.get('breadcrumb');
  return setting === 'auto' ? !HOOK_CLIENTS.some((known) => known === client) : setting;
}

export const breadcrumbLine = (key: string, now: number): string =>
  `While memory is active, end each reply with this line, with the time of the reply: <!-- MEMORY_BREADCRUMB: ${key} ${utcSeconds(now)} -->`;
