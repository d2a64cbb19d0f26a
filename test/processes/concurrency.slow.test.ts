import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProblems } from '../../src/app/read/doctor.ts';
import { rebuild } from '../../src/app/read/rebuild.ts';
import { openProject } from '../open.ts';
import { filesUnder, scratch } from '../scratch.ts';
import { bundleProgram } from './program.ts';
import { rounds } from '../rounds.ts';

const PROCESSES = 16;
const RECORDS = rounds(25, 200);

let writer = '';
beforeAll(async () => {
  writer = await bundleProgram('writer');
});
afterAll(() => fs.rmSync(writer, { force: true }));

function write(home: string, project: string, name: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, home, project, name, String(RECORDS)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [said, complaints] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 && complaints === ''
        ? resolve(
            said
              .split('\n')
              .filter((line) => line.includes('"path"'))
              .map((line) => (JSON.parse(line) as { path: string }).path),
          )
        : reject(new Error(complaints)),
    );
  });
}

const VIEWS = ['_index.md', '_index-archive.md', 'index.md'];

it(
  `${PROCESSES} processes that write ${RECORDS} records each into one project lose nothing, double nothing and leave the views true`,
  { timeout: 1_200_000 },
  async () => {
    const folder = scratch();
    const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
    const root = path.join(home, 'projects', 'project');
    fs.mkdirSync(project);
    fs.mkdirSync(root, { recursive: true });
    fs.writeFileSync(path.join(root, 'memory-config.json'), '{"max_memories_per_category": 100000}');
    const paths = (await Promise.all(Array.from({ length: PROCESSES }, (_, n) => write(home, project, `p${n}`)))).flat();

    const opened = openProject({ home, cwd: project, now: Date.now });
    if (!opened.ok) throw new Error(opened.error.message);
    const { memory, close } = opened.value;
    const total = PROCESSES * RECORDS;
    expect(new Set(paths).size).toBe(total);
    expect(fs.readdirSync(path.join(root, 'decisions'))).toHaveLength(total);
    expect(memory.index.count({ kind: 'record' })).toBe(total);
    expect(new Set(memory.index.items({ kind: 'record' }).map(({ id }) => id)).size).toBe(total);
    expect((await memory.store.journal.entries()).map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, n) => n + 1));
    expect((await findProblems(memory)).filter(({ level }) => level === 'problem')).toEqual([]);

    const before = filesUnder(root);
    for (const view of VIEWS) fs.rmSync(path.join(root, view));
    await rebuild(memory, 'test');
    const after = filesUnder(root);
    for (const view of VIEWS) expect(after[view]).toBe(before[view]);
    await close();
    process.stdout.write(`concurrency: ${PROCESSES} processes x ${RECORDS} records = ${total} writes, ${total} files, ${total} journal entries, views true\n`);
  },
);
