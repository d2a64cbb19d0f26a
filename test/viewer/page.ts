import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { PROGRAM } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';

export interface StartedPage {
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
  readonly process: ChildProcess;
  /** Ends it as Ctrl-C does, or as a terminal that closes, and waits for it. */
  end(signal?: 'SIGINT' | 'SIGHUP'): Promise<number | null>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
}

/** Starts `holdfast view` in a home and waits for its link. */
export async function startPage(home: string, cwd: string, { env = {}, words = [] }: StartOptions = {}): Promise<StartedPage> {
  const child = spawn(process.execPath, [PROGRAM, '--home', home, 'view', '--json', ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', HOME: path.join(home, 'no-such-home'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [line] = (await Promise.race([once(child), ended.then((code) => [`{"ended":${code}}`])])) as [string];
  const { url = '' } = JSON.parse(line) as { readonly url?: string };
  const { origin, port, hash } = new URL(url);
  return {
    url,
    origin,
    port: Number(port),
    token: /key=([\w-]+)/.exec(hash)?.[1] ?? '',
    process: child,
    end: async (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

const once = (child: ChildProcess): Promise<string[]> =>
  new Promise((resolve) => createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => resolve([line])));

export interface PlantedRecord {
  readonly category: string;
  readonly folder: string;
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly more?: readonly string[];
  /** When it was written. */
  readonly at?: string;
}

/** Writes a record's file by hand, as an editor or a clone does. */
export function plant(records: string, { category, folder, id, title, body, more = [], at = '2026-03-02T10:00:00Z' }: PlantedRecord): string {
  const file = path.join(records, folder, `${id}.md`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const head = [
    'schema_version: "1.0"',
    `category: ${category}`,
    `id: ${id}`,
    'record_status: active',
    `created_at: ${at}`,
    `updated_at: ${at}`,
    'tags: [planted]',
    ...more,
  ];
  fs.writeFileSync(file, `---\n${head.join('\n')}\n---\n\n# ${title}\n\n${body}\n`);
  return file;
}

/** A preference that was kept from a session and waits for review. */
export const waiting = (id: string, title: string, value: string, more: readonly string[] = []): PlantedRecord => ({
  category: 'preference',
  folder: 'preferences',
  id,
  title,
  body: `## Topic\n${title}\n\n## Value\n${value}\n\n## Reason\nsaid so\n\n## Strength\ndefault`,
  more: ['trust: observed', ...(more.length > 0 ? more : ['origin:', '  channel: capture', '  session_id: none'])],
});

/** Goes to a view of the page that is open. */
export const visit = async (page: Page, address: string): Promise<void> => void (await page.evaluate(`location.hash = ${JSON.stringify(address)}`));

const LOOK_MS = 20;

async function waitFor(state: 'visible' | 'detached', locator: Locator, isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + PATIENCE.timeout;
  while (Date.now() < until) {
    if (await isSo()) return;
    await setTimeout(LOOK_MS);
  }
  // Names the missing text.
  await locator.waitFor({ state, timeout: LOOK_MS });
}

/** Waits until something is on the page. Playwright's own wait soon looks twice a second only. */
export const shown = (locator: Locator): Promise<void> => waitFor('visible', locator, () => locator.isVisible());

/** Waits until nothing of the kind is on the page. */
export const gone = (locator: Locator): Promise<void> => waitFor('detached', locator, async () => (await locator.count()) === 0);
