import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from './measure.ts';
import { layOutProject, queryForRecord } from './records/made-up.ts';

/** Cold search: a new process that opens the index and answers one query, against a process that does nothing. */
const SIZES = process.argv.includes('--quick') ? [1_000] : [1_000, 10_000, 100_000];
const RUNS = 31;
function timed(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const started = process.hrtime.bigint();
  const run = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return ms;
}

async function measure(size: number, cli: string): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const { home, project } = await layOutProject(folder, size);
    const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
    // A project that Holdfast has written to is a known one.
    timed([cli, 'save', 'preference', 'Known projects are found by their path', '--home', home, '--project', project], env);
    const search = (): number => timed([cli, 'search', queryForRecord(size), '--home', home, '--project', project, '--json'], env);
    const empty = (): number => timed(['-e', '0'], env);
    search();
    const [searches, empties]: [number[], number[]] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      searches.push(search());
      empties.push(empty());
    }
    const [a, b] = [median(searches), median(empties)];
    console.log(`${String(size).padStart(8)} records: ${(a / b).toFixed(2)} x node -e 0   (${a.toFixed(1)} ms against ${b.toFixed(1)} ms, medians of ${RUNS})`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const cli = path.resolve('dist/cli.js');
  console.log(`cold search on Node ${process.version}; the bar is 2.00 at 10,000 records`);
  for (const size of SIZES) await measure(size, cli);
}

void main();
