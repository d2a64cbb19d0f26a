import { rankChunks, type RankRequest, type ScoredHit, type SearchedIndex, type SearchResult } from './rank-chunks.ts';
import { sumOf } from './score.ts';

/** Candidates are cut by words that all projects share: with room for one project's only, some lose theirs. */
const ROOM = 2;

/**
 * Ranks what the indexes of one project or of several hold. All together say which project is meant, since a word that is rare in one may be the whole matter
 * of another; within a project its own words decide, as they do when it is searched alone.
 */
export async function rankProjects(searched: readonly SearchedIndex[], request: RankRequest): Promise<SearchResult> {
  if (new Set(searched.map(({ repository }) => repository)).size < 2) return rankChunks(searched, request);
  const together = await rankChunks(searched, { ...request, room: ROOM });
  const best = bestOfProjects(searched, together.hits);
  const most = Math.max(...best.values());
  const lists = [...best].map(async ([repository, own]) => {
    const { hits } = await rankChunks(
      searched.filter((one) => one.repository === repository),
      request,
    );
    // Its best hit stands where it stood among all, less what it is behind the best of all.
    const points = own - (most - own) - (hits[0]?.score ?? 0);
    return hits.map((hit) => moved(hit, { signal: 'project', value: most > 0 ? own / most : 0, points }));
  });
  const hits = (await Promise.all(lists)).flat().toSorted((a, b) => b.score - a.score);
  return { hits: hits.slice(0, request.limit), meant: together.meant };
}

function bestOfProjects(searched: readonly SearchedIndex[], hits: readonly ScoredHit[]): ReadonlyMap<string | undefined, number> {
  const best = new Map<string | undefined, number>();
  for (const { candidate, score } of hits) {
    const repository = searched[candidate.part.nth]?.repository;
    best.set(repository, Math.max(score, best.get(repository) ?? -Infinity));
  }
  return best;
}

function moved(hit: ScoredHit, part: ScoredHit['parts'][number]): ScoredHit {
  const parts = [...hit.parts, part];
  return { ...hit, parts, score: sumOf(parts) };
}
