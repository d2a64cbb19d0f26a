import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packLines } from '../src/adapters/episodes/archive.ts';
import { transcriptFiles } from '../src/adapters/episodes/lines.ts';
import { entryLine } from '../src/app/episodes/line.ts';
import { cleanMessage, READ_LIMITS } from '../src/capture/keep/clean.ts';
import { Exclusion } from '../src/capture/keep/exclude.ts';
import { readerFor } from '../src/capture/read/reader-for.ts';
import type { Message } from '../src/core/episode.ts';
import { TOO_LONG } from '../src/core/ports/episodes.ts';
import { episodeRows } from '../src/recall/rows/episode.ts';
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

/** What each phase takes alone, in one warm thread: an import runs the first four beside the last and the database. */
function phases(transcripts: string): void {
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
    spend('pack for the archive', () => packLines(clean.map(entryLine)));
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

function timed(args: readonly string[]): { readonly ms: number; readonly out: string } {
  const started = process.hrtime.bigint();
  const run = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 26 });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (run.status !== 0) throw new Error(`${args.slice(0, 3).join(' ')}: ${run.stderr}`);
  return { ms, out: run.stdout };
}

function measure(folder: string, transcripts: string): void {
  const cli = path.resolve('dist/cli.js');
  const [imports, parses, peaks]: [number[], number[], number[]] = [[], [], []];
  let last: Imported | undefined;
  const home = path.join(folder, 'home');
  const bringIn = (): { readonly ms: number; readonly said: Imported } => {
    const { ms, out } = timed([cli, 'import', '--home', home, transcripts, '--json']);
    return { ms, said: JSON.parse(out) as Imported };
  };
  for (let run = 0; run < RUNS; run++) {
    fs.rmSync(home, { recursive: true, force: true });
    parses.push(timed(['-e', PARSE, transcripts]).ms);
    const { ms, said } = bringIn();
    imports.push(ms);
    peaks.push(said.peak_mb);
    last = said;
  }
  const again = bringIn();
  const megabytes = (last?.bytes ?? 0) / 1e6;
  const [mine, plain] = [median(imports), median(parses)];
  const rate = (ms: number): string => (megabytes / (ms / 1e3)).toFixed(0);
  console.log(`${megabytes.toFixed(1)} MB, ${last?.messages ?? 0} messages; medians of ${RUNS} whole processes on Node ${process.version}`);
  console.log(`  reading and JSON.parse a line  ${plain.toFixed(0).padStart(6)} ms  ${rate(plain).padStart(4)} MB/s`);
  console.log(`  import, archived and indexed   ${mine.toFixed(0).padStart(6)} ms  ${rate(mine).padStart(4)} MB/s`);
  console.log(`  ratio                          ${(plain / mine).toFixed(2).padStart(6)}      (the aim is 0.50)`);
  console.log(
    `  best of each                   ${(Math.min(...parses) / Math.min(...imports)).toFixed(2).padStart(6)}      (${Math.min(...parses).toFixed(0)} and ${Math.min(...imports).toFixed(0)} ms)`,
  );
  console.log(`  resident memory, at most       ${String(Math.max(...peaks)).padStart(6)} MB  (the bound is 300)`);
  console.log(`  the same again                 ${again.ms.toFixed(0).padStart(6)} ms  ${again.said.unchanged} files unchanged`);
}

function main(): void {
  const archive = path.join(dataIn(process.argv), ARCHIVE);
  if (!fs.existsSync(archive)) {
    console.log(`skipped: there is no ${archive}; name the folder that holds it with --data`);
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    spawnSync('tar', ['xJf', path.resolve(archive), '-C', folder], { stdio: 'inherit' });
    measure(folder, path.join(folder, 'transcripts'));
    phases(path.join(folder, 'transcripts'));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
