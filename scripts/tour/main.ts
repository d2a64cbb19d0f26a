import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type TourOutput, type SampleRecord, tour } from './tour.ts';

const HELP = `npm start -- [--once] [--home DIR] [--remove]

  --once      end by itself, without asking for questions; the web page is opened and ended at once
  --home DIR  use this home in place of a scratch one
  --remove    remove the scratch folder at the end
`;
const PROGRAM = path.join(import.meta.dirname, 'cli.js');
const HOOK = path.join(import.meta.dirname, 'hook.js');
const ASSETS = path.join(import.meta.dirname, '..', 'assets');

/** Sample records, and prompts that they answer, each in the sample session that it would be asked in. */
const sample = <T>(file: string): readonly T[] => JSON.parse(fs.readFileSync(path.join(ASSETS, file), 'utf8')) as readonly T[];

const { values: options } = parseArgs({
  options: { once: { type: 'boolean' }, home: { type: 'string' }, remove: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});

const isTerminal = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
/** Headings green, commands bright, output unchanged. */
const painted = (line: string): string => {
  if (!isTerminal) return line;
  if (/^\n?\d\. /.test(line)) return `\u001b[32m${line}\u001b[39m`;
  return line.startsWith('   $ ') ? `\u001b[1m${line}\u001b[22m` : line;
};
const say = (line: string): void => void process.stdout.write(`${painted(line)}\n`);

const runProgram = (home: string, cwd: string, argv: readonly string[], input = ''): Promise<TourOutput> =>
  runNode(cwd, [PROGRAM, '--home', home, '--no-color', ...argv], input);

async function runNode(cwd: string, words: readonly string[], input: string, env: NodeJS.ProcessEnv = {}): Promise<TourOutput> {
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, out }));
  });
}

/** The traces of a day's work for the page to show: drafts in the inbox, and injections. */
async function workForADay(home: string, project: string): Promise<void> {
  await runProgram(home, project, ['drafts', '--all', '--save']);
  await runProgram(home, project, ['start']);
  const env = { CLAUDE_CONFIG_DIR: home, CLAUDE_PROJECT_DIR: project };
  for (const prompt of sample<object>('sample-prompts.json'))
    await runNode(project, [HOOK, 'UserPromptSubmit'], JSON.stringify({ ...prompt, cwd: project, transcript_path: '' }), env);
}

/** Serves the web page on the sample memory until Ctrl-C, or only prints its address. */
async function showPage(home: string, once: boolean): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, '--home', home, 'view', '--json', '--project', 'tidewatch'], {
    cwd: ASSETS,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const line = await Promise.race([createInterface({ input: child.stdout })[Symbol.asyncIterator]().next(), ended.then(() => ({ value: undefined }))]);
  const { url, pid } = JSON.parse(String(line.value ?? '{}')) as { readonly url?: string; readonly pid?: number };
  if (url === undefined || pid === undefined) return false;
  say(once ? `   the page was at ${url.replace(/#.*/, '')}` : `   open ${url}\n   Ctrl-C ends it.`);
  if (once) child.kill('SIGINT');
  else process.on('SIGINT', () => child.kill('SIGINT'));
  return (await ended) === 0;
}

async function run(): Promise<number> {
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-tour-'));
  const home = path.resolve(options.home ?? path.join(scratch, 'home'));
  const project = path.join(scratch, 'tidewatch');
  fs.mkdirSync(project, { recursive: true });
  const lines = options.once || !process.stdin.isTTY ? undefined : createInterface({ input: process.stdin, output: process.stdout });
  try {
    say(`Holdfast, in a ${options.home === undefined ? 'scratch home' : 'home of yours'}: ${home}\n`);
    // Runs the program beside the samples, as in a checkout.
    const isFine = await tour({
      say,
      samples: 'samples',
      project,
      records: sample<SampleRecord>('sample-records.json'),
      run: async (argv, input) => runProgram(home, ASSETS, argv, input),
      ask: async () => (lines ? (await lines.question('\n   ask it something, or press return to go on: ')).trim() || undefined : undefined),
    });
    lines?.close();
    say('\n6. All of it is on a page in your browser, to look at and to put right');
    say('   $ holdfast view');
    await workForADay(home, project);
    const didPageRun = await showPage(home, lines === undefined);
    say(`\nEvery record is a file: ${path.join(home, 'projects', 'tidewatch')}`);
    say('Next: `npm link`, then `holdfast init` in a project of yours: it lists every change first.');
    return isFine && didPageRun ? 0 : 1;
  } finally {
    lines?.close();
    if (options.remove) fs.rmSync(scratch, { recursive: true, force: true });
  }
}

void run().then((code) => {
  process.exitCode = code;
});
