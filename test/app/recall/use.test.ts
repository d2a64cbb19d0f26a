import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { giveFeedback } from '../../../src/app/recall/feedback.ts';
import { noteUse } from '../../../src/app/recall/note-use.ts';
import { recallForAction } from '../../../src/app/recall/acting.ts';
import { searchMemory } from '../../../src/app/search/ranking.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { UseOutcome } from '../../../src/core/use/item-use.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';
import { context, type Desk } from './opened.ts';

const ASKED = 'how do webhook retries back off?';
const reply = (text: string): Message[] => [
  { id: 'u', sessionId: 's', role: 'user', at: '2026-03-01T12:00:00Z', text: ASKED },
  { id: 'm', sessionId: 's', role: 'assistant', at: '2026-03-01T12:00:30Z', text },
];

/** So many sessions are asked the same and end with this answer. */
async function live({ ask, recallContext: { log }, memory }: Desk, sessions: number, answer: string, from = 0): Promise<void> {
  for (let nth = from; nth < from + sessions; nth++) {
    await ask(ASKED, `s${nth}`);
    noteUse(log, `s${nth}`, reply(answer), memory.now());
  }
}

const injectedBy = async ({ ask }: Desk): Promise<string[]> => (await ask(ASKED)).injected.map(({ id }) => id);

describe('what sessions made of a record', () => {
  test('ranks it, sinks it and says so', async () => {
    const there = await context();
    const zebra = await there.keep('decision', 'Webhook retries back off slowly: murmur jitter, zebra cap');
    const yacht = await there.keep('decision', 'Webhook retries back off quickly: quartz jitter, yacht cap');
    const [used, unused] = [zebra, yacht].map(({ record }) => `decision/${record.id}`);
    expect(new Set(await injectedBy(there))).toEqual(new Set([used, unused]));
    await live(there, 3, 'They use murmur hashing with a zebra limit.');
    const after = await there.ask(ASKED);
    expect(after.injected[0]?.id).toBe(used);
    expect(after.injected[0]?.reasons).toContain('the agent used it in 3 of 3 sessions (+0.3)');
    expect(after.injected.map(({ id }) => id)).toContain(unused);
    await live(there, 1, 'They use murmur hashing with a zebra limit.', 3);
    const last = await there.ask(ASKED);
    expect(last.injected.find(({ id }) => id === unused)?.reasons).toContain('was shown in 4 sessions and never used (-0.3)');
    const { recallContext, memory } = there;
    const explained = await searchMemory([{ memory, log: recallContext.log }], { query: 'webhook retries', limit: 5, explain: true });
    const partOf = (id: string | undefined): number => explained.find((hit) => hit.id === id)?.explain?.find(({ signal }) => signal === 'use')?.points ?? 0;
    expect([partOf(used), partOf(unused)]).toEqual([0.05, -0.05]);
    expect([...recallContext.log.used([used ?? '', unused ?? ''])]).toEqual([used]);
  });

  test('a change of the record begins anew', async () => {
    const { recallContext } = await context();
    const { log } = recallContext;
    const note = (session: string, updatedAt: string, outcome: UseOutcome): void =>
      log.noteUses(session, updatedAt, [{ id: 'decision/a', outcome, updatedAt }]);
    for (let nth = 0; nth < 6; nth++) note(`s${nth}`, '2026-01-01T00:00:00Z', 'unused');
    expect(log.receptionOf(['decision/a']).get('decision/a')?.use).toMatchObject({ shown: 6, silent: 6 });
    note('later', '2026-02-01T00:00:00Z', 'passed');
    expect(log.receptionOf(['decision/a']).get('decision/a')?.use).toMatchObject({ shown: 7, silent: 1 / 3 });
    note('later', '2026-02-01T00:00:00Z', 'followed');
    expect(log.receptionOf(['decision/a']).get('decision/a')?.use).toEqual({ shown: 7, used: 1, repeated: 0, contradicted: 0, silent: 0 });
    expect(log.usesIn('later')).toEqual(new Map([['decision/a', 'followed']]));
  });

  test('a rule that the user had to say again stands higher in the next session', async () => {
    const there = await context();
    const { record } = await there.keep('preference', 'Webhook retries never back off longer than ninety seconds');
    await there.ask(ASKED, 's1');
    const again: Message = {
      id: 'again',
      sessionId: 's1',
      role: 'user',
      at: '2026-03-01T12:05:00Z',
      text: 'Webhook retries never back off longer than ninety seconds!',
    };
    noteUse(there.recallContext.log, 's1', [...reply('Raised to five minutes.'), again], there.memory.now());
    const [first] = (await there.ask(ASKED)).injected;
    expect(first?.id).toBe(`preference/${record.id}`);
    expect(first?.reasons).toContain('the user said it again in 1 session that had it (+0.3)');
  });

  test('what was marked wrong is not injected again, by a prompt, at a start or before a file', async () => {
    const there = await context();
    const { record } = await there.keep('decision', 'Webhook retries back off slowly', { related_files: ['src/hooks.ts'] });
    const action = { file: path.join(there.project, 'src/hooks.ts') };
    expect(await injectedBy(there)).toHaveLength(1);
    expect((await there.brief()).text).toContain('back off slowly');
    expect((await recallForAction(there.memory, there.recallContext, action)).injected).toHaveLength(1);
    must(await giveFeedback(there.memory, there.recallContext.log, { name: record.id, verdict: 'wrong' }));
    expect(await injectedBy(there)).toEqual([]);
    expect((await there.brief()).text).not.toContain('back off slowly');
    expect((await recallForAction(there.memory, there.recallContext, action)).injected).toEqual([]);
  });
});

test('a log of the version before knows uses once it is opened', () => {
  const file = path.join(scratch(), 'injections.db');
  const old = openDatabase(file);
  old.exec(`CREATE TABLE injections (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL, tokens INTEGER NOT NULL, items TEXT NOT NULL);
    CREATE TABLE feedback (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, id TEXT NOT NULL, verdict TEXT NOT NULL, session TEXT);
    INSERT INTO feedback (at, id, verdict) VALUES ('2026-01-01T00:00:00Z', 'decision/a', 'useful'); PRAGMA user_version = 1;`);
  old.close();
  const log = new SqliteInjectionLog(file);
  onTestFinished(() => log.close());
  log.noteUses('s1', '2026-03-01T12:00:00Z', [{ id: 'decision/a', outcome: 'fetched', updatedAt: '' }]);
  expect(log.receptionOf(['decision/a']).get('decision/a')).toMatchObject({ feedback: 1, use: { used: 1 } });
});
