import { rankChunks, type RankRequest, type ScoredHit, type SearchedIndex, type SearchResult } from './rank-chunks.ts';
import { sumOf } from './score.ts';

/** Several projects share the list of candidates: at the size for one project, some projects would lose theirs. */
const CANDIDATE_FACTOR = 2;

/**
 * Ranks the indexes of one or several projects. A ranking over all of them decides which project is meant, because a word that is rare in one may be the
 * topic of another; within a project, its own word frequencies decide, as if it were searched alone.
 */
export async function rankProjects(searched: readonly SearchedIndex[], request: RankRequest): Promise<SearchResult> {
  if (new Set(searched.map(({ repository }) => repository)).size < 2) return rankChunks(searched, request);
  const together = await rankChunks(searched, { ...request, factor: CANDIDATE_FACTOR });
  const best = bestOfProjects(searched, together.hits);
  const most = Math.max(...best.values());
  const lists = [...best].map(async ([repository, own]) => {
    const { hits } = await rankChunks(
      searched.filter((one) => one.repository === repository),
      request,
    );
    // The project's best hit keeps its score in the joint ranking, minus its distance to the best project.
    const points = own - (most - own) - (hits[0]?.score ?? 0);
    return hits.map((hit) => withPart(hit, { signal: 'project', value: most > 0 ? own / most : 0, points }));
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

function withPart(hit: ScoredHit, part: ScoredHit['parts'][number]): ScoredHit {
  const parts = [...hit.parts, part];
  return { ...hit, parts, score: sumOf(parts) };
}
