import { expect, test } from 'vitest';
import type { RecallIndex, UnitRow } from '../../../src/recall/port.ts';
import { chunkId, type ChunkKind } from '../../../src/recall/chunks/split-text.ts';
import { type NearText, withMeaning } from '../../../src/recall/rank/meaning.ts';
import { registerOf, type ScoredCandidate, sumOf } from '../../../src/recall/rank/score.ts';
import { MEANING } from '../../../src/recall/rank/weights.ts';

const index = {} as RecallIndex;
const part = { nth: 0, index, distance: 0, size: { chunks: 0, units: 0, terms: 0 } };
const row = (unit: number, size = 0): UnitRow => ({ unit, type: 'session', id: `s${unit}`, title: '', size });
const chunk = (unit: number, place: number, kind: ChunkKind = 'reply') => ({
  id: chunkId(unit, place, 1, kind),
  text: `${unit}.${place}`,
  messageId: `m${unit}.${place}`,
});
const near = (unit: number, cosine: number, { place = 0, size = 0, kind = 'reply' }: { place?: number; size?: number; kind?: ChunkKind } = {}): NearText => ({
  index,
  row: row(unit, size),
  chunk: chunk(unit, place, kind),
  near: cosine,
});

function matched(unit: number, score: number, kind: ChunkKind = 'reply', place = 0): ScoredCandidate {
  const none = { own: 0, near: 0, covered: 0, coveredNear: 0, rank: 0 };
  const unitScore = { unit: 0, bestThree: 0 };
  const candidate = { part, row: row(unit), chunk: chunk(unit, place, kind), unit: unitScore, ...none };
  return { candidate, register: registerOf(candidate), parts: [{ signal: 'own', value: 1, points: score }], score };
}

const scores = (hits: readonly ScoredCandidate[]): [string, number][] => hits.map(({ candidate, score }) => [candidate.row.id, Math.round(score * 1e6) / 1e6]);

test('without near texts nothing changes', () => {
  const hits = [matched(1, 0.6), matched(2, 0.4)];
  expect(withMeaning(hits, [], [part])).toEqual(hits);
});

test('the nearest text earns all points, the furthest none, and every score is the sum of its parts', () => {
  const fused = withMeaning([matched(1, 0.6), matched(2, 0.5), matched(3, 0.4)], [near(1, 0.2), near(2, 0.6), near(3, 0.4)], [part]);
  const { work } = MEANING.points;
  expect(scores(fused)).toEqual([
    ['s1', 0.6],
    ['s2', 0.5 + work],
    ['s3', Math.round((0.4 + work / 2) * 1e6) / 1e6],
  ]);
  for (const hit of fused) expect(hit.score).toBe(sumOf(hit.parts));
});

test('a session counts by its nearest chunk, whichever of its chunks the words are in', () => {
  const fused = withMeaning([matched(1, 0.5, 'reply', 7)], [near(1, 0.1), near(1, 0.8, { place: 3 }), near(2, 0.2)], [part]);
  expect(scores(fused)).toEqual([['s1', 0.5 + MEANING.points.work]]);
});

test('of two sessions at one cosine the shorter is nearer: among many chunks some are near by chance', () => {
  const fused = withMeaning([matched(1, 0.5), matched(2, 0.5)], [near(1, 0.6, { size: 20_000 }), near(2, 0.6, { size: 200 }), near(3, 0.1)], [part]);
  const [long, short] = scores(fused);
  expect(short?.[1]).toBeGreaterThan(long?.[1] ?? 1);
});

test('a text that shares no word comes in when it is near, and not when it is among the further ones', () => {
  const fused = withMeaning([matched(1, 0.5)], [near(1, 0.5), near(2, 0.7), near(3, 0.25), near(4, 0.1)], [part]);
  expect(scores(fused).map(([id]) => id)).toEqual(['s1', 's2']);
});

test('in talk a message has its own nearness, and little of it', () => {
  const fused = withMeaning(
    [matched(1, 0.5, 'said', 0), matched(1, 0.5, 'said', 5)],
    [near(1, 0.8, { kind: 'said', place: 5 }), near(2, 0.1, { kind: 'said' })],
    [part],
  );
  expect(scores(fused)).toEqual([
    ['s1', 0.5],
    ['s1', 0.5 + MEANING.points.talk],
  ]);
});
