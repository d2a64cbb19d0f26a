import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleOptions, root } from '../../../scripts/bundle.js';
import { called, answered, replied, said, text } from '../../capture/transcripts/reading.ts';
import { PROGRAM, program, type Program } from '../../edges/cli/program.ts';
import { readSessions, textsUnder } from './importing.ts';
import { rounds } from '../../rounds.ts';

const KILLS = rounds(10, 50);
const LONGEST_MS = 250;

let importer = '';
beforeAll(async () => {
  importer = path.join(root, 'node_modules', '.cache', 'holdfast', `importer-${process.pid}.cjs`);
  await build({ ...bundleOptions, entryPoints: [path.join(import.meta.dirname, 'importer.ts')], outfile: importer });
});
afterAll(() => fs.rmSync(importer, { force: true }));

/** Transcripts of some weight: sessions that overlap between files, long answers, many messages. */
function transcripts(folder: string, sessions: number, turns: number, prefix = 'session'): ReadonlyMap<string, string[]> {
  fs.mkdirSync(folder, { recursive: true });
  const expected = new Map<string, string[]>();
  for (let session = 0; session < sessions; session++) {
    const sessionId = `${prefix}-${session}`;
    const ids: string[] = [];
    const lines = Array.from({ length: turns }, (_, turn) => {
      const id = `${sessionId}-${turn}`;
      const at = { sessionId, timestamp: new Date(Date.UTC(2026, 0, 1, session, 0, turn)).toISOString() };
      ids.push(`${id}-u`, `${id}-a`, `${id}-t`);
      return [
        said(`prompt ${turn} about the migration of table ${turn % 17}`, { uuid: `${id}-u`, ...at }),
        replied(`api-${id}`, [text(`I run it for ${turn}`), called(`call-${id}`, 'Bash', { command: `migrate ${turn}` })], { uuid: `${id}-a`, ...at }),
        JSON.stringify({ ...(JSON.parse(answered(`call-${id}`, `done ${turn} ${'row '.repeat(200)}`)) as object), uuid: `${id}-t`, ...at }),
      ].join('\n');
    });
    expected.set(sessionId, ids);
    fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), `${lines.join('\n')}\n`);
    // A resumed session repeats what it continues.
    if (session % 3 === 0) fs.writeFileSync(path.join(folder, `again-${sessionId}.jsonl`), `${lines.slice(0, turns / 2).join('\n')}\n`);
  }
  return expected;
}

function start(cli: Program, inbox: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'import', '--home', cli.home, inbox, '--json'], {
      cwd: cli.project,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => (complaints === '' ? resolve(code) : reject(new Error(complaints))));
  });
}

/** Starts an import in small steps, kills it at a random moment of its work; true when it was killed before its end. */
function killed(home: string, inbox: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [importer, home, inbox], { stdio: ['ignore', 'pipe', 'pipe'] });
    let complaints = '';
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_MS));
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => (complaints === '' ? resolve(code === null) : reject(new Error(complaints))));
  });
}

async function inspect(home: string, expected: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const sessions = await readSessions(home, [...expected.keys()]);
  for (const [session, ids] of expected) expect((sessions.get(session) ?? []).map(({ id }) => id).toSorted(), session).toEqual([...ids].toSorted());
}

describe('imports', () => {
  it('three at once keep every message once', async () => {
    const cli = program();
    const inbox = path.join(cli.folder, 'inbox');
    const expected = transcripts(inbox, 24, 60);
    const codes = await Promise.all([start(cli, inbox), start(cli, inbox), start(cli, inbox)]);
    expect(codes).toEqual([0, 0, 0]);
    await inspect(cli.home, expected);
    expect(cli.ask('import', inbox)).toMatchObject({ imported: 0, messages: 0 });
  });

  it(`killed ${KILLS} times at random moments lose and double nothing`, { timeout: 600_000 }, async () => {
    const cli = program();
    const inbox = path.join(cli.folder, 'inbox');
    const expected = new Map<string, string[]>();
    let count = 0;
    for (let run = 0; run < KILLS; run++) {
      for (const [session, ids] of transcripts(inbox, 4, 30, `run-${run}`)) expected.set(session, ids);
      for (const [session, ids] of [...expected].filter((_, nth) => nth % 3 === run % 3)) {
        const late = { uuid: `late-${run}-${session}`, sessionId: session, timestamp: new Date(Date.UTC(2026, 2, 1, 0, run)).toISOString() };
        fs.appendFileSync(path.join(inbox, `${session}.jsonl`), `${said(`late words ${run}`, late)}\n`);
        ids.push(late.uuid);
      }
      if (await killed(cli.home, inbox)) count++;
    }
    process.stdout.write(`import: ${count} of ${KILLS} runs killed before their end\n`);
    expect(cli.ask('import', inbox)).toMatchObject({ ok: true });
    await inspect(cli.home, expected);
    expect(cli.ask('import', inbox)).toMatchObject({ imported: 0, messages: 0, repeated: 0 });
    const lines = textsUnder(path.join(cli.home, 'holdfast', 'projects'))
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes('"role":'));
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids.length).toBe([...expected.values()].flat().length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
