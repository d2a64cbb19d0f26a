import type { RefusedAnswer } from '../src/edges/http/contract.ts';

/** A request that the server did not carry out. */
export class Refusal extends Error {
  readonly answer: RefusedAnswer;

  constructor(answer: RefusedAnswer) {
    super(answer.message);
    this.answer = answer;
  }
}
