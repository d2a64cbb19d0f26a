import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesIn } from './places.ts';
import { holds, type Stamp } from './stamp.ts';

/** What a new session is told, with a gap for its id, and what that was made from. */
export interface BriefAhead {
  readonly stamps: readonly Stamp[];
  /** Where the log of injections takes in what was said, and what that was. */
  readonly pending: string;
  readonly injection?: { readonly tokens: number; readonly items: readonly unknown[] };
  readonly before: string;
  readonly after: string;
  /** Length of the id that there is room for. */
  readonly room: number;
  /** Where a summary of the session itself would lie: then it is not a new one. */
  readonly summaries: string;
}

/** That memory is on for a folder, and what its next session is told: kept with what both were made from. */
export interface Ahead {
  readonly program: string;
  readonly from: number;
  readonly until: number;
  readonly place: readonly Stamp[];
  readonly brief?: BriefAhead;
}

const LONGEST_NAME = 200;
export const PLAIN_ID = /^[\w-]{1,64}$/;

/** Another version of the program may say something else. */
export function programMark(folder: string): string {
  const { size, mtimeMs } = statSync(join(folder, 'holdfast.js'));
  return `${size}:${mtimeMs}`;
}

export function aheadFile(home: string, cwd: string): string | undefined {
  const name = encodeURIComponent(cwd);
  return name.length > LONGEST_NAME ? undefined : join(placesIn(home).ahead, `${name}.json`);
}

/** Memory is off in a folder: what was made while it was on is of no use to anybody. */
export function forgetAhead(home: string, cwd: string): void {
  const kept = aheadFile(home, cwd);
  if (kept !== undefined) rmSync(kept, { force: true });
}

/** What was kept for a folder, if memory is still on there and nothing that says so has changed. */
export function readAhead(home: string, cwd: string, program: string, now: number): Ahead | undefined {
  const file = aheadFile(home, cwd);
  if (file === undefined) return undefined;
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Ahead;
    return kept.program === program && now >= kept.from && now < kept.until && holds(kept.place) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the next session in a folder would be told what was made ahead. */
export const isCurrent = (home: string, cwd: string, folder: string, now: number): boolean => {
  const brief = readAhead(home, cwd, programMark(folder), now)?.brief;
  return brief !== undefined && holds(brief.stamps);
};

export const hasRoom = ({ room }: Pick<BriefAhead, 'room'>, session: string): boolean => session.length === room && PLAIN_ID.test(session);

/** The start of a new session as it was made ahead; undefined when it has to be made anew. What is said is noted first, so that nothing is said in secret. */
export function sayAhead({ brief }: Ahead, session: string, event: string, now: number): string | undefined {
  if (!brief || !hasRoom(brief, session) || !holds(brief.stamps) || existsSync(join(brief.summaries, `${session}.md`))) return undefined;
  noteSaid(brief, session, event, now);
  return `${brief.before}${session}${brief.after}`;
}

function noteSaid({ pending, injection }: BriefAhead, session: string, event: string, now: number): void {
  if (!injection) return;
  const noted = { at: `${new Date(now).toISOString().slice(0, 19)}Z`, session, event, ...injection };
  writeFileSync(join(pending, `${now}-${process.pid}.json`), JSON.stringify(noted), { flag: 'wx', mode: 0o600 });
}
