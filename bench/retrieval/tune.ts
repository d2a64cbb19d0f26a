import { collectCandidates } from '../../src/recall/rank/rank-chunks.ts';
import { type Channel, CHANNELS, type Register, SHARES, WEIGHTS } from '../../src/recall/rank/weights.ts';
import { regress, type Sample } from './regression.ts';
import { type By, type Figures, judge, means } from './ruler.ts';
import type { DataSet, Query } from './sets.ts';

interface Row extends Sample {
  readonly query: Query;
  /** What may be left out as a whole: a project, or a conversation. */
  readonly part: string;
  readonly sessions: readonly string[];
  readonly messages: readonly string[];
}

async function rowOf(set: DataSet, query: Query): Promise<Row> {
  const { candidates, values } = await collectCandidates(
    set.indexesOf(query).map((index) => ({ index })),
    { text: query.query, limit: 10, now: Date.now() },
  );
  const best = CHANNELS.map((channel) => (SHARES.has(channel) ? 1 : Math.max(1e-9, ...values.map((value) => value[channel]))));
  const sessions = candidates.map(({ row }) => row.id);
  const gold = new Set(query.gold_sessions);
  return {
    query,
    part: set.kind === 'coding' ? set.name : set.projectOf(query),
    sessions,
    messages: candidates.map(({ chunk }) => chunk.messageId ?? ''),
    values: values.map((value) => CHANNELS.map((channel, nth) => value[channel] / (best[nth] as number))),
    gold: sessions.map((id) => gold.has(id)),
  };
}

async function rowsOf(sets: readonly DataSet[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const set of sets) for (const query of set.queries) rows.push(await rowOf(set, query));
  return rows;
}

/** Sessions are ranked by the best that each of their candidates has to say. */
function bySession({ sessions, values, query }: Row): Sample {
  const merged = new Map<string, number[]>();
  for (const [nth, session] of sessions.entries()) {
    const own = values[nth] as readonly number[];
    const known = merged.get(session);
    merged.set(session, known === undefined ? [...own] : known.map((value, at) => Math.max(value, own[at] as number)));
  }
  const gold = new Set(query.gold_sessions);
  return { values: [...merged.values()], gold: [...merged.keys()].map((session) => gold.has(session)) };
}

function figuresOf(rows: readonly Row[], weights: readonly number[], by: By): Figures {
  const judged = rows.map((row) => {
    const scores = row.values.map((values) => values.reduce((sum, value, nth) => sum + value * (weights[nth] as number), 0));
    const order = scores.map((_, nth) => nth).toSorted((a, b) => (scores[b] as number) - (scores[a] as number));
    const ranked = { sessions: order.map((nth) => row.sessions[nth] as string), messages: order.map((nth) => row.messages[nth] as string) };
    return { group: '', figures: judge(row.query, ranked, by) };
  });
  return means(judged).get('all') as Figures;
}

const tableOf = (register: Register, without?: Channel): readonly number[] =>
  CHANNELS.map((channel) => (channel === without ? 0 : (WEIGHTS[register][channel] ?? 0)));

const points = (after: number, before: number): string => `${after < before ? '' : '+'}${(100 * (after - before)).toFixed(1)}`.padStart(5);

/** The gain of each channel: any@1 and any@5 of each part with the channel dropped, against the table in use. */
async function ablateOne(name: string, rows: readonly Row[], register: Register, by: By): Promise<void> {
  const parts = [...new Set(rows.map(({ part }) => part))];
  const figures = (weights: readonly number[]) =>
    parts.map((part) =>
      figuresOf(
        rows.filter((row) => row.part === part),
        weights,
        by,
      ),
    );
  const now = figures(tableOf(register));
  console.log(`\n${name}, by ${by}: change of any@1 and any@5 without a channel, in ${parts.join(', ')}`);
  for (const channel of CHANNELS.filter((one) => WEIGHTS[register][one] !== undefined)) {
    const without = figures(tableOf(register, channel));
    const helped = without.filter((one, nth) => one.any1 + one.any5 < (now[nth] as Figures).any1 + (now[nth] as Figures).any5).length;
    console.log(
      `  ${channel.padEnd(12)} ${without.map((one, nth) => `${points(one.any1, (now[nth] as Figures).any1)} ${points(one.any5, (now[nth] as Figures).any5)}`).join('   ')}   helps ${helped} of ${parts.length}`,
    );
  }
}

export async function ablate(coding: readonly DataSet[], talk: DataSet | undefined): Promise<void> {
  await ablateOne('coding sessions', await rowsOf(coding), 'work', 'session');
  if (talk) await ablateOne('conversations', await rowsOf([talk]), 'talk', 'message');
}

/** Weights for coding sessions from all projects but one, judged on that one, beside the table in use. */
export async function tune(coding: readonly DataSet[]): Promise<void> {
  const rows = await rowsOf(coding);
  const used = CHANNELS.map((channel) => WEIGHTS.work[channel] !== undefined && channel !== 'time');
  const figures = ({ any1, any5 }: Figures): string => `${any1.toFixed(3)} ${any5.toFixed(3)}`;
  console.log('any@1 any@5');
  for (const { name } of coding) {
    const [own, others] = [rows.filter(({ part }) => part === name), rows.filter(({ part }) => part !== name)];
    const weights = regress(others.map(bySession), used);
    console.log(
      `  ${name.padEnd(22)} left out: ${figures(figuresOf(own, weights, 'session'))}   the table in use: ${figures(figuresOf(own, tableOf('work'), 'session'))}`,
    );
    console.log(`    ${CHANNELS.flatMap((channel, nth) => (used[nth] ? [`${channel} ${(weights[nth] as number).toFixed(2)}`] : [])).join(', ')}`);
  }
}
