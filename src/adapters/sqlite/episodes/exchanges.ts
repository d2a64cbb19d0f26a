import { GIT } from '../../../core/episode/episode.ts';

type Row = Readonly<Record<string, unknown>>;
type Query = (sql: string, ...values: readonly unknown[]) => readonly Row[];

/** All exchanges of a project, as ranking reads them. */
export interface ExchangeOutline {
  readonly firsts: Float64Array;
  readonly terms: Float64Array;
  readonly sessions: ReadonlyMap<number, { readonly id: string; readonly endedAt: number; readonly newer: number }>;
}

/** One message of an exchange. */
export interface StoredTurn {
  readonly messageId: string;
  readonly byUser: boolean;
  readonly text: string;
  readonly at?: number;
}

/** Most chunks read of one exchange, so that an endless one costs no more than others. */
const MOST_CHUNKS = 400;
/** A chunk that begins so continues the sentence of the chunk before. */
const CONTINUES = /^[\p{Ll}(,;`]/u;
/** So many commits count as one session for age, because commits come faster. */
const COMMITS_A_SESSION = 10;

export function readOutline(query: Query): ExchangeOutline {
  const rows = query('SELECT first, terms FROM exchanges ORDER BY first');
  const sessions = new Map<number, { id: string; endedAt: number; newer: number }>();
  let [newer, commits] = [0, 0];
  for (const { unit, id, client, ended } of query('SELECT unit, id, client, coalesce(ended, 0) AS ended FROM units ORDER BY ended DESC, unit DESC'))
    sessions.set(unit as number, { id: id as string, endedAt: ended as number, newer: client === GIT ? commits++ / COMMITS_A_SESSION : newer++ });
  return {
    firsts: Float64Array.from(rows, (row) => row['first'] as number),
    terms: Float64Array.from(rows, (row) => row['terms'] as number),
    sessions,
  };
}

/** The speech from one chunk up to another, exclusive, in the session of the first: message by message, without thoughts, commands and code. */
export function readTurns(query: Query, first: number, next: number): readonly StoredTurn[] {
  const rows = query(
    `SELECT c.text, m.id, m.role, m.at FROM chunks c JOIN messages m ON m.number = c.message
     WHERE c.id >= ? AND c.id < ? AND c.id % 8 < 3 AND c.id < coalesce(m.thought, 9e15) AND m.unit = (SELECT unit FROM exchanges WHERE first = ?) ORDER BY c.id LIMIT ${MOST_CHUNKS}`,
    first,
    next,
    first,
  );
  const turns: { messageId: string; byUser: boolean; text: string; at?: number }[] = [];
  for (const { text, id, role, at } of rows) {
    const last = turns.at(-1);
    if (last !== undefined && last.messageId === id) last.text += `${CONTINUES.test(text as string) ? ' ' : '\n'}${text as string}`;
    else turns.push({ messageId: id as string, byUser: role === 'user', text: text as string, ...(typeof at === 'number' && { at }) });
  }
  return turns;
}
