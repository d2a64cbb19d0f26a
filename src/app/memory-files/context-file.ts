import type { HashFolder } from '../../core/ports/layer-files.ts';
import { tidyPath } from '../../core/project/folder.ts';
import { isObject } from '../../core/value.ts';

/** Identifies the summary of a session in MEMORY.md: the time in its heading, and length and MD5 of the text below. */
export interface SummaryMark {
  readonly time: string;
  readonly length: number;
  readonly md5: string;
}

/** Only so many newest sessions may still change their summaries. */
const MAX_MARKS = 50;

/** `context.json`: the project of a folder, and its last load and update. */
export interface ContextFacts {
  readonly projectKey: string;
  readonly projectHash: string;
  readonly projectPath: string;
  readonly lastLoaded: string | null;
  readonly lastUpdated: string | null;
  readonly sessionId: string | null;
  /** What the last update removed from MEMORY.md or moved, for `doctor`: the user does not see an update at the end of a session. */
  readonly notices?: readonly string[];
  /** The summaries in MEMORY.md, by session. */
  readonly summaries?: Readonly<Record<string, SummaryMark>>;
  /** Characters by layer. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** The parsed file; empty if it is damaged. Fields that this version does not know stay. */
function parseContext(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The text of the file with some changes. */
export function contextText(existing: string | undefined, changes: Partial<ContextFacts>): string {
  const empty: ContextFacts = { projectKey: '', projectHash: '', projectPath: '', lastLoaded: null, lastUpdated: null, sessionId: null, sizes: {} };
  const old = parseContext(existing);
  const sizes = { ...(isObject(old['sizes']) ? old['sizes'] : {}), ...changes.sizes };
  return `${JSON.stringify({ ...empty, ...old, ...changes, sizes }, null, 2)}\n`;
}

/** The folder named by a project's hash, if its `context.json` names this project: paths that differ in letter case share a hash. */
export const ownHashFolder = (hashFolder: HashFolder | undefined, projectPath: string): string | undefined =>
  hashFolder && tidyPath(ownerPath(hashFolder.context) ?? projectPath) === tidyPath(projectPath) ? hashFolder.folder : undefined;

/** The project path in a folder's `context.json`. */
function ownerPath(text: string | undefined): string | undefined {
  const path = parseContext(text)['projectPath'];
  return typeof path === 'string' && path !== '' ? path : undefined;
}

export function lastNotices(text: string | undefined): readonly string[] {
  const notices = parseContext(text)['notices'];
  return Array.isArray(notices) ? notices.filter((notice) => typeof notice === 'string') : [];
}

/** The known summaries of past sessions; invalid entries are ignored. */
export function summaryMarks(text: string | undefined): ReadonlyMap<string, SummaryMark> {
  const summaries = parseContext(text)['summaries'];
  return new Map(
    Object.entries(isObject(summaries) ? summaries : {}).flatMap(([session, mark]) => {
      const { time, length, md5 } = isObject(mark) ? mark : {};
      return typeof time === 'string' && typeof length === 'number' && typeof md5 === 'string' ? [[session, { time, length, md5 }]] : [];
    }),
  );
}

/** The marks, with a session's new one. */
export const withMark = (text: string | undefined, session: string, mark: SummaryMark): Record<string, SummaryMark> =>
  Object.fromEntries([...[...summaryMarks(text)].filter(([other]) => other !== session).slice(1 - MAX_MARKS), [session, mark]]);
