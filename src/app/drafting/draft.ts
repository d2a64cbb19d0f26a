import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Config } from '../../core/config/effective.ts';
import type { Model } from '../../core/ports/model.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { readDrafted, readVerdict, type Drafted, type DraftVerdict } from './answer.ts';
import { draftPrompt, verifyPrompt, type DraftQuestion, type ModelPrompt, shaped } from './prompt.ts';
import type { SessionSummary } from '../../capture/summary/summary.ts';
import type { SessionFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { newRecord } from '../../core/lifecycle/create.ts';
import { redact } from '../../core/redact/text.ts';
import type { Memory } from '../memory/memory.ts';

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

export interface SummaryModels {
  readonly draft: string;
  readonly verify: string;
}

/**
 * A session's summary by a model. Changed files, commits and origin come from the tool calls, not from the model. Refused without an answer, when it does
 * not fit the schema, or when the verifier finds something invented.
 */
export async function modelSummary(memory: Memory, model: Model, names: SummaryModels, summary: SessionSummary, facts: SessionFacts): Promise<Result<Draft>> {
  const found = summary.draft(facts);
  const context = redact(summary.triage.contextOf('session_summary')).text;
  const drafted = await askDraft(model, names.draft, { category: 'session_summary', context, structural: 'CREATE' });
  if (!drafted.ok) return drafted;
  const { record } = drafted.value;
  if (!record) return refuse('MODEL_ERROR', 'the model found nothing to summarise');
  const content = shaped('session_summary', record['content']) as Readonly<Record<string, unknown>>;
  const facted = found['content'] as Readonly<Record<string, unknown>>;
  const draft: Draft = {
    ...found,
    ...(typeof record['title'] === 'string' && record['title'].trim() !== '' && { title: record['title'] }),
    content: { ...facted, ...content, key_changes: facted['key_changes'] },
  };
  const checked = newRecord(draft, 'session_summary', 'draft', memory.now());
  if (!checked.ok) return refuse('MODEL_ERROR', `the model's summary does not fit: ${checked.error.message}`);
  const verdict = await askVerdict(model, names.verify, 'session_summary', context, { title: draft['title'], content: content });
  if (!verdict.ok) return verdict;
  if (!verdict.value.passed) return refuse('MODEL_ERROR', `a verifier turned the model's summary down: ${verdict.value.issues.join('; ').slice(0, 200)}`);
  return ok(draft);
}
