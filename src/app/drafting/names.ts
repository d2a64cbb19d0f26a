import { TRIAGED } from '../../core/config/categories.ts';
import type { TriageCategory } from '../../capture/triage/settings.ts';

/** The names under which agents and Holdfast find each other's files. */

export const contextName = (category: TriageCategory): string => `.memory-triage-context-${category}.txt`;

export const draftName = (category: TriageCategory, drafter: string): string => `.memory-draft-${category}-${drafter}.json`;

const NAME = new RegExp(String.raw`(?:^|[/\\])\.memory-(draft|verdict)-(${TRIAGED.join('|')})-([\w-]+)\.json$`);

/** A draft as its path names it. */
export interface DraftName {
  readonly path: string;
  readonly category: TriageCategory;
  /** A process or agent id, to tell drafters apart. */
  readonly drafter: string;
}

function read(path: string, kind: string): DraftName | undefined {
  const [, found, category, drafter] = NAME.exec(path) ?? [];
  return found === kind && drafter !== undefined ? { path, category: category as TriageCategory, drafter } : undefined;
}

export const draftIn = (path: string): DraftName | undefined => read(path, 'draft');

/** Whether a drafter or verifier may write this path. */
export const isHandedIn = (path: string): boolean => NAME.test(path);

/** Where the verdict on a draft lies: beside it, under a name of its own. */
export const verdictPath = (draft: string): string => draft.replace(/\.memory-draft-([^/\\]*)$/, '.memory-verdict-$1');
