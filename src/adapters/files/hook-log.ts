import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectClients, FailedHook, HookLog, ClientActivity, HookRun } from '../../core/ports/hook-log.ts';
import { makeFolder, makeFolderQuietly } from './durable.ts';

const FAILURES = 'failures.log';
const LARGEST = 64 * 1024;
const KEPT_LINES = 50;
const LINE = 500;
const ONE_LINE = /[\s\u0000-\u001f\u007f]+/g;

function markSeen(folder: string, client: string, event: string, at: number): void {
  // A client of the server gives itself a name, such as @cline/core.
  const file = join(folder, `${client.replaceAll(/[\\/]/g, '-')}.${event}.seen`);
  try {
    utimesSync(file, at / 1000, at / 1000);
  } catch {
    makeFolderQuietly(folder);
    writeFileSync(file, '', { mode: 0o600 });
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
};

const marksIn = (folder: string): readonly HookRun[] =>
  namesIn(folder).flatMap((name) => {
    const [, client, event] = /^(.+)\.(\w+)\.seen$/.exec(name) ?? [];
    if (client === undefined || event === undefined) return [];
    return [{ client, event, at: statSync(join(folder, name)).mtimeMs }];
  });

/** Which hooks ran when, as the times of empty files, and which failed and why, a line each. */
export class HookLogFolder implements HookLog {
  readonly #folder: string;
  readonly #state: (key: string) => string;

  constructor({ hooks, state }: { readonly hooks: string; readonly state: (key: string) => string }) {
    this.#folder = hooks;
    this.#state = state;
  }

  recordRun(client: string, event: string, at: number): void {
    markSeen(this.#folder, client, event, at);
  }

  recordFailure(failure: FailedHook): void {
    makeFolder(this.#folder);
    const file = join(this.#folder, FAILURES);
    const line = JSON.stringify({ ...failure, message: failure.message.replace(ONE_LINE, ' ').slice(0, LINE) });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < LARGEST) appendFileSync(file, `${line}\n`, { mode: 0o600 });
    else writeFileSync(file, `${[...readFileSync(file, 'utf8').trimEnd().split('\n').slice(-KEPT_LINES), line].join('\n')}\n`, { mode: 0o600 });
  }

  lastRuns(): readonly HookRun[] {
    return marksIn(this.#folder);
  }

  clientsOf(key: string): ProjectClients {
    const folder = join(this.#state(key), 'clients');
    return {
      record: ({ client, by, at }) => {
        try {
          markSeen(folder, client, by, at);
        } catch {
          // A home that cannot be written is reported by what needs it.
        }
      },
      all: () =>
        marksIn(folder).flatMap(({ client, event, at }): ClientActivity[] => (event === 'hooks' || event === 'server' ? [{ client, by: event, at }] : [])),
    };
  }

  failures(): readonly FailedHook[] {
    if (!namesIn(this.#folder).includes(FAILURES)) return [];
    return readFileSync(join(this.#folder, FAILURES), 'utf8')
      .split('\n')
      .flatMap((line) => failureIn(line) ?? []);
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
