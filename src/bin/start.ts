import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { Draft } from '../core/record/draft.ts';
import { tour } from '../edges/tour/tour.ts';
import { openProject } from './compose/project.ts';

const HELP = `npm start -- [--once] [--home DIR] [--keep]

  --once      end by itself, without asking for questions
  --home DIR  use this home in place of a scratch one
  --keep      leave the scratch home where it is
`;

const { values: options } = parseArgs({
  options: { once: { type: 'boolean' }, home: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});

async function run(): Promise<number> {
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const scratch = options.home === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-tour-')) : undefined;
  const home = path.resolve(options.home ?? path.join(scratch as string, 'home'));
  const project = path.join(scratch ?? home, 'webshop');
  fs.mkdirSync(project, { recursive: true });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`Holdfast, on a ${scratch === undefined ? 'home of yours' : 'scratch home'}: ${home}\n`);
  const opened = openProject({ home, cwd: project, now: Date.now });
  if (!opened.ok) {
    process.stderr.write(`${opened.error.message}\n`);
    return 1;
  }
  const lines = options.once || !process.stdin.isTTY ? undefined : createInterface({ input: process.stdin, output: process.stdout });
  try {
    const samples = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '..', 'assets', 'samples', 'records.json'), 'utf8')) as Draft[];
    const ask = async (): Promise<string | undefined> =>
      lines ? (await lines.question('\n   ask it something, or press return to leave: ')).trim() || undefined : undefined;
    const found = await tour(opened.value.memory, { say, samples, ask });
    say(`\nEvery record is a file: ${opened.value.project.privateRoot}`);
    say('Next: `npm link`, then `holdfast save decision "…"` in a project of yours, and `holdfast --help`.');
    return found ? 0 : 1;
  } finally {
    lines?.close();
    await opened.value.close();
    if (scratch !== undefined && !options.keep) fs.rmSync(scratch, { recursive: true, force: true });
  }
}

void run().then((code) => {
  process.exitCode = code;
});
