import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../adapters/files/durable.ts';
import { PLAIN_ID } from './ahead.ts';
import { clearOld } from './clear-old.ts';
import { placesIn } from './places.ts';

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** When a process began, as the system counts it, where that is cheap to know: a number is given to another process some day. */
function beginOf(pid: number): string {
  try {
    // The name of the program, in parentheses, may hold anything.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1)?.split(' ')[20] ?? '';
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the server that wrote a note is still there. */
function isThere(note: string): boolean {
  const [pid, begin] = note.split(' ');
  return Number(pid) > 0 && isRunning(Number(pid)) && begin === beginOf(Number(pid));
}

const noteOf = (home: string, session: string): string | undefined => {
  if (!PLAIN_ID.test(session)) return undefined;
  try {
    return readFileSync(join(placesIn(home).served, session), 'latin1');
  } catch {
    return undefined;
  }
};

/** Notes that this server knows of a session: it has it finished when it leaves, so that nobody else need do so. */
export function noteServed(home: string, session: string): void {
  if (!PLAIN_ID.test(session)) return;
  try {
    makeFolder(placesIn(home).served);
    writeFileSync(join(placesIn(home).served, session), `${process.pid} ${beginOf(process.pid)}`, { mode: 0o600 });
  } catch {
    // Without the note, the hook at the end sees to it.
    return;
  }
}

/** The server leaves, and has seen to the session; without this it was killed. */
export function noteLeft(home: string, session: string): void {
  try {
    // Never makes one: the hook at the end may have used it up.
    truncateSync(join(placesIn(home).served, session));
  } catch {
    return;
  }
}

/** Whether a server knows of a session that goes on. */
export const isServed = (home: string, session: string): boolean => isThere(noteOf(home, session) ?? '');

/** Whether a server sees to the end of a session. The note is used up: should the session go on without a server, its end is told anew. */
export function takeServed(home: string, session: string): boolean {
  const note = noteOf(home, session);
  if (note === undefined) return false;
  rmSync(join(placesIn(home).served, session), { force: true });
  return note === '' || isThere(note);
}

/** Notes of sessions whose client never said that they ended. */
export const clearServed = (home: string, now: number): void => clearOld(placesIn(home).served, KEPT_MS, now);
