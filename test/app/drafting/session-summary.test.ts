import { describe, expect, it } from 'vitest';
import { captureSummary } from '../../../src/app/drafting/extract.ts';
import { digestOf } from '../../../src/app/episodes/summarize.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import { openMemory } from '../memory.ts';

const facts = { sessionId: 'session-1', client: 'claude-code' as const };

const work = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, turn): Message[] => [
    { id: `u${turn}`, sessionId: 'session-1', role: 'user', text: `Please change part ${turn} of the ledger` },
    {
      id: `a${turn}`,
      sessionId: 'session-1',
      role: 'assistant',
      text: `Part ${turn} is done and tested.`,
      toolCalls: [{ id: `t${turn}`, name: 'Edit', input: `src/ledger-${turn}.ts`, files: [`src/ledger-${turn}.ts`] }],
    },
  ]).flat();

const episode = (entries: readonly Message[]) => ({ facts, entries, whole: true });

describe('the summary of a session that nobody asked to sum up', () => {
  it('is found worth it by triage, drafted, verified by rules and saved, once', async () => {
    const { memory } = openMemory();
    const done = await captureSummary(memory, episode(work(8)));
    expect(done).toMatchObject({ status: 'saved', id: 'session-1' });
    expect(await captureSummary(memory, episode(work(8)))).toMatchObject({ status: 'nothing', id: 'session-1' });
    const entries = await memory.store.journal.entries();
    expect(entries.map(({ op }) => op)).toEqual(['create']);
  });

  it('is not made where triage says that too little was done, or that it is not to be captured', async () => {
    const { memory } = openMemory();
    expect(await captureSummary(memory, episode(work(1).slice(0, 1)))).toMatchObject({ status: 'nothing' });
    const off = openMemory({ categories: { session_summary: { auto_capture: false } } });
    expect(await captureSummary(off.memory, episode(work(8)))).toMatchObject({ status: 'nothing' });
    expect([...(await memory.store.journal.entries()), ...(await off.memory.store.journal.entries())]).toEqual([]);
  });

  it('is not saved when it says what nobody said', async () => {
    const { memory } = openMemory();
    // A faulty drafter could hand in the summary of another session.
    const other = digestOf(
      episode([{ id: 'x', sessionId: 'session-1', role: 'user', text: 'Move 4711 orders to the elephant database' }, ...work(8)]),
      memory.config,
    );
    expect(await captureSummary(memory, episode(work(8)), other)).toMatchObject({
      status: 'blocked',
      issues: [expect.stringContaining('not in the conversation: '), expect.anything()],
    });
    expect(await memory.store.journal.entries()).toEqual([]);
  });
});
