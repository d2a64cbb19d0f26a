import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectClients, FailedHook, HookLog, ClientActivity, HookRun } from '../../core/ports/hook-log.ts';
import { makeFolder, makeFolderQuietly } from './durable.ts';

const FAILURES = 'failures.log';
const LARGEST_LOG_BYTES = 64 * 1024;
const LAST_LINES = 50;
const LONGEST_MESSAGE = 500;
const WHITESPACE = /[\s\u0000-\u001f\u007f]+/g;

function markSeen(folder: string, client: string, event: string, at: number): void {
  // Clients of the server choose their own name, such as @cline/core.
  const file = join(folder, `${client.replaceAll(/[\\/]/g, '-')}.${event}.seen`);
  try {
    utimesSync(file, at / 1000, at / 1000);
  } catch {
    makeFolderQuietly(folder);
    writeFileSync(file, '', { mode: 0o600 });
  }
}

const fileNames = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
};

const hookRunsIn = (folder: string): readonly HookRun[] =>
  fileNames(folder).flatMap((name) => {
    const [, client, event] = /^(.+)\.(\w+)\.seen$/.exec(name) ?? [];
    if (client === undefined || event === undefined) return [];
    return [{ client, event, at: statSync(join(folder, name)).mtimeMs }];
  });

/** When each hook last ran, as the time of an empty file, and a line for each hook that failed. */
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
    const line = JSON.stringify({ ...failure, message: failure.message.replace(WHITESPACE, ' ').slice(0, LONGEST_MESSAGE) });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < LARGEST_LOG_BYTES) appendFileSync(file, `${line}\n`, { mode: 0o600 });
    else writeFileSync(file, `${[...readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LAST_LINES), line].join('\n')}\n`, { mode: 0o600 });
  }

  lastRuns(): readonly HookRun[] {
    return hookRunsIn(this.#folder);
  }

  clientsOf(key: string): ProjectClients {
    const folder = join(this.#state(key), 'clients');
    return {
      record: ({ client, by, at }) => {
        try {
          markSeen(folder, client, by, at);
        } catch {
          // The next write that matters reports a home that cannot be written.
        }
      },
      all: () =>
        hookRunsIn(folder).flatMap(({ client, event, at }): ClientActivity[] => (event === 'hooks' || event === 'server' ? [{ client, by: event, at }] : [])),
    };
  }

  failures(): readonly FailedHook[] {
    if (!fileNames(this.#folder).includes(FAILURES)) return [];
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
