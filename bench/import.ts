import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packLines } from '../src/adapters/episodes/archive.ts';
import { transcriptFiles } from '../src/adapters/episodes/lines.ts';
import { archiveLine } from '../src/app/episodes/archive-line.ts';
import { cleanMessage, READ_LIMITS } from '../src/capture/cleaning/clean.ts';
import { Exclusion } from '../src/capture/cleaning/exclude.ts';
import { readerFor } from '../src/capture/transcripts/detect.ts';
import type { Message } from '../src/core/episode/episode.ts';
import { TOO_LONG } from '../src/core/ports/episodes.ts';
import { episodeRows } from '../src/recall/chunks/message-rows.ts';
import { dataIn, median } from './measure.ts';

/**
 * How fast transcripts come in, archive and index included, against a process that only reads the same bytes and parses each line as JSON.
 * Both are whole processes, started in turn, so that a busy machine slows both.
 */
const RUNS = process.argv.includes('--quick') ? 3 : 9;
const ARCHIVE = path.join('coding-sessions-dev', 'transcripts.tar.xz');

const PARSE = `
  const fs = require('node:fs'), path = require('node:path');
  for (const name of fs.readdirSync(process.argv[1])) {
    for (const line of fs.readFileSync(path.join(process.argv[1], name), 'utf8').split('\\n')) {
      if (line !== '') try { JSON.parse(line); } catch { continue; }
    }
  }`;

/** The time of each phase by itself, in one warm thread: an import runs the first four in parallel with the last and the database. */
async function phases(transcripts: string): Promise<void> {
  const files = fs.readdirSync(transcripts).map((name) => path.join(transcripts, name));
  const spent = { 'read lines': 0, 'parse and group': 0, 'clean and redact': 0, 'pack for the archive': 0, 'terms for the index': 0 };
  const spend = <T>(phase: keyof typeof spent, work: () => T): T => {
    const started = performance.now();
    const done = work();
    spent[phase] += performance.now() - started;
    return done;
  };
  const nothing = new Exclusion([]);
  for (const [unit, file] of files.entries()) {
    const lines = spend('read lines', () => linesOf(file));
    const read = spend('parse and group', () => messagesOf(file, lines));
    const clean = spend('clean and redact', () => read.map((message) => cleanMessage(message, nothing)));
    const packing = performance.now();
    await packLines(clean.map(archiveLine));
    spent['pack for the archive'] += performance.now() - packing;
    spend('terms for the index', () => episodeRows(unit, clean));
  }
  console.log('  phases, each alone:');
  for (const [phase, ms] of Object.entries(spent)) console.log(`    ${phase.padEnd(28)} ${ms.toFixed(0).padStart(6)} ms`);
}

function linesOf(file: string): readonly string[] {
  const lines = transcriptFiles.open(file, 0);
  const all: string[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) if (line !== TOO_LONG) all.push(line);
  lines.close();
  return all;
}

function messagesOf(file: string, lines: readonly string[]): readonly Message[] {
  const reader = readerFor('claude-code', { path: file, limits: READ_LIMITS });
  const events = [...lines.flatMap((line) => reader.push(line)), ...reader.end()];
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []));
}

interface Imported {
  readonly messages: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly peak_mb: number;
  readonly unchanged: number;
}

const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
const CPU = 'processor time: ';
/** Required first by each timed process: at its end it prints the processor time of all threads. */
const TELLS_CPU = `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('${CPU}' + (user + system) / 1e3 + '\\n'); });`;

interface Timed {
  readonly ms: number;
  /** Milliseconds of processor time of all threads, which other load hardly changes. */
  readonly cpu: number;
  readonly out: string;
}

function timed(folder: string, args: readonly string[]): Timed {
  const first = path.join(folder, 'tells-cpu.cjs');
  fs.writeFileSync(first, `require('node:worker_threads').isMainThread && (() => { ${TELLS_CPU} })();`);
  const started = process.hrtime.bigint();
  const run = spawnSync(process.execPath, ['--require', first, ...args], { env, encoding: 'utf8', maxBuffer: 1 << 26 });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (run.status !== 0) throw new Error(`${args.slice(0, 3).join(' ')}: ${run.stderr}`);
  return { ms, cpu: Number(run.stderr.split(CPU)[1]), out: run.stdout };
}

function measure(folder: string, transcripts: string): void {
  const cli = path.resolve('dist/cli.js');
  const [imports, parses, peaks]: [Timed[], Timed[], number[]] = [[], [], []];
  let last: Imported | undefined;
  const home = path.join(folder, 'home');
  const importAll = (): { readonly took: Timed; readonly report: Imported } => {
    const took = timed(folder, [cli, 'import', '--home', home, transcripts, '--json']);
    return { took, report: JSON.parse(took.out) as Imported };
  };
  for (let run = 0; run < RUNS; run++) {
    fs.rmSync(home, { recursive: true, force: true });
    parses.push(timed(folder, ['-e', PARSE, transcripts]));
    const { took, report } = importAll();
    imports.push(took);
    peaks.push(report.peak_mb);
    last = report;
  }
  const again = importAll();
  const megabytes = (last?.bytes ?? 0) / 1e6;
  const rate = (ms: number): string => (megabytes / (ms / 1e3)).toFixed(0);
  console.log(`${megabytes.toFixed(1)} MB, ${last?.messages ?? 0} messages; medians of ${RUNS} whole processes on Node ${process.version}`);
  for (const [what, runs] of [
    ['reading and JSON.parse a line', parses],
    ['import, archived and indexed', imports],
  ] as const) {
    const [ms, cpu] = [median(runs.map((run) => run.ms)), median(runs.map((run) => run.cpu))];
    console.log(`  ${what.padEnd(30)} ${ms.toFixed(0).padStart(6)} ms  ${rate(ms).padStart(4)} MB/s  ${cpu.toFixed(0).padStart(6)} ms of processor time`);
  }
  const ratio = (of: (run: Timed) => number, pick: (values: readonly number[]) => number): string =>
    (pick(parses.map(of)) / pick(imports.map(of))).toFixed(2).padStart(6);
  console.log(`  ratio                          ${ratio(({ ms }) => ms, median)}      (the aim is 0.50)`);
  console.log(
    `  ratio, best of each            ${ratio(
      ({ ms }) => ms,
      (all) => Math.min(...all),
    )}`,
  );
  console.log(`  ratio of processor time        ${ratio(({ cpu }) => cpu, median)}      (import uses two threads)`);
  console.log(`  resident memory, at most       ${String(Math.max(...peaks)).padStart(6)} MB  (the bound is 300)`);
  console.log(`  the same again                 ${again.took.ms.toFixed(0).padStart(6)} ms  ${again.report.unchanged} files unchanged`);
}

async function main(): Promise<void> {
  const archive = path.join(dataIn(process.argv), ARCHIVE);
  if (!fs.existsSync(archive)) {
    console.log(`skipped: there is no ${archive}; name the folder that holds it with --data`);
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    spawnSync('tar', ['xJf', path.resolve(archive), '-C', folder], { stdio: 'inherit' });
    measure(folder, path.join(folder, 'transcripts'));
    await phases(path.join(folder, 'transcripts'));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void main();
