import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { StoredSession } from '../../core/ports/episodes.ts';
import type { Memory } from '../memory/memory.ts';

/** The figures behind the plots of a project; a day is `2026-03-01`, in UTC. */
export interface Plots {
  /** Records written on a day, by category. */
  readonly records: readonly { readonly day: string; readonly category: string; readonly count: number }[];
  readonly injections: readonly { readonly day: string; readonly blocks: number; readonly tokens: number }[];
  /** Tokens injected into each session, oldest first, and the budget of a session. */
  readonly sessions: readonly { readonly session: string; readonly at: string; readonly tokens: number }[];
  readonly budget: number;
  readonly verdicts: readonly { readonly day: string; readonly useful: number; readonly other: number }[];
  readonly activity: readonly { readonly day: string; readonly count: number }[];
}

const INJECTIONS = 20_000;
const SESSIONS_SHOWN = 120;
const dayOf = (at: string): string => at.slice(0, 10);

/** Counts by key, in the order of the keys. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(key: string, by = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }

  rows(): readonly (readonly [key: string, count: number])[] {
    return [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  at(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

export async function plotsOf(memory: Memory, log: InjectionLog | undefined, sessions: readonly StoredSession[]): Promise<Plots> {
  const [records, activity, blocks, tokens, useful, other] = [new Tally(), new Tally(), new Tally(), new Tally(), new Tally(), new Tally()];
  for (const { createdAt, category } of memory.index.items({ kind: 'record' })) records.add(`${dayOf(createdAt)} ${category ?? ''}`);
  for (const { at, op } of await memory.store.journal.entries()) if (op !== 'adopt') activity.add(dayOf(at));
  for (const { facts } of sessions) if (facts.startedAt !== undefined) activity.add(dayOf(facts.startedAt));
  const bySession = new Map<string, { at: string; tokens: number }>();
  for (const injection of log?.injections(undefined, INJECTIONS) ?? []) {
    const day = dayOf(injection.at);
    blocks.add(day);
    tokens.add(day, injection.tokens);
    activity.add(day);
    const known = bySession.get(injection.session);
    bySession.set(injection.session, { at: injection.at, tokens: (known?.tokens ?? 0) + injection.tokens });
  }
  for (const { at, verdict } of log?.feedback() ?? []) (verdict === 'useful' ? useful : other).add(dayOf(at));
  const judged = new Set([...useful.rows(), ...other.rows()].map(([day]) => day));
  return {
    records: records.rows().map(([key, count]) => ({ day: key.slice(0, 10), category: key.slice(11), count })),
    injections: blocks.rows().map(([day, count]) => ({ day, blocks: count, tokens: tokens.at(day) })),
    sessions: [...bySession]
      .map(([session, facts]) => ({ session, ...facts }))
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .slice(-SESSIONS_SHOWN),
    budget: memory.config.get('inject.sessionTokens'),
    verdicts: [...judged].toSorted().map((day) => ({ day, useful: useful.at(day), other: other.at(day) })),
    activity: activity.rows().map(([day, count]) => ({ day, count })),
  };
}
