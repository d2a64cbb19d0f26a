import type { Query } from './sets.ts';

export interface RankedIds {
  readonly sessions: readonly string[];
  readonly messages: readonly string[];
}

export type By = 'session' | 'message';
export type Figures = Readonly<Record<'n' | 'any1' | 'any5' | 'any10' | 'all5' | 'all10' | 'mrr', number>>;

/** Any gold among the first k, all gold among the first k, and one over the place of the first; several hits of one id count once. */
export function judge(query: Query, hits: RankedIds, by: By): Figures {
  const gold = new Set(by === 'message' ? query.gold_messages : query.gold_sessions);
  const ranked = [...new Set(by === 'message' ? hits.messages : hits.sessions)];
  const among = (k: number): number => ranked.slice(0, k).filter((id) => gold.has(id)).length;
  const first = ranked.findIndex((id) => gold.has(id));
  return {
    n: 1,
    any1: Number(among(1) > 0),
    any5: Number(among(5) > 0),
    any10: Number(among(10) > 0),
    all5: Number(among(5) === gold.size),
    all10: Number(among(10) === gold.size),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

const KEYS = ['any1', 'any5', 'any10', 'all5', 'all10', 'mrr'] as const;

/** Means, by group in the order in which groups first appear; `all` comes first. */
export function means(judged: readonly { readonly group: string; readonly figures: Figures }[]): ReadonlyMap<string, Figures> {
  const groups = new Map<string, Figures[]>([['all', []]]);
  for (const { group, figures } of judged) {
    groups.get('all')?.push(figures);
    groups.set(group, [...(groups.get(group) ?? []), figures]);
  }
  return new Map(
    [...groups].map(([group, all]) => [
      group,
      {
        n: all.length,
        ...(Object.fromEntries(KEYS.map((key) => [key, all.reduce((sum, one) => sum + one[key], 0) / Math.max(1, all.length)])) as Omit<Figures, 'n'>),
      },
    ]),
  );
}

const figure = (value: number): string => value.toFixed(3).replace(/^0/, '').padStart(5);

/** One line: Holdfast's figure, and that of plain search beside it. */
export const line = (name: string, ours: Figures, plain: Figures): string =>
  `  ${name.padEnd(22)} ${String(ours.n).padStart(5)}   ${KEYS.map((key) => figure(ours[key])).join(' ')}   ${KEYS.map((key) => figure(plain[key])).join(' ')}`;

export const HEAD = `  ${''.padEnd(22)} ${'n'.padStart(5)}   ${KEYS.map((key) => key.replace(/(\d+)/, '@$1').padStart(5)).join(' ')}   the same, plain FTS5 over prose`;
