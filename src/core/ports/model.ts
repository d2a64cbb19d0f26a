import type { Refusal, Result } from '../result.ts';

export interface ModelRequest {
  /** The model's name as the caller gives it: an id that the provider knows, or a family such as `haiku`. */
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** Most tokens that the answer may have. */
  readonly maxTokens: number;
  /** The answer is one JSON object. A wish: not every provider can promise it. */
  readonly json?: boolean;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The provider did not say, so it was guessed from the texts. */
  readonly estimated?: true;
}

export interface Completion {
  readonly text: string;
  readonly usage: Usage;
  /** The answer reached `maxTokens` and is not whole. */
  readonly cut?: true;
}

/** Why there is no answer. The message never holds a key. */
export interface ModelRefusal extends Refusal {
  /** The request may have reached the model anyway, and may be charged. */
  readonly maybeSpent?: true;
}

/** A language model, wherever it runs. */
export interface Model {
  complete(request: ModelRequest): Promise<Result<Completion, ModelRefusal>>;
}

/** Set in the environment of every child that answers for a model: Holdfast's hooks do nothing if they find it. */
export const CHILD_MARKER = 'HOLDFAST_CHILD';

/** The right to spend tokens, held by one call. */
export interface Reservation {
  /** Notes how many tokens the call used. */
  settle(tokens: number): Promise<void>;
}

/** Counts the tokens that model calls use in a day, over all processes of one home. */
export interface TokenBudget {
  /** Sets tokens aside before a call; refused with BUDGET_EXHAUSTED when the day's limit would be passed. */
  reserve(tokens: number, limit: number): Promise<Result<Reservation>>;
  /** Spent or set aside since midnight UTC. */
  spentToday(): number;
}
