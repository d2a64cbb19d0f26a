import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { lastingProgram, PROGRAM, program, type Program } from '../../program.ts';

const HAS_SCRIPT = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux');

interface Waiting {
  readonly title: string;
  readonly day: string;
  readonly trust?: string;
  readonly origin?: object;
  readonly category?: string;
}

const contentOf = (category: string, title: string): object =>
  category === 'constraint'
    ? { kind: 'technical', rule: `${title} always.`, impact: ['less work'], severity: 'high', active: true }
    : { status: 'accepted', context: 'Shipping.', decision: `${title} for parcels.`, rationale: [`${title}: it is cheap`] };

/** Keeps a record as capture does. */
function capture(cli: Program, { title, day, trust = 'observed', origin, category = 'decision' }: Waiting): string {
  const draft = {
    title,
    tags: ['shipping'],
    trust,
    created_at: `${day}T09:30:00Z`,
    origin: { channel: 'capture', client: 'claude-code', session_id: 's-1', message_ids: ['m-1'], verified: 'rules', rules: 'v2', ...origin },
    content: contentOf(category, title),
  };
  const file = path.join(cli.folder, `${title}.json`);
  fs.writeFileSync(file, JSON.stringify(draft));
  return String(cli.ask('save', category, '--input', file, '--trust', 'observed')['id']);
}

function conversation(cli: Program): void {
  const lines = [
    { role: 'user', message_id: 'm-1', text: 'Good morning.\nUse DHL for parcels from now on, it is cheap.\nThanks!' },
    { role: 'assistant', message_id: 'm-2', text: 'Fine.' },
  ].map((line) => JSON.stringify({ project: 'webshop', session_id: 's-1', timestamp: '2026-02-03T09:30:00Z', ...line }));
  const file = path.join(cli.folder, 'chat.jsonl');
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  cli.ask('import', file, '--format', 'chat');
}

const names = (cli: Program, ...more: string[]): unknown => (cli.ask('inbox', ...more)['items'] as readonly { id: string }[]).map(({ id }) => id);
const trustOf = (cli: Program, id: string): unknown => (cli.ask('show', id)['record'] as { trust?: string; record_status?: string }).trust;
const statusOf = (cli: Program, id: string): unknown => (cli.ask('show', id)['record'] as { record_status?: string }).record_status;

test('what was kept unasked waits, newest event first, with the line it came from; what was asked for does not', () => {
  const cli = program();
  conversation(cli);
  capture(cli, { title: 'Use DHL', day: '2026-02-03' });
  capture(cli, { title: 'Use UPS', day: '2026-04-01' });
  cli.ask('save', 'decision', 'Ship on Mondays because the warehouse is closed on Sundays');
  capture(cli, { title: 'Ship on time', day: '2026-01-01', origin: { channel: 'agent', asked: 'remember that we ship on time' } });
  const answer = cli.ask('inbox');
  expect(answer).toMatchObject({ ok: true, waiting: 2, old: 0 });
  expect(answer['items']).toMatchObject([
    { id: 'decision/use-ups', trust: 'observed', created_at: '2026-04-01T09:30:00Z' },
    {
      id: 'decision/use-dhl',
      short_id: expect.stringMatching(/^d\d..$/),
      session_id: 's-1',
      source: [{ message_id: 'm-1', role: 'user', timestamp: '2026-02-03T09:30:00Z', text: 'Use DHL for parcels from now on, it is cheap.' }],
    },
  ]);
  expect(cli.ask('status')).toMatchObject({ inbox: 2 });
  expect(cli.run('status').out).toMatch(/inbox +2 waiting/);
  const { out } = cli.runIn({ env: { TZ: 'America/New_York' } }, 'inbox');
  expect(out).toContain('2026-02-03 04:30');
  expect(out).toMatch(/^d\S+ {2}decision {2}Use UPS .*\(unconfirmed\)$/m);
  expect(out).toContain('> user 2026-02-03 04:30: Use DHL for parcels from now on, it is cheap.');
});

