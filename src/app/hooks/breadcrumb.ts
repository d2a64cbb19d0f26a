import { utcSeconds } from '../../core/instant.ts';
import type { HookDesk } from './desk.ts';

/** The words that end a reply while memory is active; gone from view, they tell of a compaction. */
const BREADCRUMB = /<!--\s*MEMORY_BREADCRUMB:/;

export const showsBreadcrumb = (text: string): boolean => BREADCRUMB.test(text);

/** Whether replies are to end with one: as the settings say, and by themselves only where the client does not tell of compactions. */
export function asksBreadcrumb({ memory, reportsCompaction }: HookDesk): boolean {
  const wanted = memory.config.get('breadcrumb');
  return wanted === 'auto' ? !reportsCompaction : wanted;
}

export const breadcrumbLine = (key: string, now: number): string =>
  `While memory is active, end each reply with this line, with the time of the reply: <!-- MEMORY_BREADCRUMB: ${key} ${utcSeconds(now)} -->`;
