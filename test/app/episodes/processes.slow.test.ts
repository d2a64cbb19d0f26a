import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { called, answered, replied, said, text } from '../../capture/read/reading.ts';
import { PROGRAM, program, type Program } from '../../edges/cli/program.ts';
import { textsUnder } from './importing.ts';

const KILLS = 25;

/** Transcripts of some weight: sessions that overlap between files, long answers, many messages. */
function transcripts(folder: string, sessions: number, turns: number): ReadonlyMap<string, readonly string[]> {
  fs.mkdirSync(folder, { recursive: true });
  const expected = new Map<string, string[]>();
  for (let session = 0; session < sessions; session++) {
    const sessionId = `session-${session}`;
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

function start(cli: Program, inbox: string): { readonly ended: Promise<number | null>; kill(): void } {
  const child = spawn(process.execPath, [PROGRAM, 'import', '--home', cli.home, inbox, '--json'], { cwd: cli.project, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] ?? '' } });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 || code === null ? resolve(code) : reject(new Error(complaints))));
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}

function inspect(cli: Program, expected: ReadonlyMap<string, readonly string[]>): void {
  for (const [session, ids] of expected) {
    const { messages } = cli.ask('messages', '--session', session) as { messages: { message_id: string }[] };
    expect(messages.map(({ message_id: id }) => id).toSorted(), session).toEqual([...ids].toSorted());
  }
}

describe('imports', () => {
  it('two at once keep every message once', { timeout: 60_000 }, async () => {
    const cli = program();
    const inbox = path.join(cli.folder, 'inbox');
    const expected = transcripts(inbox, 24, 60);
    const codes = await Promise.all([start(cli, inbox).ended, start(cli, inbox).ended, start(cli, inbox).ended]);
    expect(codes).toEqual([0, 0, 0]);
    inspect(cli, expected);
    expect(cli.ask('import', inbox)).toMatchObject({ imported: 0, messages: 0 });
  });

  it(`one killed ${KILLS} times at random moments loses and doubles nothing`, { timeout: 240_000 }, async () => {
    const cli = program();
    const inbox = path.join(cli.folder, 'inbox');
    const expected = transcripts(inbox, 30, 120);
    let killed = 0;
    for (let run = 0; run < KILLS; run++) {
      const running = start(cli, inbox);
      const timer = setTimeout(() => running.kill(), 150 + Math.random() * 700);
      if ((await running.ended) === null) killed++;
      clearTimeout(timer);
      const file = path.join(inbox, `session-${run}.jsonl`);
      fs.appendFileSync(file, `${said(`late words ${run}`, { uuid: `late-${run}`, sessionId: `session-${run}`, timestamp: '2026-03-01T00:00:00.000Z' })}\n`);
      (expected.get(`session-${run}`) as string[]).push(`late-${run}`);
    }
    process.stdout.write(`import: ${killed} of ${KILLS} runs killed\n`);
    expect(cli.ask('import', inbox)).toMatchObject({ ok: true });
    inspect(cli, expected);
    expect(cli.ask('import', inbox)).toMatchObject({ imported: 0, messages: 0, repeated: 0 });
    const lines = textsUnder(path.join(cli.home, 'holdfast', 'projects')).split('\n').filter((line) => line.startsWith('{"id":'));
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