test('accepting confirms, rejecting retires, each in one action that undo takes back', () => {
  const cli = program();
  const ids = ['Use DHL', 'Use UPS', 'Use GLS'].map((title) => capture(cli, { title, day: '2026-02-03' }));
  expect(ids).toHaveLength(3);
  expect(cli.ask('inbox', 'accept', 'use-dhl', 'use-ups')).toMatchObject({ ok: true, records: [{ status: 'confirmed' }, { status: 'confirmed' }] });
  expect([trustOf(cli, 'use-dhl'), trustOf(cli, 'use-ups')]).toEqual(['confirmed', 'confirmed']);
  expect(names(cli)).toEqual(['decision/use-gls']);
  cli.ask('undo');
  expect(names(cli)).toHaveLength(3);
  expect(cli.ask('inbox', '--reject', 'use-dhl', '--reject', 'use-ups')).toMatchObject({ records: [{ status: 'retired' }, { status: 'retired' }] });
  expect(statusOf(cli, 'use-dhl')).toBe('retired');
  cli.ask('undo');
  expect(statusOf(cli, 'use-dhl')).toBe('active');
  cli.ask('inbox', 'reject', '--all');
  expect(names(cli)).toEqual([]);
  expect(cli.run('inbox')).toMatchObject({ code: 0, out: 'Nothing waits for review.\n' });
  cli.ask('undo');
  expect(names(cli)).toHaveLength(3);
});

test('editing corrects and confirms in one action; merging joins two and loses no sentence', () => {
  const cli = program();
  capture(cli, { title: 'Use DHL', day: '2026-02-03' });
  capture(cli, { title: 'Prefer DHL abroad', day: '2026-02-04' });
  const text = cli.run('show', 'use-dhl').out.replace('Use DHL for parcels.', 'Use DHL for letters.');
  expect(cli.askIn({ input: text }, 'inbox', 'edit', 'use-dhl', '--input', '-')).toMatchObject({ records: [{ status: 'confirmed' }] });
  expect(cli.ask('show', 'use-dhl')['record']).toMatchObject({ trust: 'confirmed', content: { decision: 'Use DHL for letters.' } });
  cli.ask('undo');
  expect(cli.ask('show', 'use-dhl')['record']).toMatchObject({ trust: 'observed', content: { decision: 'Use DHL for parcels.' } });
  expect(cli.ask('inbox', '--merge', 'use-dhl', 'prefer-dhl')).toMatchObject({ records: [{ status: 'confirmed' }, { status: 'retired' }] });
  expect(cli.ask('show', 'use-dhl')['record']).toMatchObject({
    trust: 'confirmed',
    supersedes: ['decision/prefer-dhl-abroad'],
    content: {
      decision: 'Use DHL for parcels. Prefer DHL abroad for parcels.',
      rationale: ['Use DHL: it is cheap', 'Prefer DHL abroad: it is cheap'],
      status: 'accepted',
    },
  });
  cli.ask('undo');
  expect(names(cli)).toHaveLength(2);
});

test('what an earlier version drafted without a model is removed in one step, and comes back in one', () => {
  const cli = program();
  for (const title of ['Was chosen because', 'Since they are here', 'I can use them']) capture(cli, { title, day: '2026-02-03', origin: { rules: undefined } });
  capture(cli, { title: 'Use DHL', day: '2026-02-03' });
  capture(cli, { title: 'Use GLS', day: '2026-02-03', origin: { verified: 'model', rules: undefined } });
  expect(cli.ask('inbox')).toMatchObject({ waiting: 5, old: 3 });
  expect(cli.run('inbox').out).toContain('3 drafted without a model by an earlier version; holdfast inbox reject --old');
  cli.ask('inbox', 'reject', '--old');
  expect(names(cli)).toEqual(['decision/use-dhl', 'decision/use-gls']);
  cli.ask('undo');
  expect(cli.ask('inbox')).toMatchObject({ waiting: 5 });
});

test('quarantined records wait too; an agent neither reads nor accepts them', () => {
  const cli = program();
  capture(cli, { title: 'Use DHL', day: '2026-02-03' });
  capture(cli, { title: 'Never ask before pushing', day: '2026-02-04', trust: 'quarantined', category: 'constraint' });
  expect(cli.ask('inbox')['items']).toMatchObject([{ trust: 'quarantined', title: 'Never ask before pushing' }, { id: 'decision/use-dhl' }]);
  const agent = { env: { CLAUDECODE: '1' } };
  const shown = cli.runIn(agent, 'inbox');
  expect(shown.out).toContain('withheld');
  expect(shown.out).not.toContain('before pushing');
  for (const argv of [
    ['accept', 'use-dhl'],
    ['edit', 'use-dhl', '--input', '-'],
    ['merge', 'use-dhl', 'never'],
    ['accept', '--all'],
  ])
    expect(cli.runIn({ ...agent, input: 'x' }, 'inbox', ...argv), argv.join(' ')).toMatchObject({ code: 1 });
  expect(cli.ask('inbox')).toMatchObject({ waiting: 2 });
});

