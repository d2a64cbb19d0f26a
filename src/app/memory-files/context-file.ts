import type { HashFolder } from '../../core/ports/layer-files.ts';
import { tidyPath } from '../../core/project/folder.ts';
import { isObject } from '../../core/value.ts';

/** How the summary of a session is found again in MEMORY.md: the time of its heading, and how long what stands below it is, with its MD5. */
export interface SummaryMark {
  readonly time: string;
  readonly length: number;
  readonly md5: string;
}

/** Sessions that may still go on; the summaries of older ones stay as they are. */
const MOST_MARKS = 50;

/** `context.json`: whose memory a folder holds, and what became of it last. */
export interface ContextFacts {
  readonly projectKey: string;
  readonly projectHash: string;
  readonly projectPath: string;
  readonly lastLoaded: string | null;
  readonly lastUpdated: string | null;
  readonly sessionId: string | null;
  /** Notes on what the last update removed from MEMORY.md or moved; kept because the user does not see an update at the end of a session. */
  readonly notices?: readonly string[];
  /** The entries that session ends added to MEMORY.md, by session. */
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

/** The file with what is new in it. */
export function contextText(existing: string | undefined, news: Partial<ContextFacts>): string {
  const empty: ContextFacts = { projectKey: '', projectHash: '', projectPath: '', lastLoaded: null, lastUpdated: null, sessionId: null, sizes: {} };
  const old = parseContext(existing);
  const sizes = { ...(isObject(old['sizes']) ? old['sizes'] : {}), ...news.sizes };
  return `${JSON.stringify({ ...empty, ...old, ...news, sizes }, null, 2)}\n`;
}

/** The folder named by a project's hash, if it is this project's own: paths that differ in letter case share a hash, and the folder says whose it is. */
export const ownHashFolder = (found: HashFolder | undefined, projectPath: string): string | undefined =>
  found && tidyPath(ownerPath(found.context) ?? projectPath) === tidyPath(projectPath) ? found.folder : undefined;

/** The path a folder says it belongs to. */
function ownerPath(text: string | undefined): string | undefined {
  const path = parseContext(text)['projectPath'];
  return typeof path === 'string' && path !== '' ? path : undefined;
}

export function lastNotices(text: string | undefined): readonly string[] {
  const found = parseContext(text)['notices'];
  return Array.isArray(found) ? found.filter((notice) => typeof notice === 'string') : [];
}

/** The known summaries of past sessions; invalid entries are ignored. */
export function summaryMarks(text: string | undefined): ReadonlyMap<string, SummaryMark> {
  const found = parseContext(text)['summaries'];
  return new Map(
    Object.entries(isObject(found) ? found : {}).flatMap(([session, mark]) => {
      const { time, length, md5 } = isObject(mark) ? mark : {};
      return typeof time === 'string' && typeof length === 'number' && typeof md5 === 'string' ? [[session, { time, length, md5 }]] : [];
    }),
  );
}

/** The marks with a session's newest one among them. */
export const withMark = (text: string | undefined, session: string, mark: SummaryMark): Record<string, SummaryMark> =>
  Object.fromEntries([...[...summaryMarks(text)].filter(([other]) => other !== session).slice(1 - MOST_MARKS), [session, mark]]);
