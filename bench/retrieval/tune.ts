import { collectCandidates } from '../../src/recall/rank/rank-chunks.ts';
import { type Channel, CHANNELS, SHARES, WEIGHTS } from '../../src/recall/rank/weights.ts';
import { regress, type Sample } from './regression.ts';
import { type Figures, judge, means } from './ruler.ts';
import type { DataSet, Query } from './sets.ts';

/** Channels that say nothing in one kind of data are left out of it. */
const IDLE: Readonly<Record<DataSet['name'], readonly Channel[]>> = {
  coding: ['speaker', 'asks', 'asked', 'self', 'time', 'length', 'answer', 'covered'],
  talk: ['bestCommand', 'bestReply', 'prose', 'followed', 'named', 'committed'],
};

interface Row extends Sample {
  readonly query: Query;
  readonly sessions: readonly string[];
  readonly messages: readonly string[];
  readonly half: number;
}

/** Halves by the session or the conversation that answers, so that nothing of the one is known to the other. */
const halfOf = (name: DataSet['name'], query: Query): number => {
  const key = name === 'coding' ? (query.gold_sessions[0] ?? '') : (query.project ?? '');
  let sum = 7;
  for (const letter of key) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % 2;
};

async function rowOf(set: DataSet, query: Query): Promise<Row> {
  const { candidates, values } = await collectCandidates([{ index: set.shelfOf(query) }], { text: query.query, limit: 10, now: Date.now() });
  const best = CHANNELS.map((channel) => (SHARES.has(channel) ? 1 : Math.max(1e-9, ...values.map((value) => value[channel]))));
  const sessions = candidates.map(({ row }) => row.id);
  const messages = candidates.map(({ chunk }) => chunk.messageId ?? '');
  const gold = new Set(set.name === 'coding' ? query.gold_sessions : query.gold_messages);
  return {
    query,
    sessions,
    messages,
    half: halfOf(set.name, query),
    values: values.map((value) => CHANNELS.map((channel, nth) => value[channel] / (best[nth] as number))),
    gold: (set.name === 'coding' ? sessions : messages).map((id) => gold.has(id)),
  };
}

/** Sessions are ranked by the best that each of their candidates has to say. */
function bySession(row: Row): Sample {
  const merged = new Map<string, number[]>();
  for (const [nth, session] of row.sessions.entries()) {
    const values = row.values[nth] as readonly number[];
    const known = merged.get(session);
    merged.set(session, known === undefined ? [...values] : known.map((value, at) => Math.max(value, values[at] as number)));
  }
  const gold = new Set(row.query.gold_sessions);
  return { values: [...merged.values()], gold: [...merged.keys()].map((session) => gold.has(session)) };
}

function figuresOf(rows: readonly Row[], weights: readonly number[], by: 'session' | 'message'): Figures {
  const judged = rows.map((row) => {
    const scores = row.values.map((values) => values.reduce((sum, value, nth) => sum + value * (weights[nth] as number), 0));
    const order = scores.map((_, nth) => nth).toSorted((a, b) => (scores[b] as number) - (scores[a] as number));
    const found = { sessions: order.map((nth) => row.sessions[nth] as string), messages: order.map((nth) => row.messages[nth] as string) };
    return { group: '', figures: judge(row.query, found, by) };
  });
  return means(judged).get('all') as Figures;
}

const shown = ({ any1, any5, all5, mrr }: Figures): string => [any1, any5, all5, mrr].map((value) => value.toFixed(3)).join(' ');

/** Weights for one kind of data: from each half alone, checked on the other, and from both. */
export async function tune(set: DataSet): Promise<void> {
  const rows: Row[] = [];
  for (const query of set.queries) rows.push(await rowOf(set, query));
  const used = CHANNELS.map((channel) => !IDLE[set.name].includes(channel));
  const samples = (some: readonly Row[]): readonly Sample[] => (set.name === 'coding' ? some.map(bySession) : some);
  const views = set.name === 'coding' ? (['session'] as const) : (['session', 'message'] as const);
  console.log(`\n${set.name}: any@1 any@5 all@5 MRR, over all candidates`);
  for (const half of [0, 1]) {
    const weights = regress(samples(rows.filter((row) => row.half === half)), used);
    for (const by of views) {
      const own = rows.filter((row) => row.half === half);
      const other = rows.filter((row) => row.half !== half);
      console.log(
        `  by ${by.padEnd(8)} tuned on half ${half} (${own.length}): ${shown(figuresOf(own, weights, by))}   on the other (${other.length}): ${shown(figuresOf(other, weights, by))}`,
      );
    }
  }
  const table = CHANNELS.map((channel) => WEIGHTS[set.name === 'coding' ? 'work' : 'talk'][channel] ?? 0);
  const whole = regress(samples(rows), used);
  for (const by of views)
    console.log(`  by ${by.padEnd(8)} the table in use: ${shown(figuresOf(rows, table, by))}   tuned on all: ${shown(figuresOf(rows, whole, by))}`);
  console.log(`  tuned on all: ${CHANNELS.flatMap((channel, nth) => (used[nth] ? [`${channel} ${(whole[nth] as number).toFixed(2)}`] : [])).join(', ')}`);
}
