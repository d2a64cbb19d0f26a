import type { ItemUse, UseOutcome } from '../use/item-use.ts';

/** The cause of an injection: a prompt, a tool call, or the way a session began. */
export type InjectionEvent = 'prompt' | 'action' | 'startup' | 'resume' | 'clear' | 'compact' | 'subagent';

export interface InjectedItem {
  /** `category/id` of a record, the id of a message or the name of a document. */
  readonly id: string;
  readonly title: string;
  /** The beginning of the shown text, if it is more than the title. */
  readonly text?: string;
  /** The session that a quotation was taken from. */
  readonly source?: string;
  /** When it was last changed: a record that has changed since may be shown again. */
  readonly updatedAt: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** One injected block. The prompt is not saved, because it may contain secrets. */
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
export interface ItemOutcome {
  readonly id: string;
  readonly outcome: UseOutcome;
  /** The item's last change when it was shown. */
  readonly updatedAt: string;
}

/** Every injection of a memory, and the verdicts on injected items. */
export interface InjectionLog {
  note(injection: Injection): void;
  /** The items in a session's context since it was last cleared or compacted: ids, with the time each was last changed. */
  shown(session: string): ReadonlyMap<string, string>;
  /** The total of tokens injected into a session. */
  spent(session: string): number;
  /** Injections of one session or of all, newest first. */
  injections(session: string | undefined, limit: number): readonly Injection[];
  say(feedback: Feedback): void;
  /** Removes one such verdict. */
  unsay(feedback: Feedback): void;
  /** All verdicts, oldest first. */
  feedback(): readonly Feedback[];
  /** The verdicts of the ids that have any. */
  verdicts(ids: readonly string[]): ReadonlyMap<string, Verdicts>;
  /** The ids that were injected for a prompt or called useful, without those that agents never used. */
  used(ids: readonly string[]): ReadonlySet<string>;
  /** The reception of the ids for which there is any. */
  receptionOf(ids: readonly string[]): ReadonlyMap<string, Reception>;
  /** Stores how a session used its injected items, replacing earlier outcomes of that session. */
  noteUses(session: string, at: string, uses: readonly ItemOutcome[]): void;
  usesIn(session: string): ReadonlyMap<string, UseOutcome>;
}
