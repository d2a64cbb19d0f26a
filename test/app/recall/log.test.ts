import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { giveFeedback } from '../../../src/app/recall/feedback.ts';
import type { Injection, InjectionEvent } from '../../../src/core/ports/injection-log.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';
import { context } from './opened.ts';

function open(file: string): SqliteInjectionLog {
  const log = new SqliteInjectionLog(file);
  onTestFinished(() => log.close());
  return log;
}

const injection = (session: string, event: InjectionEvent, ids: readonly string[], tokens = 10): Injection => ({
  at: '2026-03-01T12:00:00Z',
  session,
  event,
  tokens,
  items: ids.map((id) => ({ id, title: `Title of ${id}`, updatedAt: '2026-01-01T00:00:00Z', score: 3.1, reasons: ['+1 shares queue'] })),
});

describe('the injection log', () => {
  test('keeps every injection with session, time, event, ids, tokens and reasons, newest first, for another process', () => {
    const file = path.join(scratch(), 'state', 'injections.db');
    const log = open(file);
    log.note(injection('s1', 'startup', ['decision/a']));
    log.note(injection('s2', 'prompt', ['decision/b']));
    log.note(injection('s1', 'prompt', ['decision/c']));
    const other = open(file);
    expect(other.injections('s1', 10)).toEqual([injection('s1', 'prompt', ['decision/c']), injection('s1', 'startup', ['decision/a'])]);
    expect(other.injections(undefined, 2).map(({ session }) => session)).toEqual(['s1', 's2']);
    expect(other.spent('s1')).toBe(20);
  });

  test.each(['compact', 'clear'] as const)('a %s takes away what was shown before it, but not what was spent', (event) => {
    const log = open(path.join(scratch(), 'injections.db'));
    log.note(injection('s1', 'startup', ['decision/a']));
    log.note(injection('s1', event, ['decision/b']));
    log.note(injection('s1', 'prompt', ['decision/c']));
    expect([...log.shown('s1').keys()]).toEqual(['decision/b', 'decision/c']);
    expect(log.spent('s1')).toBe(30);
    expect(log.shown('s2').size).toBe(0);
  });

  test('looking leaves no file behind', () => {
    const file = path.join(scratch(), 'state', 'injections.db');
    const log = open(file);
    expect([log.shown('s1').size, log.spent('s1'), log.injections(undefined, 5).length, log.receptionOf(['a']).size]).toEqual([0, 0, 0, 0]);
    expect(fs.existsSync(path.dirname(file))).toBe(false);
  });

  test('a damaged log is put aside and begun again', () => {
    const file = path.join(scratch(), 'injections.db');
    fs.writeFileSync(file, 'not a database at all, '.repeat(100));
    const log = open(file);
    expect(log.injections(undefined, 5)).toEqual([]);
    log.note(injection('s1', 'prompt', ['decision/a']));
    expect(log.shown('s1').size).toBe(1);
    expect(fs.readFileSync(`${file}.damaged`, 'utf8')).toContain('not a database at all');
  });

  test('writers side by side lose nothing', () => {
    const file = path.join(scratch(), 'injections.db');
    const logs = [open(file), open(file), open(file)];
    for (let n = 0; n < 60; n++) logs[n % 3]?.note(injection(`s${n % 3}`, 'prompt', [`decision/${n}`]));
    expect(open(file).injections(undefined, 100)).toHaveLength(60);
  });

  test('the prompt itself is not kept', async () => {
    const { keep, ask, home } = await context();
    await keep('decision', 'Webhook retries use exponential backoff');
    await ask('webhook retries with the password hunter2-zebra fail, how do they back off?', 's1');
    const kept = fs.readdirSync(path.join(home, 'holdfast/projects/shop')).filter((name) => name.startsWith('injections.db'));
    expect(kept).toContain('injections.db');
    for (const name of kept) expect(fs.readFileSync(path.join(home, 'holdfast/projects/shop', name), 'latin1')).not.toContain('zebra');
  });
});

