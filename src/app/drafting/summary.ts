import type { SessionSummary } from '../../capture/summary/summary.ts';
import type { SessionFacts } from '../../core/episode/episode.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Draft } from '../../core/record/draft.ts';
import { newRecord } from '../../core/lifecycle/create.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { askDraft, askVerdict } from './draft.ts';
import { shaped } from './shape.ts';

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
  const said = shaped('session_summary', record['content']) as Readonly<Record<string, unknown>>;
  const facted = found['content'] as Readonly<Record<string, unknown>>;
  const draft: Draft = {
    ...found,
    ...(typeof record['title'] === 'string' && record['title'].trim() !== '' && { title: record['title'] }),
    content: { ...facted, ...said, key_changes: facted['key_changes'] },
  };
  const checked = newRecord(draft, 'session_summary', 'draft', memory.now());
  if (!checked.ok) return refuse('MODEL_ERROR', `the model's summary does not fit: ${checked.error.message}`);
  const verdict = await askVerdict(model, names.verify, 'session_summary', context, { title: draft['title'], content: said });
  if (!verdict.ok) return verdict;
  if (!verdict.value.passed) return refuse('MODEL_ERROR', `a verifier turned the model's summary down: ${verdict.value.issues.join('; ').slice(0, 200)}`);
  return ok(draft);
}
