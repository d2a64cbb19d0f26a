import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSteps, encodeSteps } from '../../../src/core/episode/chunk-lists.ts';
import { SqliteEpisodes } from '../../../src/adapters/sqlite/episodes/writer.ts';
import { MessageSearchIndex } from '../../../src/adapters/sqlite/episodes/message-search.ts';
import { putEntries } from '../../../src/app/episodes/keep.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import { chunkId } from '../../../src/recall/chunks/split-text.ts';
import type { RecallIndex } from '../../../src/recall/port.ts';
import { episodeRows, type IndexedChunk } from '../../../src/recall/chunks/message-rows.ts';
import { rankChunks } from '../../../src/recall/rank/rank-chunks.ts';
import { NewWords } from '../../../src/recall/text/words.ts';
import { MemoryIndex } from '../../recall/memory-index.ts';
import { scratch } from '../../scratch.ts';

const WORDS = [
  'database',
  'locked',
  'migration',
  'button',
  'parseHTTPUrl',
  'colour',
  'deploys',
  'staging',
  'tests',
  'flaky',
  'retry',
  'timeout',
  'cache',
  'Grüße',
  '設定',
];
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 30 }).map((words) => `${words.join(' ')}.`);
const spokenMessage = fc.record({
  text: fc.array(sentence, { minLength: 1, maxLength: 6 }).map((all) => all.join(' ')),
  asks: fc.boolean(),
  speaker: fc.constantFrom(undefined, 'Ann', 'Ben'),
});
const episodes = fc.array(fc.array(spokenMessage, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 });

const message = (session: number, nth: number, { text, asks, speaker }: { text: string; asks: boolean; speaker: string | undefined }): Message => ({
  id: `m${nth}`,
  sessionId: `s${session}`,
  role: nth % 2 === 0 ? 'user' : 'assistant',
  at: new Date(Date.UTC(2026, 0, 1 + session, nth)).toISOString(),
  text: asks ? `${text} Right?` : text,
  ...(speaker !== undefined && { speaker }),
});

interface Both {
  readonly memory: MemoryIndex;
  readonly index: MessageSearchIndex;
}

/** The same episodes in both indexes, written to the database in several imports. */
function build(all: readonly (readonly Message[])[], parts: number): Both {
  const file = path.join(scratch(), 'episodes.db');
  const database = new SqliteEpisodes(file);
  for (let partNumber = 0; partNumber < parts; partNumber++) {
    const change = database.begin();
    const words = new NewWords();
    for (const [nth, messages] of all.entries()) {
      const part = messages.filter((_, at) => at % parts === partNumber || (partNumber === 0 && parts > messages.length));
      const facts = { sessionId: `s${nth + 1}`, client: 'chat' as const, startedAt: messages[0]?.at as string, endedAt: messages.at(-1)?.at as string };
      const session = change.session(facts.sessionId) ?? change.begin(facts, 'transcript', facts.sessionId);
      change.facts(session.unit, facts, '');
      putEntries({ change, words }, session, part, new Map());
    }
    database.commit();
  }
  database.close();
  const memory = new MemoryIndex();
  for (const [nth, messages] of all.entries()) {
    const ordered =
      parts === 1
        ? messages
        : Array.from({ length: parts }, (_, partNumber) =>
            messages.filter((_one, at) => at % parts === partNumber || (partNumber === 0 && parts > messages.length)),
          ).flat();
    const distinct = [...new Map(ordered.map((one) => [one.id, one])).values()];
    const rows = episodeRows(nth + 1, distinct);
    const [startedAt, endedAt] = [Date.parse(messages[0]?.at as string), Date.parse(messages.at(-1)?.at as string)];
    memory.add(
      { unit: nth + 1, type: 'session', id: `s${nth + 1}`, title: '', project: 'kiosk', size: rows.size, startedAt, endedAt, file: 'transcript' },
      rows.chunks,
    );
  }
  return { memory, index: new MessageSearchIndex(file, 'kiosk') };
}

const messagesOf = (all: readonly (readonly { text: string; asks: boolean; speaker: string | undefined }[])[]): Message[][] =>
  all.map((one, session) => one.map((words, nth) => message(session + 1, nth, words)));

const TERMS = ['databas', 'lock', 'migrat', 'button', 'parsehttpurl', 'http', 'colour', 'deploi', 'cach', 'nothing'];

