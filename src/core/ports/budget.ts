import type { Result } from '../result.ts';

/** The right to spend tokens, held by one call. */
export interface Reservation {
  /** Says what the call used in the end. */
  settle(tokens: number): Promise<void>;
}

/** Counts the tokens that model calls use in a day, over all processes of one home. */
export interface TokenBudget {
  /** Sets tokens aside before a call; refused with BUDGET_EXHAUSTED when the day's limit would be passed. */
  reserve(tokens: number, limit: number): Promise<Result<Reservation>>;
  /** Spent or set aside since midnight UTC. */
  spentToday(): number;
}
