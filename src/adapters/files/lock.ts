import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { ioFailure, makeFolder } from './durable.ts';

/** The part of a database connection that the lock needs; passed in, because adapters import only the core. */
export interface LockDatabase {
  exec(sql: string): void;
  close(): void;
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 40;
/** After this share of the timeout a waiter polls fast again, so that those who write again and again do not starve it. */
const PATIENT_SHARE = 0.2;

/** Milliseconds until the next try, by the last pause and the share of the timeout that has passed. */
export const nextPause = (pause: number, waited: number): number => (waited < PATIENT_SHARE ? Math.min(pause * 1.5, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS);

/**
 * One writer a memory, across processes. SQLite's own file locks are used because the operating system
 * drops them with the process that held them: there is no stale lock to guess about after a kill.
 */
export class WriteLock {
  readonly #file: string;
  readonly #open: (file: string) => LockDatabase;
  readonly #timeoutMs: number;
  #database: LockDatabase | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string, open: (file: string) => LockDatabase, timeoutMs = 30_000) {
    this.#file = file;
    this.#open = open;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs `work` with the lock held: after earlier callers in this process, then after other processes. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#locked(work));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Runs `work` with the lock held; returns false, without running it, if another process holds the lock. */
  async tryHold(work: () => Promise<void>): Promise<boolean> {
    const database = this.#connect();
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      if (isLocked(cause)) return false;
      throw ioFailure(cause, `cannot lock ${this.#file}`);
    }
    try {
      await work();
      return true;
    } finally {
      database.exec('ROLLBACK');
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const database = this.#connect();
    await this.#begin(database);
    try {
      return await work();
    } finally {
      database.exec('ROLLBACK');
    }
  }

  #connect(): LockDatabase {
    if (!this.#database) {
      makeFolder(dirname(this.#file));
      try {
        this.#database = this.#open(this.#file);
        // SQLite opens a read-only file for reading, and then locks nothing.
        accessSync(this.#file, constants.W_OK);
      } catch (cause) {
        this.close();
        throw ioFailure(cause, `cannot open the lock ${this.#file}`);
      }
    }
    return this.#database;
  }

  async #begin(database: LockDatabase): Promise<void> {
    const started = Date.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = nextPause(pause, (Date.now() - started) / this.#timeoutMs)) {
      try {
        database.exec('BEGIN EXCLUSIVE');
        return;
      } catch (cause) {
        const message = (cause as Error).message;
        if (!isLocked(cause)) {
          throw new Failure('IO_ERROR', `cannot lock ${this.#file}: ${message}`, { hint: 'check that the folder can be written', cause });
        }
        if (Date.now() - started >= this.#timeoutMs) {
          throw new Failure('LOCK_TIMEOUT', `another process has been writing for over ${this.#timeoutMs / 1000} s`, {
            hint: 'nothing was changed; try again',
            cause,
          });
        }
      }
      // At random, so that waiters do not all try at the same moment.
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }
}

const isLocked = (cause: unknown): boolean => /locked|busy/i.test((cause as Error).message);

/** Runs `work` unless another process holds the lock; then that process, or the next start, does the work. */
export async function runIfUnlocked(file: string, openDatabase: (file: string) => LockDatabase, work: () => Promise<void>): Promise<void> {
  const lock = new WriteLock(file, openDatabase);
  try {
    await lock.tryHold(work);
  } finally {
    lock.close();
  }
}
