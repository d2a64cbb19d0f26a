import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageSearchIndex } from '../src/adapters/sqlite/episodes/message-search.ts';
import { rankChunks, type SearchedIndex } from '../src/recall/rank/rank-chunks.ts';
import { median } from './measure.ts';
import { chatLines } from './search/corpus.ts';
import { type MadeQuestion, KINDS, questions } from './search/questions.ts';

/**
 * Search at scale: homes of made-up conversations, brought in by `import`. Warm: questions one after the other in one process.
 * Cold: a new process a question, against a process that does nothing.
 */
interface Home {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly aim?: number;
}

const times = (count: number, size: number): number[] => Array.from({ length: count }, () => size);
const HOMES: readonly Home[] = [
  { name: '1k', sizes: [1_000] },
  { name: '10k', sizes: [10_000], aim: 5 },
  { name: '100k', sizes: [100_000], aim: 10 },
  { name: '1m', sizes: [...times(3, 100_000), ...times(6, 50_000), ...times(12, 20_000), ...times(14, 10_000), ...times(10, 2_000)], aim: 60 },
];
const QUESTIONS = 200;
const WARMING = 20;
const COLD_RUNS = 15;

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;

function timed(args: readonly string[]): number {
  const started = process.hrtime.bigint();
  const run = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`${args.slice(0, 3).join(' ')}: ${run.stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

interface Project {
  readonly name: string;
  readonly messages: number;
}

const projectsOf = ({ name, sizes }: Home): Project[] => sizes.map((messages, nth) => ({ name: `p${name}-${nth}`, messages }));

/** Returns the seconds that importing took, writing the transcripts not counted. */
function build(folder: string, projects: readonly Project[], cli: string): number {
  const transcript = path.join(folder, 'chat.jsonl');
  let ms = 0;
  for (const { name, messages } of projects) {
    const file = fs.openSync(transcript, 'w');
    let waiting: string[] = [];
    for (const line of chatLines(name, messages)) {
      waiting.push(line);
      if (waiting.length < 2_000) continue;
      fs.writeSync(file, waiting.join(''));
      waiting = [];
    }
    fs.writeSync(file, waiting.join(''));
    fs.closeSync(file);
    ms += timed([cli, 'import', '--home', path.join(folder, 'home'), '--format', 'chat', transcript, '--json']);
    fs.rmSync(transcript);
  }
  return ms / 1_000;
}

const indexOf = (folder: string, name: string): string => path.join(folder, 'home', 'holdfast', 'projects', name, 'episodes.db');

interface Took {
  readonly wall: readonly number[];
  /** Processor time: what wall time would be if nothing else ran on the machine. */
  readonly busy: readonly number[];
}

/** Milliseconds of each question, after some warm-up questions. */
async function warm(folder: string, projects: readonly Project[], made: readonly MadeQuestion[]): Promise<Took> {
  const indexes = projects.map(({ name }) => new MessageSearchIndex(indexOf(folder, name), name));
  const searched = indexes.map((index): SearchedIndex => ({ index: index as SearchedIndex['index'] }));
  const [wall, busy]: [number[], number[]] = [[], []];
  const ask = (text: string) => rankChunks(searched, { text, limit: 10, now: Date.UTC(2026, 0, 1) });
  for (const { text } of made.slice(0, WARMING)) await ask(text);
  for (const { text } of made) {
    const [started, used] = [process.hrtime.bigint(), process.cpuUsage()];
    await ask(text);
    wall.push(Number(process.hrtime.bigint() - started) / 1e6);
    const { user, system } = process.cpuUsage(used);
    busy.push((user + system) / 1e3);
  }
  for (const index of indexes) index.close();
  return { wall, busy };
}

function cold(folder: string, projects: readonly Project[], made: readonly MadeQuestion[], cli: string): { readonly ms: number; readonly empty: number } {
  const where = projects.length === 1 ? (projects[0] as Project).name : 'all';
  const [searches, empties]: [number[], number[]] = [[], []];
  const ask = (text: string): number => timed([cli, 'search', text, '--home', path.join(folder, 'home'), '--project', where, '--json']);
  ask('once');
  for (const { text } of made.slice(0, COLD_RUNS)) {
    searches.push(ask(text));
    empties.push(timed(['-e', '0']));
  }
  return { ms: median(searches), empty: median(empties) };
}

const percentile = (values: readonly number[], share: number): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

async function measure(home: Home, folder: string, cli: string): Promise<void> {
  const projects = projectsOf(home);
  const isThere = fs.existsSync(path.join(folder, 'built'));
  const seconds = isThere ? Number(fs.readFileSync(path.join(folder, 'built'), 'utf8')) : build(folder, projects, cli);
  fs.writeFileSync(path.join(folder, 'built'), String(seconds));
  const bytes = projects.reduce((sum, { name }) => sum + fs.statSync(indexOf(folder, name)).size, 0);
  const messages = home.sizes.reduce((sum, size) => sum + size, 0);
  const made = questions(projects, QUESTIONS);
  const { wall, busy } = await warm(folder, projects, made);
  const { ms, empty } = cold(folder, projects, made, cli);
  const aim = home.aim === undefined ? '' : `   (the aim is a median under ${home.aim} ms)`;
  console.log(`${messages} messages in ${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`);
  console.log(`  warm   median ${median(wall).toFixed(1)} ms, 95th percentile ${percentile(wall, 0.95).toFixed(1)} ms${aim}`);
  console.log(`         of which the processor ${median(busy).toFixed(1)} / ${percentile(busy, 0.95).toFixed(1)} ms`);
  for (const kind of KINDS) {
    const these = wall.filter((_, nth) => made[nth]?.kind === kind);
    console.log(`         ${kind.padEnd(10)} ${median(these).toFixed(1).padStart(6)} / ${percentile(these, 0.95).toFixed(1)} ms`);
  }
  console.log(`  cold   ${(ms / empty).toFixed(2)} x node -e 0   (${ms.toFixed(1)} ms against ${empty.toFixed(1)} ms, medians of ${COLD_RUNS})`);
  console.log(`  index  ${(bytes / 1e6).toFixed(0)} MB, imported in ${seconds.toFixed(1)} s (${(messages / seconds).toFixed(0)} messages/s)`);
}

async function main(): Promise<void> {
  const cli = path.resolve('dist/cli.js');
  const wanted = option('sizes')?.split(',') ?? (process.argv.includes('--million') ? HOMES.map(({ name }) => name) : ['1k', '10k', '100k']);
  const keepFolder = option('keep');
  console.log(
    `search on Node ${process.version}; --million adds a home of 1,000,000 messages, --sizes 1k,10k,100k,1m chooses, --keep DIR keeps and reuses the homes`,
  );
  for (const home of HOMES.filter(({ name }) => wanted.includes(name))) {
    const folder = keepFolder === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')) : path.resolve(keepFolder, home.name);
    fs.mkdirSync(folder, { recursive: true });
    try {
      await measure(home, folder, cli);
    } finally {
      if (keepFolder === undefined) fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

void main();
