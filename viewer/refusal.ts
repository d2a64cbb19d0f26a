import type { RefusedAnswer } from '../src/edges/http/contract.ts';

/** The server's refusal of a request. */
export class Refusal extends Error {
  readonly answer: RefusedAnswer;

  constructor(answer: RefusedAnswer) {
    super(answer.message);
    this.answer = answer;
  }
}
