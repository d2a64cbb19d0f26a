import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Config } from '../../core/config/effective.ts';
import type { Model } from '../../core/ports/model.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { readDrafted, readVerdict, type Drafted, type DraftVerdict } from './answer.ts';
import { draftPrompt, verifyPrompt, type DraftQuestion, type ModelPrompt } from './prompt.ts';

/** Which model does which step. */
export interface StepModels {
  draft(category: TriageCategory): string;
  readonly verify: string;
  readonly parallel: boolean;
}

/** One model for all steps, or one for each step in parallel mode. `model.name` overrides both, a model named by the caller overrides all. */
export function stepModels(config: Config, word = 'auto'): StepModels {
  const parallel = config.get('triage.parallel.enabled');
  const [one, usual] = [word === 'auto' ? config.get('model.name') : word, config.get('triage.parallel.default_model')];
  const own = config.get('triage.parallel.category_models');
  return {
    parallel,
    draft: (category) => one || (parallel ? (own[category] ?? usual) : usual),
    verify: one || (parallel ? config.get('triage.parallel.verification_model') : usual),
  };
}

const DRAFT_TOKENS = 2500;
const VERDICT_TOKENS = 800;

async function ask<T>(model: Model, name: string, prompt: ModelPrompt, maxTokens: number, read: (text: string) => Result<T>): Promise<Result<T>> {
  const answer = await model.complete({ model: name, ...prompt, maxTokens, json: true });
  if (!answer.ok) return answer;
  const value = read(answer.value.text);
  if (value.ok || !answer.value.cut) return value;
  return refuse('MODEL_ERROR', `the model's answer was cut off after ${maxTokens} tokens`);
}

/** Asks a model for a draft. */
export const askDraft = (model: Model, name: string, question: DraftQuestion): Promise<Result<Drafted>> =>
  ask(model, name, draftPrompt(question), DRAFT_TOKENS, readDrafted);

/** Asks a model whether a draft is true to its context. */
export async function askVerdict(model: Model, name: string, category: TriageCategory, context: string, draft: object): Promise<Result<DraftVerdict>> {
  const verdict = await ask(model, name, verifyPrompt(category, context, draft), VERDICT_TOKENS, readVerdict);
  // An unreadable verdict verifies nothing.
  if (!verdict.ok && verdict.error.code === 'INPUT_ERROR') return ok({ passed: false, issues: ['the verifier gave no verdict that can be read'] });
  return verdict;
}
