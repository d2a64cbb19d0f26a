import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { projectHash } from '../../../src/bin/library.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, type Place, place, PLUGIN } from '../mcp/talk.ts';

const RECORD = 'Invoices are numbered';

function run(there: Place, script: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(PLUGIN, 'dist', script), ...args], {
    cwd: there.project,
    env: environment(there),
    input,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

function cli(there: Place, ...args: readonly string[]): string {
  const { code, out, err } = runProgram(args, { cwd: there.project, env: environment(there) });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}
const start = (there: Place, session: string, source = 'startup'): string =>
  contextIn(run(there, 'hook.js', ['SessionStart'], JSON.stringify({ session_id: session, source, cwd: there.project })));

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** A project with one record, where no server answers: every start is told at once. */
function project(): Place {
  const there = place();
  for (const name of ['objects', 'refs']) fs.mkdirSync(path.join(there.project, '.git', name), { recursive: true });
  write(path.join(there.project, '.git', 'HEAD'), 'ref: refs/heads/first\n');
  cli(there, 'save', 'decision', 'Invoices are numbered per country because the law asks for it');
  return there;
}

const recordOf = ({ privateRoot }: Place): string => {
  const folder = path.join(privateRoot, 'decisions');
  return path.join(folder, fs.readdirSync(folder).find((name) => name.includes('invoices')) ?? '');
};
const chatLine = (at: number): object => ({
  project: 'shop',
  session_id: 'harbour',
  message_id: `m${at}`,
  role: at % 2 === 0 ? 'user' : 'assistant',
  timestamp: `2026-01-01T10:0${at}:00Z`,
  text: `Dredge basin ${at}`,
});

/** A change between two sessions, and what the next start must then say. */
const CHANGES: readonly (readonly [string, (there: Place) => unknown, RegExp])[] = [
  ['a new record', (there) => cli(there, 'save', 'decision', 'Refunds are booked on the day they are asked for'), /Refunds/],
  [
    'a record edited by hand',
    (there) => fs.writeFileSync(recordOf(there), fs.readFileSync(recordOf(there), 'utf8').replaceAll('the law asks', 'the tax asks')),
    /the tax asks/,
  ],
  [
    'a conversation',
    (there) => {
      const file = path.join(there.home, 'chat.jsonl');
      fs.writeFileSync(file, Array.from({ length: 8 }, (_, at) => `${JSON.stringify(chatLine(at))}\n`).join(''));
      cli(there, 'import', file, '--format', 'chat');
    },
    /Dredge basin 0/,
  ],
  ['MEMORY.md', ({ privateRoot }) => write(path.join(privateRoot, 'memory', 'MEMORY.md'), '- The ledger is frozen on Fridays\n'), /frozen on Fridays/],
  [
    'MEMORY.md under the hash of the project',
    ({ home, project: folder, privateRoot }) => {
      fs.rmSync(path.join(privateRoot, 'memory'), { recursive: true });
      write(path.join(home, 'projects', projectHash(fs.realpathSync(folder)), 'memory', 'MEMORY.md'), '- The ledger is open on Sundays\n');
    },
    /open on Sundays/,
  ],
  ['the map of projects', ({ home }) => write(path.join(home, 'workspace.md'), '## Relationships\n\n| shop | depends-on | billing |\n'), /depends-on/],
  ['the task at hand', ({ privateRoot }) => write(path.join(privateRoot, 'context', 'current-task.md'), '# Task\n\nPaint the shed\n'), /Paint the shed/],
  ['another branch', ({ project: folder }) => write(path.join(folder, '.git', 'HEAD'), 'ref: refs/heads/second\n'), /branch="second"/],
];

test('a start says what has changed since the last one, whatever changed it', () => {
  const there = project();
  expect(start(there, 'first')).toContain(RECORD);
  for (const [name, change, says] of CHANGES) {
    change(there);
    expect(start(there, `after ${name}`), name).toMatch(says);
  }
  fs.rmSync(recordOf(there));
  expect(start(there, 'removed')).not.toContain(RECORD);
});

test.each([
  ['the switch', ({ privateRoot }: Place) => write(path.join(privateRoot, 'memory-config.json'), '{"on": false}')],
  ["the user's settings", ({ home }: Place) => write(path.join(home, 'settings.json'), '{"memory": {"autoLoad": false}}')],
])('%s says no: a start says nothing', (_name, change) => {
  const there = project();
  change(there);
  expect(start(there, 'off')).toBe('');
});

test('what a start said is in the log, once', () => {
  const there = project();
  for (const source of ['startup', 'clear', 'fork']) start(there, `s-${source}`, source);
  const log = new SqliteInjectionLog(path.join(there.home, 'holdfast', 'projects', 'shop', 'injections.db'));
  const events = ['startup', 'clear', 'fork'].map((source) => log.injections(`s-${source}`, 5).map(({ event }) => event));
  expect(events).toEqual([['startup'], ['clear'], ['startup']]);
  expect(log.injections('s-startup', 5)[0]?.items).toEqual([expect.objectContaining({ title: expect.stringContaining(RECORD) })]);
  expect(log.spent('s-startup')).toBeGreaterThan(0);
  log.close();
  expect(fs.existsSync(path.join(there.home, 'holdfast', 'hooks', 'claude-code.SessionStart.seen'))).toBe(true);
});
