import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FailedHook, HookLog, SeenHook } from '../../core/ports/hook-log.ts';
import { makeFolder, makeFolderQuietly } from './durable.ts';

const FAILURES = 'failures.log';
const LARGEST = 64 * 1024;
const KEPT_LINES = 50;
const LINE = 500;
const ONE_LINE = /[\s\u0000-\u001f\u007f]+/g;

function markSeen(folder: string, client: string, event: string, at: number): void {
  const file = join(folder, `${client}.${event}.seen`);
  try {
    utimesSync(file, at / 1000, at / 1000);
  } catch {
    makeFolderQuietly(folder);
    writeFileSync(file, '', { mode: 0o600 });
  }
}

/** Which hooks ran when, as the times of empty files, and which failed and why, a line each. */
export class HookLogFolder implements HookLog {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  saw(client: string, event: string, at: number): void {
    markSeen(this.#folder, client, event, at);
  }

  failed(failure: FailedHook): void {
    makeFolder(this.#folder);
    const file = join(this.#folder, FAILURES);
    const line = JSON.stringify({ ...failure, message: failure.message.replace(ONE_LINE, ' ').slice(0, LINE) });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < LARGEST) appendFileSync(file, `${line}\n`, { mode: 0o600 });
    else writeFileSync(file, `${[...readFileSync(file, 'utf8').trimEnd().split('\n').slice(-KEPT_LINES), line].join('\n')}\n`, { mode: 0o600 });
  }

  seen(): readonly SeenHook[] {
    return this.#names().flatMap((name) => {
      const [, client, event] = /^(.+)\.(\w+)\.seen$/.exec(name) ?? [];
      if (client === undefined || event === undefined) return [];
      return [{ client, event, at: statSync(join(this.#folder, name)).mtimeMs }];
    });
  }

  failures(): readonly FailedHook[] {
    if (!this.#names().includes(FAILURES)) return [];
    return readFileSync(join(this.#folder, FAILURES), 'utf8')
      .split('\n')
      .flatMap((line) => failureIn(line) ?? []);
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder).toSorted();
    } catch {
      return [];
    }
  }
}

function failureIn(line: string): FailedHook | undefined {
  try {
    const value = JSON.parse(line) as Partial<FailedHook> | null;
    const { at, client, event, message } = value ?? {};
    return at !== undefined && client !== undefined && event !== undefined && message !== undefined ? { at, client, event, message } : undefined;
  } catch {
    return undefined;
  }
}
