import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { openProject } from '../../../src/bin/compose/project.ts';
import { projectHash } from '../../../src/bin/library/paths.ts';
import { contextIn, environment, type Place, place, PLUGIN } from '../mcp/talk.ts';

const DIST = path.join(PLUGIN, 'dist');
/** As long as the ids that the client gives. */
const s = (n: number): string => `61111111-2222-4333-8444-55555555555${n}`;
/** Put into what was made ahead, to tell it from what is made anew. */
const [HEAD, AHEAD] = ['What is remembered', 'What was made ahead'];
const RECORD = 'decision/invoices-are-numbered';

const cli = (there: Place, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(DIST, 'cli.js'), ...args], {
    cwd: there.project,
    env: environment(there),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};

const hook = (there: Place, event: string, input: object): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(DIST, 'hook.js'), event], {
    env: environment(there),
    input: JSON.stringify({ cwd: there.project, ...input }),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

const start = (there: Place, session: string, source = 'startup'): string => hook(there, 'SessionStart', { session_id: session, source });
/** What follows every session, and every start where there is a server. */
const finish = async (there: Place, ...session: readonly string[]): Promise<void> => {
  const child = spawn(process.execPath, [path.join(DIST, 'finish.js'), there.home, there.project, ...session], { env: environment(there), stdio: 'inherit' });
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
};
const stateOf = ({ home }: Place): string => path.join(home, 'holdfast', 'projects', 'shop');
const aheadIn = ({ home }: Place): string => {
  const folder = path.join(home, 'holdfast', 'ahead');
  return path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.json')) ?? '');
};

/** What a start has said lies beside the log until somebody looks. */
const unread = (there: Place): number => fs.readdirSync(path.join(stateOf(there), 'injections.pending')).length;

/** A project with one record whose brief has been made ahead, as the answer to the first session after that shows. */
async function made(): Promise<Place> {
  const there = place();
  for (const name of ['objects', 'refs']) fs.mkdirSync(path.join(there.project, '.git', name), { recursive: true });
  fs.writeFileSync(path.join(there.project, '.git', 'HEAD'), 'ref: refs/heads/first\n');
  fs.writeFileSync(path.join(there.project, 'bill.ts'), 'export {};\n');
  cli(there, 'save', 'decision', 'Invoices are numbered per country because the law asks for it', '--file', 'bill.ts');
  const whole = start(there, s(0));
  expect(contextIn(whole)).toContain(RECORD);
  await finish(there);
  const kept = fs.readFileSync(aheadIn(there), 'utf8');
  fs.writeFileSync(aheadIn(there), kept.replace(HEAD, AHEAD));
  expect(start(there, s(1))).toBe(whole.replaceAll(s(0), s(1)).replace(HEAD, AHEAD));
  return there;
}

test('what a brief made ahead said is in the log, once', async () => {
  const there = await made();
  start(there, s(2), 'clear');
  expect(start(there, s(3), 'fork')).toContain(AHEAD);
  expect(unread(there)).toBe(3);
  const log = new SqliteInjectionLog(path.join(stateOf(there), 'injections.db'));
  for (let look = 0; look < 2; look++)
    expect(log.injections(s(1), 5)).toEqual([
      expect.objectContaining({ event: 'startup', items: [expect.objectContaining({ id: expect.stringContaining(RECORD) })] }),
    ]);
  expect(log.injections(s(2), 5)).toEqual([expect.objectContaining({ event: 'clear' })]);
  expect(log.injections(s(3), 5)).toEqual([expect.objectContaining({ event: 'startup' })]);
  expect(log.spent(s(1))).toBeGreaterThan(0);
  log.close();
  expect(unread(there)).toBe(0);
  expect(fs.existsSync(path.join(there.home, 'holdfast', 'hooks', 'claude-code.SessionStart.seen'))).toBe(true);
});

const recordOf = ({ privateRoot }: Place): string => {
  const folder = path.join(privateRoot, 'decisions');
  return path.join(folder, fs.readdirSync(folder)[0] ?? '');
};

const CHANGES: readonly (readonly [string, (there: Place) => unknown, (context: string) => void])[] = [
  ['a new record', (there) => cli(there, 'save', 'decision', 'Refunds are booked on the day they are asked for'), (said) => expect(said).toContain('Refunds')],
  [
    'a record edited by hand',
    (there) => fs.writeFileSync(recordOf(there), fs.readFileSync(recordOf(there), 'utf8').replaceAll('the law asks', 'the tax asks')),
    (said) => expect(said).toContain('the tax asks'),
  ],
  [
    'a record edited by hand whose time was put back',
    (there) => {
      const { atime, mtime } = fs.statSync(recordOf(there));
      fs.writeFileSync(recordOf(there), fs.readFileSync(recordOf(there), 'utf8').replaceAll('the law asks', 'nobody asks '));
      fs.utimesSync(recordOf(there), atime, mtime);
    },
    () => {},
  ],
  [
    'a conversation that was taken in',
    (there) => {
      const file = path.join(there.home, 'chat.jsonl');
      const lines = Array.from({ length: 8 }, (_, at) => ({
        project: 'shop',
        session_id: 'harbour',
        message_id: `m${at}`,
        role: at % 2 === 0 ? 'user' : 'assistant',
        timestamp: `2026-01-01T10:0${at}:00Z`,
        text: `Dredge basin ${at}`,
      }));
      fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      cli(there, 'import', file, '--format', 'chat');
    },
    (said) => expect(said).toContain('Dredge basin 0'),
  ],
  ['a record removed by hand', (there) => fs.rmSync(recordOf(there)), (said) => expect(said).not.toContain(RECORD)],
  [
    'MEMORY.md',
    ({ privateRoot }) => {
      fs.mkdirSync(path.join(privateRoot, 'memory'), { recursive: true });
      fs.writeFileSync(path.join(privateRoot, 'memory', 'MEMORY.md'), '- The ledger is frozen on Fridays\n');
    },
    (said) => expect(said).toContain('frozen on Fridays'),
  ],
  [
    'MEMORY.md under the hash of the project',
    ({ home, project }) => {
      const folder = path.join(home, 'projects', projectHash(fs.realpathSync(project)), 'memory');
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'MEMORY.md'), '- The ledger is open on Sundays\n');
    },
    (said) => expect(said).toContain('open on Sundays'),
  ],
  [
    'the map of projects',
    ({ home }) => fs.writeFileSync(path.join(home, 'workspace.md'), '## Relationships\n\n| shop | depends-on | billing |\n'),
    (said) => expect(said).toContain('depends-on'),
  ],
  [
    'the task at hand',
    ({ privateRoot }) => {
      fs.mkdirSync(path.join(privateRoot, 'context'), { recursive: true });
      fs.writeFileSync(path.join(privateRoot, 'context', 'current-task.md'), '# Task\n\nPaint the shed\n');
    },
    (said) => expect(said).toContain('Paint the shed'),
  ],
  [
    'another branch',
    ({ project }) => fs.writeFileSync(path.join(project, '.git', 'HEAD'), 'ref: refs/heads/second\n'),
    (said) => expect(said).toContain('branch="second"'),
  ],
  ['a related file', ({ project }) => fs.writeFileSync(path.join(project, 'bill.ts'), 'export const bill = 1;\n'), (said) => expect(said).toContain('bill.ts')],
  ['feedback', (there) => cli(there, 'feedback', `${RECORD}-per-country-because-the-law-asks-for-it`, 'useful'), () => {}],
  ['the switch', ({ privateRoot }) => fs.writeFileSync(path.join(privateRoot, 'memory-config.json'), '{"on": false}'), (said) => expect(said).toBe('')],
  ["the user's settings", ({ home }) => fs.writeFileSync(path.join(home, 'settings.json'), '{"memory": {"autoLoad": false}}'), (said) => expect(said).toBe('')],
  [
    'the settings that a repository shares',
    ({ project }) => {
      fs.mkdirSync(path.join(project, '.claude', 'memory'), { recursive: true });
      fs.writeFileSync(path.join(project, '.claude', 'memory', 'memory-config.json'), '{}');
    },
    () => {},
  ],
  [
    'the day',
    (there) => fs.writeFileSync(aheadIn(there), fs.readFileSync(aheadIn(there), 'utf8').replace(/"until":\d+/, `"until":${Date.now() - 1}`)),
    () => {},
  ],
  ['the file it is kept in', (there) => fs.writeFileSync(aheadIn(there), '{"place": [], "broken'), (said) => expect(said).toContain(RECORD)],
];

