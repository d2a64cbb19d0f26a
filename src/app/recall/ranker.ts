import { isFailure } from '../../core/failure.ts';
import { utcSeconds } from '../../core/instant.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { analyze } from '../../recall/text/analyze.ts';
import { joinedRanking } from './ranking.ts';
import type { GateHit, RankRecords } from '../../recall/gate/port.ts';
import { rankChunks, type SearchedIndex } from '../../recall/rank/rank-chunks.ts';
import type { UnitRow } from '../../recall/port.ts';

export interface RankerSettings {
  readonly now: Clock;
  readonly branch?: string;
  readonly log: Pick<InjectionLog, 'feedbackOf'>;
}

/** The ranker of search behind the gate: whatever its indexes hold, be it records, documents or messages. */
function rankerRanking(searched: readonly SearchedIndex[], { now, branch, log }: RankerSettings): RankRecords {
  return async (query, limit, open) => {
    const terms = [...new Set(analyze(query))];
    const counts = new Map<string, number>();
    let total = 0;
    for (const { index } of searched) {
      total += (await index.size()).chunks;
      const postings = await index.postings(terms, 0);
      for (const [nth, term] of terms.entries()) counts.set(term, (counts.get(term) ?? 0) + (postings[nth]?.count ?? 0));
    }
    const { hits: found } = await rankChunks(searched, {
      text: query,
      limit,
      now: now(),
      ...(open && { files: open }),
      ...(branch !== undefined && { branch }),
    });
    const hits = found.map(({ candidate: { row, chunk }, score }) => ({
      ...hitOf(row),
      ...(row.type === 'session' && messageOf(row, chunk)),
      text: chunk.text,
      score,
    }));
    const feedback = log.feedbackOf(hits.map(({ id }) => id));
    return { total, counts, hits: hits.filter(({ trust }) => trust !== 'quarantined').map((hit) => ({ ...hit, feedback: feedback.get(hit.id) ?? 0 })) };
  };
}

const hitOf = (row: UnitRow): Omit<GateHit, 'text' | 'score'> => ({
  kind: row.type === 'document' ? 'document' : 'record',
  id: row.category === undefined ? row.id : `${row.category}/${row.id}`,
  title: row.title,
  tags: [],
  files: row.files ?? [],
  status: row.status ?? 'active',
  trust: row.trust ?? trustFrom('capture'),
  updatedAt: row.endedAt === undefined ? '' : utcSeconds(row.endedAt),
  ...(row.category !== undefined && { category: row.category }),
  ...(row.supersededBy !== undefined && { supersededBy: row.supersededBy }),
  ...(row.category === 'session_summary' && { session: row.id }),
});

/** A session's files say nothing of one of its messages. */
const messageOf = (
  row: UnitRow,
  chunk: { readonly messageId?: string; readonly at?: number },
): Pick<GateHit, 'kind' | 'id' | 'session' | 'files'> & Partial<GateHit> => ({
  kind: 'message',
  id: chunk.messageId ?? row.id,
  session: row.id,
  files: [],
  ...(chunk.at !== undefined && { updatedAt: utcSeconds(chunk.at) }),
});

/** Records and what was said in the project's sessions. What is wrong with the messages does not keep the records away. */
export function withMessages(records: RankRecords, open: () => SearchedIndex['index'] | undefined, settings: RankerSettings): RankRecords {
  return async (query, limit, files) => {
    try {
      const index = open();
      if (!index) return await records(query, limit);
      return await joinedRanking([records, rankerRanking([{ index }], settings)])(query, limit, files);
    } catch (cause) {
      if (!isFailure(cause)) throw cause;
      return records(query, limit);
    }
  };
}