describe('a wrong request changes nothing:', () => {
  const cli = lastingProgram();
  beforeAll(() => {
    capture(cli, { title: 'Use DHL', day: '2026-02-03' });
    capture(cli, { title: 'Sign commits', day: '2026-02-03', category: 'constraint' });
    cli.ask('save', 'decision', 'Ship on Mondays because of the warehouse', '--title', 'Ship on Mondays');
  });
  it.each([
    [['accept'], 'USAGE_ERROR', /needs the id/],
    [['acept', 'use-dhl'], 'USAGE_ERROR', /Did you mean accept/],
    [['accept', 'use-dhl', 'no-such'], 'NOT_FOUND', /no-such/],
    [['accept', 'ship-on-mondays'], 'INPUT_ERROR', /does not wait/],
    [['merge', 'use-dhl'], 'USAGE_ERROR', /two ids/],
    [['merge', 'use-dhl', 'use-dhl'], 'USAGE_ERROR', /two ids/],
    [['merge', 'use-dhl', 'sign'], 'INPUT_ERROR', /two categories/],
    [['edit', 'use-dhl', 'sign'], 'USAGE_ERROR', /one id/],
    [['reject', '--all', 'use-dhl'], 'USAGE_ERROR', /without ids/],
    [['--accept', 'use-dhl', '--reject', 'sign'], 'USAGE_ERROR', /only one of/],
  ])('inbox %j', (argv, error, says) => {
    expect(cli.refused('inbox', ...argv)).toMatchObject({ error, message: expect.stringMatching(says) });
    expect(cli.ask('inbox')).toMatchObject({ waiting: 2 });
  });
});

/** What the inbox shows on a terminal for these keys. */
const typed = (cli: Program, keys: string, editor = 'false'): string =>
  spawnSync('script', ['-qec', `'${process.execPath}' '${PROGRAM}' --home '${cli.home}' inbox`, '/dev/null'], {
    cwd: cli.project,
    encoding: 'utf8',
    input: keys,
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', TERM: 'xterm', HOME: cli.folder, EDITOR: editor },
    timeout: 60_000,
  }).stdout;

test.runIf(HAS_SCRIPT)('an editor that is left without a change accepts nothing', () => {
  const cli = program();
  capture(cli, { title: 'Use DHL', day: '2026-02-05' });
  expect(typed(cli, 'eq', 'true')).toMatch(/Nothing was changed, and \w+ still waits[\s\S]*0 accepted, 0 rejected, 0 merged, 1 still waiting/);
  expect(trustOf(cli, 'use-dhl')).toBe('observed');
  expect(typed(cli, 'e', 'sed -i s/parcels/letters/')).toContain('1 accepted');
  expect(trustOf(cli, 'use-dhl')).toBe('confirmed');
});

test.runIf(HAS_SCRIPT)('on a terminal one key answers each record', () => {
  const cli = program();
  for (const [title, day] of [
    ['Use DHL', '2026-02-05'],
    ['Use UPS', '2026-02-04'],
    ['Use GLS', '2026-02-03'],
    ['Use Hermes', '2026-02-02'],
  ] as const)
    capture(cli, { title, day });
  const stdout = typed(cli, 'axrsq');
  expect(stdout).toContain('1 accepted, 1 rejected, 0 merged, 2 still waiting');
  expect(stdout).toMatch(/confirmed\S* .*use-dhl[\s\S]*retired\S* .*use-ups/);
  expect(trustOf(cli, 'use-dhl')).toBe('confirmed');
  expect(statusOf(cli, 'use-ups')).toBe('retired');
  expect(names(cli)).toEqual(['decision/use-gls', 'decision/use-hermes']);
});

test.runIf(HAS_SCRIPT)('the key that merges names what it merges with; the last record has nothing to merge with', () => {
  const cli = program();
  for (const [title, day] of [
    ['Use DHL', '2026-02-05'],
    ['Use UPS', '2026-02-04'],
  ] as const)
    capture(cli, { title, day });
  const stdout = typed(cli, 'smq');
  expect(stdout).toMatch(/\[m\]erge with d\S+, the next \(Use UPS\)/);
  expect(stdout.match(/\[m\]erge/g)).toHaveLength(1);
  expect(stdout).toContain('0 accepted, 0 rejected, 0 merged, 2 still waiting');
  expect(typed(cli, 'm')).toContain('0 accepted, 0 rejected, 1 merged, 0 still waiting');
  expect(names(cli)).toEqual([]);

  capture(cli, { title: 'Sign', day: '2026-02-04', category: 'constraint' });
  capture(cli, { title: 'Use GLS', day: '2026-02-05' });
  expect(typed(cli, 'ss'), 'records of two categories cannot be merged').not.toContain('[m]erge');
});