describe('feedback', () => {
  test('is summed: useful +1, wrong and outdated -1', () => {
    const log = open(path.join(scratch(), 'injections.db'));
    const say = (id: string, verdict: 'useful' | 'wrong' | 'outdated'): void => log.say({ at: '2026-03-01T12:00:00Z', id, verdict });
    say('decision/a', 'useful');
    say('decision/a', 'useful');
    say('decision/a', 'outdated');
    say('decision/b', 'wrong');
    expect(log.receptionOf(['decision/a', 'decision/b', 'decision/c'])).toEqual(
      new Map([
        ['decision/a', { feedback: 1 }],
        ['decision/b', { feedback: -1 }],
      ]),
    );
    expect(log.verdicts(['decision/a']).get('decision/a')).toEqual({ useful: 2, wrong: 0, outdated: 1 });
  });

  test('changes what is recalled and in which order', async () => {
    const { keep, ask, memory, recallContext } = await context();
    const [a, b] = [await keep('decision', 'Webhook retries back off slowly'), await keep('decision', 'Webhook retries back off quickly')];
    const asked = async (): Promise<string[]> => (await ask('how do webhook retries back off?')).injected.map(({ id }) => id);
    const before = await asked();
    expect(before).toHaveLength(2);
    const [first, last] = before[0]?.endsWith(a.record.id) ? [a, b] : [b, a];
    must(await giveFeedback(memory, recallContext.log, { name: last.record.id, verdict: 'useful' }));
    expect((await asked())[0]).toBe(`decision/${last.record.id}`);
    for (let n = 0; n < 2; n++) must(await giveFeedback(memory, recallContext.log, { name: first.record.id, verdict: 'wrong' }));
    expect(await asked()).toEqual([`decision/${last.record.id}`]);
  });

  test('wrong and outdated can retire, useful cannot', async () => {
    const { keep, ask, memory, recallContext } = await context();
    const { record } = await keep('decision', 'Webhook retries back off slowly');
    const said = must(await giveFeedback(memory, recallContext.log, { name: record.id, verdict: 'outdated', retire: true, session: 's1' }));
    expect(said.retired?.record).toMatchObject({ record_status: 'retired', retired_reason: 'feedback: outdated' });
    expect((await ask('how do webhook retries back off?')).injected).toEqual([]);
    expect(await giveFeedback(memory, recallContext.log, { name: record.id, verdict: 'useful', retire: true })).toMatchObject({
      ok: false,
      error: { code: 'USAGE_ERROR' },
    });
    expect(await giveFeedback(memory, recallContext.log, { name: 'nobody', verdict: 'wrong' })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });
});

test('a short write-ahead log is left to the next process; a long one, or a word of the user, is written back', () => {
  const file = path.join(scratch(), 'injections.db');
  const ahead = (): number => fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const item = { id: 'decision/a', title: 'A', updatedAt: '', score: 1, reasons: ['x'.repeat(1_000)] };
  const note = (session: string): void => {
    const log = new SqliteInjectionLog(file);
    log.note({ at: '2026-03-01T10:00:00Z', session, event: 'prompt', tokens: 10, items: [item] });
    log.close();
  };
  note('first');
  expect(ahead()).toBeGreaterThan(0);
  const reader = new SqliteInjectionLog(file);
  expect(reader.spent('first')).toBe(10);
  reader.close();
  const sizes = Array.from({ length: 60 }, (_, nth) => (note(`s${nth}`), ahead()));
  expect(Math.max(...sizes)).toBeLessThan(160 * 1024);
  expect(sizes).toContain(0);
  const log = new SqliteInjectionLog(file);
  log.say({ at: '2026-03-01T10:00:00Z', id: 'decision/a', verdict: 'useful' });
  log.close();
  expect(ahead()).toBe(0);
});
