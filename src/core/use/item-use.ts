/**
 * The outcome of an injected item in one session: the user said the opposite, or said it again; the agent looked it up, or its words show that it went by
 * it; or nothing of the kind, for an item shown for a prompt or a tool call, or one that only stood in the brief.
 */
export type UseOutcome = 'contradicted' | 'repeated' | 'fetched' | 'followed' | 'unused' | 'passed';

/** In how many sessions each came about. */
export interface ItemUse {
  readonly shown: number;
  readonly used: number;
  readonly repeated: number;
  readonly contradicted: number;
  /** Sessions since its last change that did not use it; one that had it in the brief only counts a third. Zero for an item that was ever used or repeated. */
  readonly silent: number;
}

export const PASSED_SHARE = 1 / 3;
/** Silent sessions after which an item sinks. */
const SILENT_SESSIONS = 4;
/** Sessions with use that count in full. */
const ENOUGH_USE = 3;

/** A rule is followed without mention, so no mention says nothing about its use. */
const isRule = (name: string): boolean => /^(?:preference|constraint)\/|^rule:/.test(name);

/** From 1, used often or repeated by the user, to -1, contradicted or never used; 0 where too little is known. */
export function useValue(name: string, use: ItemUse | undefined): number {
  if (use === undefined) return 0;
  if (use.contradicted > use.repeated + use.used) return -1;
  if (use.repeated > 0) return 1;
  if (use.used > 0) return Math.min(1, use.used / ENOUGH_USE) * Math.min(1, (2 * use.used) / use.shown);
  return isNeverUsed(name, use) ? -1 : 0;
}

/** Whether it was shown often enough to say that it does not help. */
export const isNeverUsed = (name: string, use: ItemUse | undefined): boolean => use !== undefined && !isRule(name) && use.silent >= SILENT_SESSIONS;

/** Whether to show it again: not if it was marked wrong or outdated, or never helped. */
export const isWelcome = (name: string, received: { readonly feedback: number; readonly use?: ItemUse } | undefined): boolean =>
  (received?.feedback ?? 0) >= 0 && !isNeverUsed(name, received?.use);

const sessions = (count: number): string => `${count} ${count === 1 ? 'session' : 'sessions'}`;

/** The same in words. */
export function useWords({ shown, used, repeated, contradicted }: ItemUse): string {
  if (contradicted > repeated + used) return `the user said the opposite in ${sessions(contradicted)}`;
  if (repeated > 0) return `the user said it again in ${sessions(repeated)} that had it`;
  return used > 0 ? `the agent used it in ${used} of ${sessions(shown)}` : `was shown in ${sessions(shown)} and never used`;
}
