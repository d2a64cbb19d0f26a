import { readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../adapters/files/durable.ts';
import { PLAIN_ID } from './ahead.ts';
import { placesIn } from './places.ts';

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Notes that a server knows of a session: it has it finished when it leaves, so that nobody else need do so. */
export function noteServed(home: string, session: string): void {
  if (!PLAIN_ID.test(session)) return;
  try {
    makeFolder(placesIn(home).served);
    writeFileSync(join(placesIn(home).served, session), '', { mode: 0o600 });
  } catch {
    // Without the note, the hook at the end sees to it.
    return;
  }
}

/** Whether a server knows of a session that goes on. */
export const isServed = (home: string, session: string): boolean =>
  PLAIN_ID.test(session) && statSync(join(placesIn(home).served, session), { throwIfNoEntry: false }) !== undefined;

/** Whether a server knew of a session. The note is used up: should the session go on without a server, its end is told anew. */
export function takeServed(home: string, session: string): boolean {
  if (!PLAIN_ID.test(session)) return false;
  try {
    unlinkSync(join(placesIn(home).served, session));
    return true;
  } catch {
    return false;
  }
}

/** Notes of sessions whose client never said that they ended. */
export function clearServed(home: string, now: number): void {
  const folder = placesIn(home).served;
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(folder)) {
    const note = join(folder, name);
    if (now - (statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? now) > KEPT_MS) rmSync(note, { force: true });
  }
}
