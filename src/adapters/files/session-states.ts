import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Md5 } from '../../core/ports/host.ts';
import type { SessionNote, SessionStates } from '../../core/ports/session-states.ts';
import { replaceFile } from './durable.ts';

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const EXPIRY_MS = 30 * 24 * 60 * 60 * 1000;

/** One small file for each session, beside the index. If it is lost, the agent is asked again. */
export class SessionNoteFiles implements SessionStates {
  readonly #folder: string;
  readonly #md5: Md5;

  constructor(folder: string, md5: Md5) {
    this.#folder = folder;
    this.#md5 = md5;
  }

  read(session: string): SessionNote {
    const file = this.#file(session);
    // A session that starts has none.
    if (!existsSync(file)) return {};
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    } catch {
      return {};
    }
  }

  change(session: string, part: Partial<SessionNote>): void {
    const file = this.#file(session);
    replaceFile(file, JSON.stringify({ ...this.read(session), ...part }), `${file}.${process.pid}.tmp`, false);
  }

  /** Deletes notes of sessions without activity for a month. */
  clear(now: number): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      if (now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > EXPIRY_MS) rmSync(file, { force: true });
    }
  }

  #file(session: string): string {
    return join(this.#folder, `${SAFE_NAME.test(session) ? session : this.#md5(session)}.json`);
  }
}
