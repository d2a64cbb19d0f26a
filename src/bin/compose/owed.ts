import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolderQuietly } from '../../adapters/files/durable.ts';
import { PLAIN_ID } from './ahead.ts';
import { clearOld } from './clear-old.ts';
import { placesIn } from './places.ts';

/** Stands for a session that ended without having been told: no server answered its prompts, if it had any. */
const UNANSWERED = '.unanswered';
/** A session that has waited so long to be told is idle, or is answered by nobody. */
const WAITED_MS = 5 * 60 * 1000;
/** A client that was ended by force says nothing of its sessions. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** Empty for an id that could lead elsewhere: there is no such file. */
const noteOf = (home: string, session: string): string => (PLAIN_ID.test(session) ? join(placesIn(home).owed, session) : '');

/**
 * Leaves it to the server to tell a session what is remembered, with its first prompt: both reach the model in the same request, and the server has everything
 * open. False where it must be told now: no server has ever answered a prompt here, or the last one that was asked to has not.
 */
export function owe(home: string, client: string, session: string, source: unknown, now: number): boolean {
  const note = noteOf(home, session);
  // A compaction may come in the middle of a turn, with no prompt to wait for.
  if (note === '' || source === 'compact') return false;
  const { hooks, owed } = placesIn(home);
  if (!existsSync(join(hooks, `${client}.UserPromptSubmit.seen`))) return false;
  makeFolderQuietly(owed);
  if (readdirSync(owed).some((name) => name === UNANSWERED || now - statSync(join(owed, name)).mtimeMs > WAITED_MS)) return false;
  writeFileSync(note, String(source), { mode: 0o600 });
  return true;
}

/** How a session started that has yet to be told what is remembered. Whoever asks answers prompts, so that starts may be left to it again. */
export function owedTo(home: string, session: string): string | undefined {
  remove(join(placesIn(home).owed, UNANSWERED));
  const note = noteOf(home, session);
  // One that is empty was begun on a full disk, and its session was told at once.
  return existsSync(note) ? readFileSync(note, 'utf8') || undefined : undefined;
}

/** It has been told by now, and not before: what cannot be read today may be with the next prompt. */
export const noteTold = (home: string, session: string): void => remove(noteOf(home, session));

/** A home that cannot be written keeps nobody from an answer. */
function remove(file: string): void {
  try {
    if (existsSync(file)) rmSync(file);
  } catch {
    return;
  }
}

/** A session has ended: had nobody told it by then, the next one is told at its start. */
export function closeOwed(home: string, session: string): void {
  const note = noteOf(home, session);
  if (existsSync(note)) renameSync(note, join(placesIn(home).owed, UNANSWERED));
}

/** Notes of sessions whose client never said that they ended. */
export const clearOwed = (home: string, now: number): void => clearOld(placesIn(home).owed, FORGOTTEN_MS, now);
