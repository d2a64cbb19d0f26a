import { estimateTokens } from '../../core/budget/token-ledger.ts';
import type { TokenBudget, Model } from '../../core/ports/model.ts';

/** The same model within a daily budget: tokens are set aside before each call and settled by what it used. */
export function metered(model: Model, budget: TokenBudget, limit: number): Model {
  return {
    complete: async (request) => {
      const estimate = estimateTokens(request.system) + estimateTokens(request.prompt) + request.maxTokens;
      const reserved = await budget.reserve(estimate, limit);
      if (!reserved.ok) return reserved;
      let spent = estimate;
      try {
        const answer = await model.complete(request);
        if (answer.ok) spent = answer.value.usage.input + answer.value.usage.output;
        else if (!answer.error.maybeSpent) spent = 0;
        return answer;
      } finally {
        await reserved.value.settle(spent);
      }
    },
  };
}
