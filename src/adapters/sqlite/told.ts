import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Injection } from '../../core/ports/injection-log.ts';
import { openDatabase } from './binding.ts';
import { injectionOf } from './injections.ts';
import { pendingFiles, readPending } from './pending.ts';

/** More files than this are sooner taken in than read at every start. */
const FEW = 16;

function keptFor(file: string, session: string): readonly Injection[] {
  const database = openDatabase(file);
  try {
    return database.prepare('SELECT * FROM injections WHERE session = ? ORDER BY seq').all(session).map(injectionOf);
  } finally {
    database.close();
  }
}

/**
 * All that a session was told, the oldest first, by a single look: nothing is written, and what waits to be taken in is read where it lies. Undefined where
 * that is not enough: the log itself takes in and mends.
 */
export function toldTo(file: string, session: string): readonly Injection[] | undefined {
  const pending = pendingFiles(dirname(file));
  if (pending.length > FEW) return undefined;
  try {
    const kept = existsSync(file) ? keptFor(file, session) : [];
    const waiting = pending.map(readPending).filter((said) => said !== undefined && said !== 'unfinished' && said.session === session) as Injection[];
    // One that was taken in may still lie there.
    return [...kept, ...waiting.filter((said) => !kept.some((one) => one.at === said.at && one.event === said.event && sameItems(one, said)))];
  } catch {
    return undefined;
  }
}

/** What a session has before it: everything from the last time that its context was cleared or compacted. */
export function shownIn(told: readonly Injection[]): ReadonlyMap<string, string> {
  const from = told.findLastIndex(({ event }) => event === 'compact' || event === 'clear');
  const since = told.slice(Math.max(0, from)).filter(({ event }) => event !== 'subagent');
  return new Map(since.flatMap(({ items }) => items.map(({ id, updatedAt }) => [id, updatedAt] as const)));
}

const sameItems = (a: Injection, b: Injection): boolean => JSON.stringify(a.items) === JSON.stringify(b.items);
