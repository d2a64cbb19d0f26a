import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openProject } from '../src/bin/compose/project.ts';
import { refresh } from '../src/app/index/refresh.ts';
import type { MemoryRecord } from '../src/core/record/schema.ts';
import { renderRecordFile } from '../src/render/record-file.ts';
import { median, rng } from './measure.ts';

/** Cold search: a new process that opens the index and answers one query, against a process that does nothing. */
const SIZES = process.argv.includes('--quick') ? [1_000] : [1_000, 10_000, 100_000];
const RUNS = 31;
const WORDS = 30_000;
/** Stop words, which no index keeps, take the first ranks of any language. */
const FIRST_RANK = 150;

const random = rng(7);
/** Words by Zipf's law: the commonest is in seven records of a hundred, most are rare. */
const word = (): string => spelled(Math.floor(FIRST_RANK * ((WORDS + FIRST_RANK) / FIRST_RANK) ** random()));
const spelled = (rank: number): string => `q${[...rank.toString(9)].map((digit) => 'bcdfghjkl'[Number(digit)]).join('')}a`;
const words = (n: number): string => Array.from({ length: n }, word).join(' ');

function record(n: number): MemoryRecord {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString().slice(0, 19);
  return {
    schema_version: '1.0',
    category: 'decision',
    id: `record-${n}`,
    title: words(6),
    record_status: 'active',
    created_at: `${at}Z`,
    updated_at: `${at}Z`,
    tags: [word(), word()],
    content: { status: 'accepted', context: words(20), decision: words(25), rationale: [words(10)] },
    changes: [{ date: `${at}Z`, summary: 'Initial creation' }],
    times_updated: 0,
    trust: 'confirmed',
  };
}

/** Eight words of one of the records, as somebody who looks for it would ask. */
function asked(size: number): string {
  const { title, content } = record(Math.floor(random() * size)) as { title: string; content: { decision: string } };
  return [...title.split(' ').slice(0, 3), ...content.decision.split(' ').slice(0, 5)].join(' ');
}

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
    const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
    const decisions = path.join(home, 'projects', 'project', 'decisions');
    fs.mkdirSync(project, { recursive: true });
    fs.mkdirSync(decisions, { recursive: true });
    for (let n = 0; n < size; n++) fs.writeFileSync(path.join(decisions, `record-${n}.md`), renderRecordFile('decisions/x.md', record(n)));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const opened = openProject({ home, cwd: project, now: Date.now });
    if (!opened.ok) throw new Error(opened.error.message);
    await refresh(opened.value.memory, 'everything');
    await opened.value.close();
    const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
    // A project that Holdfast has written to is a known one.
    timed([cli, 'save', 'preference', 'Known projects are found by their path', '--home', home, '--project', project], env);
    const search = (): number => timed([cli, 'search', asked(size), '--home', home, '--project', project, '--json'], env);
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
  console.log(`cold search on Node ${process.version}; the bar is 1.50 at 10,000 records`);
  for (const size of SIZES) await measure(size, cli);
}

void main();