test.concurrent.each(CHANGES)('%s has changed: the brief is made anew', async (_name, change, check) => {
  const there = await made();
  change(there);
  const said = start(there, s(2));
  expect(said).not.toContain(AHEAD);
  check(said === '' ? '' : contextIn(said));
});

test('a session that resumes, or whose id leaves no room, is told by the whole program', async () => {
  const there = await made();
  for (const [session, source] of [
    [s(5), 'resume'],
    ['a-longer-id', 'startup'],
    ['s"5', 'startup'],
  ] as const) {
    const said = contextIn(start(there, session, source));
    expect(said).toContain(RECORD);
    expect(said).not.toContain(AHEAD);
  }
});

test('the end of a session is finished by another process, without a look at the memory', async () => {
  const there = await made();
  const finished = path.join(there.home, 'holdfast', 'hooks', 'claude-code.finish.seen');
  expect(hook(there, 'SessionEnd', { session_id: s(1), reason: 'other' })).toBe('');
  await vi.waitFor(() => expect(fs.existsSync(finished)).toBe(true), { timeout: 15_000, interval: 100 });
});

test('where memory was switched off nothing stays that was made ahead', async () => {
  const there = await made();
  const kept = aheadIn(there);
  fs.writeFileSync(path.join(there.privateRoot, 'memory-config.json'), '{"on": false}');
  expect(start(there, s(2))).toBe('');
  expect(fs.existsSync(kept)).toBe(false);
});

test('what is forgotten for good is not kept for the next session either', async () => {
  const there = await made();
  const opened = openProject({ home: there.home, cwd: there.project, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.memory.store.forget([]);
  await opened.value.close();
  expect(fs.existsSync(path.join(there.home, 'holdfast', 'ahead'))).toBe(false);
  expect(contextIn(start(there, s(2)))).toContain(RECORD);
});
