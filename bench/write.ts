import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeRecords } from '../test/processes/write-records.ts';

/** Records a second through the whole writer, fsync included, with one, four and sixteen processes on one project. */
const EACH: Readonly<Record<number, number>> = { 1: 400, 4: 150, 16: 50 };

function writer(home: string, project: string, name: string, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1] as string, 'worker', home, project, name, String(count)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`writer ${name} ended with ${code}`))));
  });
}

/** The same with so many records there before. */
const MANY = 4_000;

async function measure(processes: number, before = 0): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
    fs.mkdirSync(project);
    fs.mkdirSync(path.join(home, 'projects', 'project'), { recursive: true });
    fs.writeFileSync(path.join(home, 'projects', 'project', 'memory-config.json'), '{"max_memories_per_category": 1000000}');
    const count = EACH[processes] ?? 50;
    if (before > 0) await writer(home, project, 'before', before);
    const started = process.hrtime.bigint();
    await Promise.all(Array.from({ length: processes }, (_, n) => writer(home, project, `p${n}`, count)));
    return (processes * count) / (Number(process.hrtime.bigint() - started) / 1e9);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The speed of the disk alone: one file made durable as the writer does it, without lock, journal, index and views. */
function bareFsync(): number {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  const started = process.hrtime.bigint();
  const count = 200;
  for (let n = 0; n < count; n++) {
    const handle = fs.openSync(path.join(folder, `${n}`), 'w');
    fs.writeSync(handle, 'x'.repeat(1_000));
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  }
  const rate = count / (Number(process.hrtime.bigint() - started) / 1e9);
  fs.rmSync(folder, { recursive: true, force: true });
  return rate;
}

async function main(): Promise<void> {
  const bare = bareFsync();
  console.log(`one fsynced file after the other: ${bare.toFixed(0)} a second on this disk`);
  for (const processes of [1, 4, 16]) {
    const rate = await measure(processes);
    console.log(
      `${String(processes).padStart(3)} process${processes === 1 ? '  ' : 'es'}: ${rate.toFixed(0)} records a second with fsync (${(rate / bare).toFixed(2)} of that, start-up included)`,
    );
  }
  console.log(`  1 process  : ${(await measure(1, MANY)).toFixed(0)} where ${MANY} records were there before`);
}

void (process.argv[2] === 'worker' ? writeRecords(process.argv.slice(3)) : main());
