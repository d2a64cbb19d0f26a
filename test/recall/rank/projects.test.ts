import { describe, expect, test } from 'vitest';
import { rankChunks, type RankRequest, type ScoredHit } from '../../../src/recall/rank/rank-chunks.ts';
import { rankProjects } from '../../../src/recall/rank/rank-projects.ts';
import { library } from '../library.ts';

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, nth) => nth);

/** Every session speaks of sync; three speak of a lease too. */
const mirror = library();
for (const nth of times(20)) mirror.session(`mirror-${nth}`, [{ text: `The sync sync sync sync of branch ${nth} went through.` }]);
for (const nth of times(3)) mirror.session(`lease-${nth}`, [{ text: `Pushing with a lease keeps what another machine pushed meanwhile, run ${nth}.` }]);
/** Every session speaks of a lease. */
const housing = library();
for (const nth of times(200)) housing.session(`flat-${nth}`, [{ text: `The lease of flat ${nth} ends in spring.` }]);

const REQUEST: RankRequest = { text: 'sync lease', limit: 10, now: 0 };
const names = (hits: readonly ScoredHit[]): readonly string[] => hits.map(({ candidate }) => candidate.row.id);
const both = [
  { index: mirror.index, repository: 'mirror' },
  { index: housing.index, repository: 'housing' },
];

describe('several projects searched at once', () => {
  test('a project’s hits stand in the order that they have when it is searched alone', async () => {
    const alone = names((await rankChunks([{ index: mirror.index }], REQUEST)).hits);
    const found = names((await rankProjects(both, REQUEST)).hits).filter((name) => !name.startsWith('flat'));
    expect(alone[0]).toMatch(/^lease/);
    expect(found.length).toBeGreaterThan(3);
    expect(found).toEqual(alone.slice(0, found.length));
  });

  test('the parts of a score sum to it, and what its project adds is one of them', async () => {
    const { hits } = await rankProjects(both, REQUEST);
    for (const { score, parts } of hits) {
      expect(parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 9);
      expect(parts.map(({ signal }) => signal)).toContain('project');
    }
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits).toHaveLength(10);
  });

  test('clones of one repository are one project', async () => {
    const clones = both.map(({ index }) => ({ index, repository: 'one' }));
    expect(names((await rankProjects(clones, REQUEST)).hits)).toEqual(names((await rankChunks(clones, REQUEST)).hits));
  });

  test('where nothing matches there are no hits', async () => {
    expect((await rankProjects(both, { ...REQUEST, text: 'zeppelin' })).hits).toEqual([]);
  });
});
