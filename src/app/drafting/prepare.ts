import { realTags } from '../../core/record/labels.ts';
import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Structural } from '../../core/lifecycle/candidate.ts';
import { recordStatus } from '../../core/lifecycle/status.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { catchUp } from '../index/catch-up.ts';
import { stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { candidateFor } from '../write/target.ts';
import { currentRecord } from '../write/current.ts';
import { holdsUserText } from '../write/user-text.ts';

/** The active record that new information may belong to. */
export interface MergeCandidate {
  readonly place: FileRef;
  readonly hash: string;
  readonly record: MemoryRecord;
  /** A person wrote some of it, or asked an agent to: only the user retires it. */
  readonly holdsUserText: boolean;
}

/** The result of the candidate check: which actions are allowed, and on which record. */
export interface CandidateCheck {
  readonly structural: Structural;
  readonly preAction: 'CREATE' | 'NOOP' | null;
  readonly vetoes: readonly string[];
  readonly candidate?: MergeCandidate;
}

export interface CandidateCheckRequest {
  readonly category: TriageCategory;
  readonly newInfo: string;
  readonly sessionId?: string | undefined;
}

async function readCandidate(memory: Memory, place: FileRef): Promise<Result<MergeCandidate>> {
  const current = await currentRecord(memory, place);
  if (!current.ok) return current;
  const { file, record } = current.value;
  return ok({ place: { root: place.root, path: place.path }, hash: file.hash, record, holdsUserText: await holdsUserText(memory, file) });
}

/** A session has one summary: its candidate is the summary of the same session, never one with similar words. */
async function sessionCandidate(memory: Memory, sessionId: string | undefined): Promise<Result<CandidateCheck>> {
  await catchUp(memory);
  const id = sessionId === undefined ? undefined : idOfStem('session_summary', sessionId);
  const summary = memory.index
    .items({ kind: 'record', category: 'session_summary', status: 'active' })
    .find((item) => id !== undefined && (item.id === id || stemOf(item.path) === sessionId));
  if (!summary) return ok({ structural: 'CREATE', preAction: 'CREATE', vetoes: [] });
  const candidate = await readCandidate(memory, summary);
  return candidate.ok ? ok({ structural: 'UPDATE', preAction: null, vetoes: [], candidate: candidate.value }) : candidate;
}

/** Checks, before drafting, which record the new information may belong to. */
export async function checkCandidate(memory: Memory, { category, newInfo, sessionId }: CandidateCheckRequest): Promise<Result<CandidateCheck>> {
  if (!memory.config.get(`categories.${category}.enabled`)) {
    return ok({ structural: 'NOOP', preAction: 'NOOP', vetoes: [`the category ${category} is disabled`] });
  }
  if (category === 'session_summary') return sessionCandidate(memory, sessionId);
  const answer = await candidateFor(memory, category, newInfo);
  if (!answer.ok) return answer;
  const { structural_cud: structural, pre_action: preAction, vetoes, candidate: entry } = answer.value;
  const item = entry && memory.index.items({ kind: 'record', category, status: 'active' }).find(({ path }) => path === entry.path);
  if (!item) return ok({ structural, preAction, vetoes });
  const candidate = await readCandidate(memory, item);
  return candidate.ok ? ok({ structural, preAction, vetoes, candidate: candidate.value }) : candidate;
}

/** The same check for a draft that names its record. */
export async function checkTarget(memory: Memory, category: TriageCategory, place: FileRef): Promise<Result<CandidateCheck>> {
  const candidate = await readCandidate(memory, place);
  if (!candidate.ok) return candidate;
  const { record } = candidate.value;
  if (record.category !== category) return refuse('VALIDATION_ERROR', `${place.path} is a ${record.category}, not a ${category}`, { fields: ['category'] });
  if (recordStatus(record) !== 'active') {
    return refuse('UPDATE_ERROR', `${place.path} is ${recordStatus(record)}`, { hint: 'restore it first, or draft a new record' });
  }
  // The candidate check also decides whether the record may be deleted; this query always finds it.
  const rule = await candidateFor(memory, category, `${record.title} ${realTags(record.tags).join(' ')}`);
  const mayDelete = rule.ok && rule.value.delete_allowed;
  return ok({ structural: mayDelete ? 'UPDATE_OR_DELETE' : 'UPDATE', preAction: null, vetoes: [], candidate: candidate.value });
}
