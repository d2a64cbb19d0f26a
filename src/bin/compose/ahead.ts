import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesIn } from './places.ts';
import { holds, type Stamp } from './stamp.ts';

/** What a start of a session says, with a gap for the session's id. */
export interface BriefAhead {
  readonly stamps: readonly Stamp[];
  readonly before: string;
  readonly after: string;
  /** Length of the id that there is room for. */
  readonly room: number;
  /** Where a summary of the session itself would lie: then it is not a new one. */
  readonly summaries: string;
  /** Where the log of injections takes in what was said, and what that was. */
  readonly pending: string;
  readonly injection?: { readonly tokens: number; readonly items: readonly unknown[] };
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
  const { size, mtimeMs } = statSync(join(folder, 'late-hook.js'));
  return `${size}:${mtimeMs}`;
}

export function aheadFile(home: string, cwd: string): string | undefined {
  const name = encodeURIComponent(cwd);
  return name.length > LONGEST_NAME ? undefined : join(placesIn(home).ahead, `${name}.json`);
}

/** Whether anything was kept for a folder, however old. */
export function hasAhead(home: string, cwd: string): boolean {
  const file = aheadFile(home, cwd);
  return file !== undefined && statSync(file, { throwIfNoEntry: false }) !== undefined;
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
  if (!brief || !hasRoom(brief, session) || !holds(brief.stamps) || statSync(join(brief.summaries, `${session}.md`), { throwIfNoEntry: false }))
    return undefined;
  if (brief.injection) {
    const noted = { at: `${new Date(now).toISOString().slice(0, 19)}Z`, session, event, ...brief.injection };
    writeFileSync(join(brief.pending, `${now}-${process.pid}.json`), JSON.stringify(noted), { flag: 'wx', mode: 0o600 });
  }
  return `${brief.before}${session}${brief.after}`;
}
