import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Injection } from '../../core/ports/injection-log.ts';
import { makeFolderOf } from './folder.ts';

/** A file that is still being written is left for the next time; one that stays broken is not. */
const UNFINISHED_MS = 60_000;

/** In a project's state: injections that the log has not taken in yet, a file each. */
export const pendingFolder = (state: string): string => join(state, 'injections.pending');

/** In a project's state: touched whenever somebody says what an injection was worth. */
export const feedbackMark = (state: string): string => join(state, 'feedback.said');

export const markFeedback = (state: string, at: string): void => writeFileSync(feedbackMark(state), at, { mode: 0o600 });

/** Leaves an injection for the log; a millisecond and a process have one. */
export function leavePending(state: string, injection: Injection): void {
  const file = join(pendingFolder(state), `${Date.now()}-${process.pid}.json`);
  makeFolderOf(file);
  writeFileSync(file, JSON.stringify(injection), { flag: 'wx', mode: 0o600 });
}

export function pendingFiles(state: string): readonly string[] {
  const folder = pendingFolder(state);
  try {
    return readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

const isInjection = (value: unknown): value is Injection => {
  const { at, session, event, tokens, items } = (value ?? {}) as Partial<Record<keyof Injection, unknown>>;
  return typeof at === 'string' && typeof session === 'string' && typeof event === 'string' && typeof tokens === 'number' && Array.isArray(items);
};

/** Undefined for a file that says nothing, or that another process has taken. */
export function readPending(file: string): Injection | 'unfinished' | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isInjection(value) ? value : undefined;
  } catch {
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return written !== undefined && Date.now() - written < UNFINISHED_MS ? 'unfinished' : undefined;
  }
}
