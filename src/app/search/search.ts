import type { ItemFilter, ItemHit } from '../../core/ports/index.ts';
import { analyze } from '../../recall/analyze.ts';
import { refresh, verifyFiles } from '../index/refresh.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { snippet } from './snippet.ts';

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly filter: ItemFilter;
  readonly includeRetired?: boolean;
}

export interface Hit {
  readonly kind: 'record' | 'document';
  readonly id: string;
  readonly project: string;
  readonly session_id: string | null;
  readonly message_id: string | null;
  readonly category: string | null;
  readonly status: string;
  readonly title: string;
  readonly snippet: string;
  readonly score: number;
  readonly file: string;
}

/** Finds records and documents by what they say. */
export async function search(memory: Memory, request: SearchRequest): Promise<readonly Hit[]> {
  return memory.index.guarded(
    async () => {
      await catchUp(memory, 'sweep');
      const hits = match(memory, request);
      const changed = await verifyFiles(
        memory,
        hits.map(({ item }) => item),
      );
      const terms = analyze(request.query);
      return (changed ? match(memory, request) : hits).map((hit) => present(memory, hit, terms));
    },
    () => refresh(memory, 'everything'),
  );
}

function match(memory: Memory, { query, limit, filter, includeRetired }: SearchRequest): readonly ItemHit[] {
  const visible: ItemFilter = includeRetired ? filter : { status: 'active', ...filter };
  return memory.index.search(analyze(query), visible, limit);
}

function present(memory: Memory, { item, score }: ItemHit, terms: readonly string[]): Hit {
  return {
    kind: item.kind,
    id: item.category ? `${item.category}/${item.id}` : item.id,
    project: memory.key,
    session_id: item.category === 'session_summary' ? item.id : null,
    message_id: null,
    category: item.category ?? null,
    status: item.status,
    title: item.title,
    snippet: snippet(item.body, terms),
    score: Math.round(score * 1e4) / 1e4,
    file: memory.store.absolute(item),
  };
}
