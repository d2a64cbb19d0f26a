import { describe, expect, test } from 'vitest';
import { type ChunkKind, chunkId } from '../../../src/recall/chunks/split-text.ts';
import { type Matches, stretchesOf } from '../../../src/recall/rank/postings.ts';
import { placesOf, Windows } from '../../../src/recall/rank/window.ts';

/** Chunks of ten terms at the given places, with the terms they hold. */
function near(
  chunks: readonly { readonly place: number; readonly mask: number; readonly kind?: ChunkKind; readonly unit?: number }[],
  asked: number,
): { readonly score: number; readonly mask: number } {
  const ids = Float64Array.from(chunks, ({ place, kind = 'reply', unit = 1 }) => chunkId(unit, place, 10, kind));
  const matches: Matches = { ids, masks: Int32Array.from(chunks, ({ mask }) => mask), length: chunks.length };
  const places = placesOf(matches, stretchesOf(matches), new Set(ids));
  const stretch = places.get(asked);
  if (stretch === undefined) throw new Error('no such place');
  return new Windows(matches, [1, 1, 1], places).near(asked, stretch);
}

const alone = near([{ place: 100, mask: 1 }], 0).score;

describe('what stands around a chunk counts for it', () => {
  test('terms of a neighbour are added', () => {
    const { score, mask } = near(
      [
        { place: 90, mask: 2 },
        { place: 100, mask: 1 },
        { place: 110, mask: 4 },
      ],
      1,
    );
    expect(score).toBeGreaterThan(alone);
    expect(mask).toBe(7);
  });

  test('nearer counts more than farther', () => {
    const next = near(
      [
        { place: 90, mask: 2 },
        { place: 100, mask: 1 },
      ],
      1,
    ).score;
    const later = near(
      [
        { place: 65, mask: 2 },
        { place: 100, mask: 1 },
      ],
      1,
    ).score;
    expect(next).toBeGreaterThan(later);
    expect(later).toBeGreaterThan(alone);
  });

  test('before counts more than after', () => {
    const before = near(
      [
        { place: 90, mask: 2 },
        { place: 100, mask: 1 },
      ],
      1,
    ).score;
    const after = near(
      [
        { place: 100, mask: 1 },
        { place: 110, mask: 2 },
      ],
      0,
    ).score;
    expect(before).toBeGreaterThan(after);
  });

  test('a chunk without a term of the question has its neighbours’', () => {
    expect(
      near(
        [
          { place: 90, mask: 3 },
          { place: 100, mask: 0 },
        ],
        1,
      ),
    ).toMatchObject({ mask: 3 });
  });
});

describe('and does not count', () => {
  test.each([
    ['beyond reach', { place: 40, mask: 2 }],
    ['in another unit', { place: 90, mask: 2, unit: 0 }],
    ['as code', { place: 90, mask: 2, kind: 'code' }],
  ] as const)('%s', (_, other) => {
    expect(near([other, { place: 100, mask: 1 }], 1).mask).toBe(1);
  });
});