describe('the message index', () => {
  it('answers as the port asks, in one import or in several', async () => {
    await fc.assert(
      fc.asyncProperty(episodes, fc.integer({ min: 1, max: 3 }), async (all, parts) => {
        const usable = messagesOf(all).map((messages) => (messages.length < parts ? messages.slice(0, 1) : messages));
        const same = usable.every((messages) => messages.length >= parts) ? parts : 1;
        const { memory, index } = build(usable, same);
        expect(index.size()).toEqual(memory.size());
        for (const most of [1, 3, 1_000]) {
          const [mine, theirs] = [index.postings(TERMS, most), memory.postings(TERMS, most)];
          expect(mine.map(({ ids, count }) => ({ ids: Array.from(ids), count }))).toEqual(theirs.map(({ ids, count }) => ({ ids: Array.from(ids), count })));
        }
        const ids = Array.from(memory.postings(['databas', 'lock', 'button'], 1_000).flatMap((one) => Array.from(one.ids)));
        const upwards = (a: number, b: number): number => a - b;
        const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
        expect(index.chunks([...new Set(ids)]).toSorted(byId)).toEqual(
          [...memory.chunks([...new Set(ids)])]
            .map(({ ...chunk }) => ({ ...chunk, terms: undefined }))
            .map(({ terms: _terms, ...chunk }) => chunk)
            .toSorted(byId),
        );
        const order = index.orders(ids, TERMS).map((places) => Array.from(places));
        expect(order).toEqual(ids.map((id) => (memory.chunks([id])[0] as IndexedChunk).terms.map((term) => TERMS.indexOf(term))));
        const stretches = ids.map((id): [number, number] => [id - 40_000, id + 40_000]);
        expect(index.between(stretches).toSorted(upwards)).toEqual(memory.between(stretches).toSorted(upwards));
        expect(index.units([1, 2, 99]).map(({ unit, size, startedAt, endedAt }) => ({ unit, size, startedAt, endedAt }))).toEqual(
          memory.units([1, 2, 99]).map(({ unit, size, startedAt, endedAt }) => ({ unit, size, startedAt, endedAt })),
        );
        for (const filter of [
          {},
          { type: 'session' as const },
          { type: 'record' as const },
          { since: Date.UTC(2026, 0, 4) },
          { until: Date.UTC(2026, 0, 3) },
        ]) {
          expect(index.allowed(filter)).toEqual(memory.allowed(filter));
        }
        expect(index.speakers().toSorted()).toEqual(memory.speakers().toSorted());
        expect(index.words('d', 'e')).toEqual(memory.words('d', 'e'));
        expect(index.known(['database', 'locked', 'nothing'])).toEqual(['database', 'locked'].filter((word) => memory.words(word, `${word}x`).includes(word)));
        expect(index.words('a', 'zzzz')).toEqual(memory.words('a', 'zzzz'));
        const now = Date.UTC(2026, 1, 1);
        const ask = async (recallIndex: RecallIndex) =>
          (await rankChunks([{ index: recallIndex }], { text: 'database locked in staging', limit: 5, now })).hits.map(({ candidate, score }) => [
            candidate.row.id,
            candidate.chunk.messageId,
            score.toFixed(6),
          ]);
        expect(await ask(index as RecallIndex)).toEqual(await ask(memory));
        index.close();
      }),
      { numRuns: 25 },
    );
  });

  it('keeps lists of any length in order, also when an older session goes on', () => {
    const file = path.join(scratch(), 'episodes.db');
    const database = new SqliteEpisodes(file);
    const expected: number[] = [];
    const put = (unit: number, place: number, count: number): number => {
      const chunks = Array.from({ length: count }, (_, n) => ({ id: chunkId(unit, place + n, 1, 'reply'), text: 'x', terms: ['common'] }));
      expected.push(...chunks.map(({ id }) => id));
      const change = database.begin();
      if (!change.session(`s${unit}`)) change.begin({ sessionId: `s${unit}`, client: 'chat' }, '', `s${unit}`);
      change.put(unit, { entries: [], rules: [], chunks, nextPlace: place + count, size: count, words: new Set() });
      database.commit();
      return place + count;
    };
    let place = put(1, 0, 1_000);
    put(2, 0, 2_500);
    for (let n = 0; n < 30; n++) place = put(1, place, 7);
    put(3, 0, 10);
    database.close();
    const index = new MessageSearchIndex(file, 'kiosk');
    const [all] = index.postings(['common'], 100_000);
    expect(Array.from(all?.ids ?? [])).toEqual(expected.toSorted((a, b) => a - b));
    expect(all?.count).toBe(expected.length);
    const [some] = index.postings(['common'], 500);
    expect(some?.count).toBe(expected.length);
    expect(some?.ids.length).toBe(500);
    expect(Array.from(some?.ids ?? []).at(-1)).toBe(expected.toSorted((a, b) => a - b).at(-1));
    index.close();
  });

  it('gives texts back as they are, whatever stands in them', () => {
    const texts = [
      'zero \u0000 inside',
      'a "quoted" \\ path',
      'line \u2028 and tab\tand\nnewline',
      'café 設定 🙂 e\u0301',
      '\u0001\u001f\u007f\u009f',
      '{"row":[1,null]}',
    ];
    const messages = texts.map((text, nth) => message(1, nth, { text: `${text} word`, asks: false, speaker: undefined }));
    const { index } = build([messages], 1);
    const [{ ids } = { ids: [] }] = index.postings(['word'], 10);
    const chunks = index.chunks(Array.from(ids));
    expect(chunks.map(({ text }) => text).toSorted()).toEqual(texts.map((text) => `${text.replace('\u0000', ' ')} word`).toSorted());
    expect(index.chunks([...Array.from(ids), 5]).length).toBe(texts.length);
    expect(index.orders([5], ['word']).map((places) => places.length)).toEqual([0]);
    expect(index.units([])).toEqual([]);
    index.close();
  });

  it('encodes numbers of up to 53 bits', () => {
    const ids = fc.uniqueArray(fc.maxSafeNat(), { maxLength: 300 }).map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(ids, fc.nat(), (all, split) => {
        const at = all.length === 0 ? 0 : split % all.length;
        const into = new Float64Array(all.length);
        const [head, tail] = [encodeSteps(all, 0, at, 0), encodeSteps(all, at, all.length, all[at - 1] ?? 0)];
        expect(decodeSteps(Uint8Array.from([...head, ...tail]), into, 0)).toBe(all.length);
        expect(Array.from(into)).toEqual(all);
      }),
    );
  });
});
