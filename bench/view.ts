import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/viewer/browser.ts';
import { layConversations, promptsAbout } from './hooks/conversations.ts';
import { median } from './measure.ts';
import { layOutProject } from './records/made-up.ts';

/**
 * The web page over 10,000 records and 100,000 messages: size of its script, time to the first row, time a keystroke of search, memory of the server.
 * `--records N` and `--messages N` make it smaller.
 */
const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const [RECORDS, MESSAGES] = [option('records', 10_000), option('messages', 100_000)];
const LOADS = 7;
const QUESTIONS = 5;
const dist = path.resolve('dist');
const cli = path.join(dist, 'cli.js');
const say = (name: string, value: string): void => console.log(`${name.padEnd(44)} ${value}`);
const ms = (values: readonly number[]): string => `median ${median(values).toFixed(0)} ms, most ${Math.max(...values).toFixed(0)} ms (${values.length})`;

interface Started {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

async function start(home: string, cwd: string): Promise<Started> {
  const child = spawn(process.execPath, [cli, '--home', home, 'view', '--json', '--project', 'project'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { ...(JSON.parse(line) as { url: string; pid: number }), end: () => (child.kill('SIGINT'), ended) };
}

/** Resident memory in megabytes, where the system tells. */
const memoryOf = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Processor time of a process in milliseconds, which other load does not change. */
const usedBy = (pid: number): number => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** From the link to the first row on the screen. */
async function firstRow(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  const started = performance.now();
  await page.goto(url.replace(/&to=.*/, '&to=%2Fproject%2Fsearch'));
  await page.waitForSelector('.row .words a');
  return performance.now() - started;
}

/** From a letter to the answer drawn, letter by letter, as the page itself counts. */
const typed = (page: Page, question: string): Promise<number[]> =>
  page.evaluate(`(async () => {
    const input = document.querySelector('input[type=search]');
    const took = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const question = ${JSON.stringify(question)};
    for (let length = 3; length <= question.length; length++) {
      if (question[length - 1] === ' ') continue;
      performance.clearResourceTimings();
      const started = performance.now();
      input.value = question.slice(0, length);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      // Not the question before, which this letter cut off.
      const isThis = ({ name, responseStatus }) => name.includes('/api/search') && responseStatus === 200 && new URL(name).searchParams.get('q') === input.value;
      while (!performance.getEntriesByType('resource').some(isThis) && performance.now() - started < 5000) await frame();
      await frame();
      took.push(performance.now() - started);
    }
    return took;
  })()`);

async function run(): Promise<void> {
  const script = fs.readFileSync(path.join(dist, 'viewer/view.js'));
  say('script', `${(script.length / 1024).toFixed(0)} KB, ${(gzipSync(script, { level: 9 }).length / 1024).toFixed(1)} KB compressed (aim: under 150)`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-view-'));
  const { browser, why } = await startBrowser();
  if (!browser) return say('browser', why);
  try {
    const place = await layOutProject(folder, RECORDS);
    if (MESSAGES > 0)
      layConversations({ ...place, prompt: () => '' }, MESSAGES, (transcripts) => {
        const { status, stderr } = spawnSync(process.execPath, [cli, '--home', place.home, 'import', transcripts, '--json'], {
          cwd: place.project,
          encoding: 'utf8',
          maxBuffer: 1 << 26,
        });
        if (status !== 0) throw new Error(stderr);
      });
    const loads: number[] = [];
    const [startUsed, loadUsed]: [number[], number[]] = [[], []];
    const cold: number[] = [];
    let server = await start(place.home, place.project);
    for (let nth = 0; nth < 3; nth++) {
      const context = await browser.newContext({ locale: 'en-US' });
      cold.push(await firstRow(await context.newPage(), server.url));
      await context.close();
      startUsed.push(usedBy(server.pid));
      if (nth < 2) {
        await server.end();
        server = await start(place.home, place.project);
      }
    }
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    for (let nth = 0; nth < LOADS; nth++) {
      const used = usedBy(server.pid);
      loads.push(await firstRow(page, server.url));
      loadUsed.push(usedBy(server.pid) - used);
    }
    say(`first row, ${RECORDS} records, new server`, `${ms(cold)} (aim: under a second)`);
    say('first row, server in use', ms(loads));
    say('processor time of the server', `start and first row ${median(startUsed)} ms, each further load ${median(loadUsed)} ms`);
    const ask = promptsAbout(Math.max(MESSAGES, 1_000));
    const letters: number[] = [];
    const before = usedBy(server.pid);
    for (let nth = 0; nth < QUESTIONS; nth++) letters.push(...(await typed(page, ask().slice(0, 24))));
    say(`a letter of search, ${MESSAGES} messages`, `${ms(letters)} (aim: under 50)`);
    say('processor time of the server a letter', `${((usedBy(server.pid) - before) / letters.length).toFixed(0)} ms`);
    say('memory of the server', `${memoryOf(server.pid).toFixed(0)} MB`);
    await server.end();
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void run();
