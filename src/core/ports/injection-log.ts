import type { ItemUse, UseOutcome } from '../use/item-use.ts';

/** The cause of an injection: a prompt, a tool call, or the way a session began. */
export type InjectionEvent = 'prompt' | 'action' | 'startup' | 'resume' | 'clear' | 'compact' | 'subagent';

export interface InjectedItem {
  /** `category/id` of a record, the id of a message or the name of a document. */
  readonly id: string;
  readonly title: string;
  /** The beginning of what the agent was shown of it, where that is more than the title. */
  readonly text?: string;
  /** The session that a quotation was taken from. */
  readonly source?: string;
  /** When it was last changed: a record that has changed since may be shown again. */
  readonly updatedAt: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** One injected block. The prompt is not saved: it may hold secrets. */
export interface Injection {
  readonly at: string;
  readonly session: string;
  readonly event: InjectionEvent;
  readonly tokens: number;
  readonly items: readonly InjectedItem[];
}

export const VERDICTS = ['useful', 'wrong', 'outdated'] as const;
export type FeedbackVerdict = (typeof VERDICTS)[number];

export interface Feedback {
  readonly at: string;
  /** `category/id`. */
  readonly id: string;
  readonly verdict: FeedbackVerdict;
  readonly session?: string;
}

export interface Verdicts {
  readonly useful: number;
  readonly wrong: number;
  readonly outdated: number;
}

/** The feedback on an item: useful is +1, wrong and outdated are -1; and its use in sessions. */
export interface Reception {
  readonly feedback: number;
  readonly use?: ItemUse;
}

/** The outcome of an injected item in one session. */
export interface NotedUse {
  readonly id: string;
  readonly outcome: UseOutcome;
  /** The item's last change, as the session was shown it. */
  readonly updatedAt: string;
}

/** Every injection of a memory, and the verdicts on injected items. */
export interface InjectionLog {
  note(injection: Injection): void;
  /** The items in a session's context since it was last cleared or compacted: ids, with the time each was last changed. */
  shown(session: string): ReadonlyMap<string, string>;
  /** Tokens put before a session, all told. */
  spent(session: string): number;
  /** Newest first; of one session or of all. */
  injections(session: string | undefined, limit: number): readonly Injection[];
  say(feedback: Feedback): void;
  /** Takes back one verdict that was given so. */
  unsay(feedback: Feedback): void;
  /** All verdicts, oldest first. */
  feedback(): readonly Feedback[];
  /** Those with a verdict. */
  verdicts(ids: readonly string[]): ReadonlyMap<string, Verdicts>;
  /** Those that were put before an agent for a prompt, or called useful; not what agents never used. */
  used(ids: readonly string[]): ReadonlySet<string>;
  /** Those of which nothing is known are left out. */
  receptionOf(ids: readonly string[]): ReadonlyMap<string, Reception>;
  /** Notes how a session used the items that it was shown, replacing earlier notes on that session. */
  noteUses(session: string, at: string, uses: readonly NotedUse[]): void;
  usesIn(session: string): ReadonlyMap<string, UseOutcome>;
}
