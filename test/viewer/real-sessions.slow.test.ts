import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.js';
import { lastingProgram } from '../edges/cli/program.ts';
import { startBrowser } from './browser.ts';
import { gone, shown, startPage } from './page.ts';

const FOLDER = path.join(root, '..', 'shared', 'bench', 'coding-cipher-box');
const SHOTS = process.env['HOLDFAST_SHOTS'];
const isRequested = SHOTS !== undefined || process.env['HOLDFAST_ROUNDS'] === 'all';
const why = fs.existsSync(FOLDER)
  ? isRequested
    ? undefined
    : 'pictures over real sessions are made by npm run test:long, and where HOLDFAST_SHOTS names a folder'
  : 'the transcripts of real sessions are not on this machine';
if (why !== undefined) console.log(`skipped: ${why}`);

const PROMPTS = 25;
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;

/** Replays the sessions of a real project here: imports them, saves drafts, and runs later prompts. */
function realMemory(): ReturnType<typeof lastingProgram> & { readonly session: string } {
  const cli = lastingProgram();
  const unpacked = path.join(cli.folder, 'unpacked');
  fs.mkdirSync(unpacked);
  expect(spawnSync('tar', ['xJf', path.join(FOLDER, 'transcripts.tar.xz'), '-C', unpacked]).status).toBe(0);
  const client = path.join(cli.home, 'projects', cli.project.replaceAll(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(client, { recursive: true });
  const names = fs.readdirSync(path.join(unpacked, 'transcripts')).filter((name) => name.endsWith('.jsonl'));
  for (const name of names) {
    const text = fs.readFileSync(path.join(unpacked, 'transcripts', name), 'utf8');
    fs.writeFileSync(path.join(client, name), text.replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(cli.project)}`));
  }
  cli.ask('start');
  cli.ask('import');
  cli.run('drafts', '--all', '--save');
  const questions = fs
    .readFileSync(path.join(FOLDER, 'queries.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.includes('"question"') ? [(JSON.parse(line) as { readonly query: string }).query] : []));
  for (const [nth, prompt] of questions.slice(0, PROMPTS).entries())
    cli.runIn({ input: JSON.stringify({ session_id: `later-${nth}`, cwd: cli.project, prompt }) }, 'hook', 'UserPromptSubmit');
  return { ...cli, session: (names[0] ?? '').replace('.jsonl', '') };
}

describe.skipIf(why !== undefined)('over the sessions of a real project', async () => {
  const { browser, why: noBrowser } = await startBrowser();
  afterAll(() => browser?.close());

  test('every view has something to show, reads in the dark and at 360 pixels, and nothing is cut', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { home, project, session, ask } = realMemory();
    const { records } = ask('list', '--limit', '1') as { readonly records: readonly { readonly id: string }[] };
    const views = ['', '/injections', '/inbox', '/search?q=migration', `/record/${records[0]?.id}`, '/sessions', `/session/${session}`, '/settings', '/plots'];
    const server = await startPage(home, project);
    try {
      const page = await browser.newPage({ locale: 'en-US' });
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(server.url);
      await shown(page.locator('.frame'));
      for (const colorScheme of ['light', 'dark'] as const)
        for (const [size, viewport] of Object.entries(SIZES)) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(viewport);
          for (const view of [...views.map((one) => `#/webshop${one}`), '#/']) {
            await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
            await shown(page.locator('.view').first());
            await gone(page.locator('.loading'));
            if (SHOTS !== undefined) await page.screenshot({ path: path.join(SHOTS, `real${view.replaceAll(/\W+/g, '-')}-${colorScheme}-${size}.png`) });
            expect((await page.locator('main').innerText()).length, view).toBeGreaterThan(200);
            expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(viewport.width);
          }
        }
      expect(faults).toEqual([]);
    } finally {
      await server.end();
    }
  });
});
