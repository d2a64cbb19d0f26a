import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProblems } from '../../src/app/read/doctor.ts';
import { show } from '../../src/app/read/show.ts';
import { createRecord } from '../../src/app/write/create.ts';
import { openProject } from '../open.ts';
import { filesUnder, scratch } from '../scratch.ts';
import { bundleProgram } from './program.ts';
import { rounds } from '../rounds.ts';

const RUNS = rounds(50, 500);
/** Runs that share a memory, so that each crash meets what earlier ones left. */
const PER_MEMORY = 25;
/** The writer is killed within the write after one of its first lines: which line, and when in that write, is random. */
const LINES = 7;
const SHORTEST_MS = 5;

let writer = '';
beforeAll(async () => {
  writer = await bundleProgram('writer');
});
afterAll(() => fs.rmSync(writer, { force: true }));

interface Acknowledged {
  readonly path: string;
  readonly updates: number;
  readonly status?: string;
}

/** Starts a writer, kills it at a random moment of its work, and returns what it had acknowledged. */
function crash(home: string, project: string, name: string): Promise<readonly Acknowledged[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, home, project, name, '1000', 'mixed'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [said, complaints, lines, last] = ['', '', 0, Date.now()];
    const fatal = 1 + Math.floor(Math.random() * LINES);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [before, lasted] = [lines, Date.now() - last];
      lines = said.split('\n').length - 1;
      last = Date.now();
      const inOneWrite = before === 0 ? SHORTEST_MS : Math.max(SHORTEST_MS, lasted);
      if (before < fatal && lines >= fatal) setTimeout(() => child.kill('SIGKILL'), Math.random() * inOneWrite);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', () => {
      if (complaints !== '') reject(new Error(complaints));
      else
        resolve(
          said
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Acknowledged)
            .filter((line) => 'path' in line),
        );
    });
  });
}

describe('a writer killed at a random moment', () => {
  it(`loses nothing it acknowledged in ${RUNS} runs and leaves nothing half-written`, { timeout: 1_200_000 }, async () => {
    let [acknowledged, adopted] = [0, 0];
    for (let first = 0; first < RUNS; first += PER_MEMORY) {
      const folder = scratch();
      const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
      fs.mkdirSync(project);
      fs.mkdirSync(path.join(home, 'projects', 'project'), { recursive: true });
      fs.writeFileSync(path.join(home, 'projects', 'project', 'memory-config.json'), '{"max_memories_per_category": 100000}');
      for (let run = first; run < Math.min(RUNS, first + PER_MEMORY); run++) {
        const told = await crash(home, project, `r${run}`);
        acknowledged += told.length;
        adopted += await inspect(home, project, told, run);
      }
    }
    process.stdout.write(
      `crash: ${RUNS} runs killed, ${acknowledged} acknowledged writes all there, ${adopted} files adopted that were on disk but not yet acknowledged\n`,
    );
    expect(acknowledged).toBeGreaterThan(RUNS);
  });
});

/** The next command, whatever it is, finds everything in order. */
async function inspect(home: string, project: string, told: readonly Acknowledged[], run: number): Promise<number> {
  const opened = openProject({ home, cwd: project, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const { memory } = opened.value;
  try {
    const problems = (await findProblems(memory)).filter(({ level }) => level === 'problem');
    expect(problems).toEqual([]);
    for (const { path: file, updates, status } of told) {
      const shown = await show(memory, file);
      if (!shown.ok) throw new Error(`run ${run}: ${file} was acknowledged and is gone: ${shown.error.message}`);
      const record = shown.value.record!;
      expect(record.times_updated).toBeGreaterThanOrEqual(updates);
      if (status) expect(record.record_status).toBe(status);
    }
    const left = Object.keys(filesUnder(path.join(home, 'projects'))).filter((file) => file.endsWith('.tmp'));
    expect(left).toEqual([]);
    const more = await createRecord(memory, {
      category: 'preference',
      draft: { title: `After ${run}`, tags: [], content: { topic: 't', value: 'v', reason: 'r', strength: 'soft' } },
      root: 'private',
      actor: 'test',
    });
    expect(more.ok).toBe(true);
    const entries = await memory.store.journal.entries();
    const seqs = entries.map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    return entries.filter(({ op }) => op === 'adopt').length;
  } finally {
    await opened.value.close();
  }
}
