import { joinedRanking, itemRanking } from '../../app/recall/ranking.ts';
import { rankerRanking } from '../../app/recall/ranker.ts';
import { isFailure } from '../../core/failure.ts';
import { openMessages } from './episode-shelf.ts';
import type { OpenRanking, RankingParts } from './recall.ts';

/** Records and what was said in the project's sessions. Apart from `recall.ts`, because it brings the whole ranker with it. */
export function withMessages({ memories, log, home, key, now, branch }: RankingParts): OpenRanking {
  const records = itemRanking(memories, log);
  const said = openMessages(home, key);
  return {
    ranking: async (query, limit, open) => {
      try {
        const index = said.open();
        if (!index) return await records(query, limit);
        return await joinedRanking([records, rankerRanking([{ index }], { now, log, ...(branch !== undefined && { branch }) })])(query, limit, open);
      } catch (cause) {
        // What is wrong with the messages must not keep the records away.
        if (!isFailure(cause)) throw cause;
        return records(query, limit);
      }
    },
    close: () => said.close(),
  };
}
