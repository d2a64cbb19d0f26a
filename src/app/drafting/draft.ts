import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Config } from '../../core/config/effective.ts';
import type { Model } from '../../core/ports/model.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { readDraftAnswer, readVerdict, type DraftAnswer, type DraftVerdict } from './answer.ts';
import { draftPrompt, verifyPrompt, type DraftQuestion, type ModelPrompt, shaped } from './prompt.ts';
import type { SessionSummary } from '../../capture/summary/summary.ts';
import type { SessionFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { newRecord } from '../../core/lifecycle/create.ts';
import { redact } from '../../core/redact/text.ts';
import type { Memory } from '../memory/memory.ts';

/** The model for each step. */
export interface StepModels {
  draft(category: TriageCategory): string;
  readonly verify: string;
  readonly parallel: boolean;
}

/** One model for all steps, or one for each step in parallel mode. `model.name` overrides both; the caller's choice overrides everything. */
export function stepModels(config: Config, choice = 'auto'): StepModels {
  const parallel = config.get('triage.parallel.enabled');
  const [singleModel, defaultModel] = [choice === 'auto' ? config.get('model.name') : choice, config.get('triage.parallel.default_model')];
  const categoryModels = config.get('triage.parallel.category_models');
  return {
    parallel,
    draft: (category) => singleModel || (parallel ? (categoryModels[category] ?? defaultModel) : defaultModel),
    verify: singleModel || (parallel ? config.get('triage.parallel.verification_model') : defaultModel),
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
export const askDraft = (model: Model, name: string, question: DraftQuestion): Promise<Result<DraftAnswer>> =>
  ask(model, name, draftPrompt(question), DRAFT_TOKENS, readDraftAnswer);

/** Asks a model whether a draft is true to its context. */
export async function askVerdict(model: Model, name: string, category: TriageCategory, context: string, draft: object): Promise<Result<DraftVerdict>> {
  const verdict = await ask(model, name, verifyPrompt(category, context, draft), VERDICT_TOKENS, readVerdict);
  // An unreadable verdict counts as a failed one.
  if (!verdict.ok && verdict.error.code === 'INPUT_ERROR') return ok({ passed: false, issues: ['the verdict could not be read'] });
  return verdict;
}

export interface SummaryModels {
  readonly draft: string;
  readonly verify: string;
}

/**
 * Summarises a session with a model. Changed files, commits and origin come from the tool calls, not from the model. Refuses if the model does not answer,
 * if the answer does not fit the schema, or if the verifier finds something invented.
 */
export async function modelSummary(memory: Memory, model: Model, names: SummaryModels, summary: SessionSummary, facts: SessionFacts): Promise<Result<Draft>> {
  const extracted = summary.draft(facts);
  const context = redact(summary.triage.contextOf('session_summary')).text;
  const drafted = await askDraft(model, names.draft, { category: 'session_summary', context, structural: 'CREATE' });
  if (!drafted.ok) return drafted;
  const { record } = drafted.value;
  if (!record) return refuse('MODEL_ERROR', 'the model returned no summary');
  const content = shaped('session_summary', record['content']) as Readonly<Record<string, unknown>>;
  const extractedContent = extracted['content'] as Readonly<Record<string, unknown>>;
  const draft: Draft = {
    ...extracted,
    ...(typeof record['title'] === 'string' && record['title'].trim() !== '' && { title: record['title'] }),
    content: { ...extractedContent, ...content, key_changes: extractedContent['key_changes'] },
  };
  const validated = newRecord(draft, 'session_summary', 'draft', memory.now());
  if (!validated.ok) return refuse('MODEL_ERROR', `the model's summary does not fit the schema: ${validated.error.message}`);
  const verdict = await askVerdict(model, names.verify, 'session_summary', context, { title: draft['title'], content: content });
  if (!verdict.ok) return verdict;
  if (!verdict.value.passed) return refuse('MODEL_ERROR', `the verifier rejected the model's summary: ${verdict.value.issues.join('; ').slice(0, 200)}`);
  return ok(draft);
}
