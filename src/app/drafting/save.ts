import { sameValue } from '../../core/value.ts';
import { utcSeconds, epochOf } from '../../core/instant.ts';
import { type Draft, validate } from '../../core/record/draft.ts';
import { realTags } from '../../core/record/labels.ts';
import { cleanTags, repair } from '../../core/record/repair.ts';
import { TAG_CAP, type MemoryRecord, type Origin } from '../../core/record/schema.ts';
import type { TriageCategory } from '../../capture/triage/settings.ts';
import { newRecord } from '../../core/lifecycle/create.ts';
import { resolveCud, type Action } from '../../core/lifecycle/candidate.ts';
import type { RootName } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isAutomatic, isQuarantined, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { hasSameContent } from '../write/current.ts';
import { moveRecord } from '../write/status.ts';
import { updateRecord } from '../write/update.ts';
import type { Written } from '../write/written.ts';
import type { DraftAnswer } from './answer.ts';
import type { MergeCandidate, CandidateCheck } from './prepare.ts';
import { shaped } from './prompt.ts';

/** Fields on open work: only their last version is true, so it replaces the earlier one. */
const REPLACED_FIELDS: readonly string[] = ['in_progress', 'blockers', 'next_actions'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const appended = (old: readonly unknown[], more: readonly unknown[]): readonly unknown[] => [
  ...old,
  ...more.filter((item, at) => !old.some((known) => sameValue(known, item)) && more.findIndex((other) => sameValue(other, item)) === at),
];

function mergedContent(old: MemoryRecord, content: unknown): Readonly<Record<string, unknown>> {
  const before = old.content as Readonly<Record<string, unknown>>;
  const fields = content !== null && typeof content === 'object' ? (content as Readonly<Record<string, unknown>>) : {};
  const merged = Object.entries(fields).map(([key, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [key, typeof value === 'string' && value.trim() === '' ? (before[key] ?? value) : value];
    return [key, old.category === 'session_summary' && REPLACED_FIELDS.includes(key) ? value : appended(listOf(before[key]), value)];
  });
  return { ...before, ...Object.fromEntries(merged) };
}

/** The next version of a record: appends list items, joins tags, replaces other fields, records the change. */
function nextVersion(old: MemoryRecord, draft: Draft, summary: string, now: number): Draft {
  const title = draft['title'];
  const tags = [...new Set([...realTags(old.tags), ...realTags(cleanTags(listOf(draft['tags'])))])];
  return {
    ...old,
    ...(typeof title === 'string' && title.trim() !== '' && { title }),
    // The old tags come first, so that the cap drops only new ones.
    tags: tags.slice(0, TAG_CAP),
    related_files: appended(old.related_files ?? [], listOf(draft['related_files'])),
    ...(listOf(draft['applies_to']).length > 0 && { applies_to: appended(old.applies_to ?? [], listOf(draft['applies_to'])) }),
    ...(typeof draft['confidence'] === 'number' && { confidence: draft['confidence'] }),
    content: mergedContent(old, draft['content']),
    changes: [...(old.changes ?? []), { date: utcSeconds(now), summary: summary.slice(0, 300) || 'Updated from a session' }],
  };
}

/** The source and the destination of drafts. */
export interface DraftSource {
  readonly actor: string;
  readonly root: RootName;
  /** Never `confirmed`: only a person confirms. */
  readonly trust: UnconfirmedTrust;
  readonly origin: Origin;
  readonly sessionId?: string | undefined;
  /** Time of the session, if known; drafting may happen much later. */
  readonly statedAt?: string | undefined;
}

/** A draft after the action table, ready for verification and save. */
export interface SettledDraft {
  readonly category: TriageCategory;
  readonly action: Action;
  readonly justification: string;
  /** The record that a create saves, or the next version that an update writes. */
  readonly draft?: Draft;
  readonly reason?: string;
  readonly candidate?: MergeCandidate;
}

const LOWEST_CONFIDENCE = 0.7;
/** 0.9 and above are for records that a person confirmed. */
const HIGHEST_CONFIDENCE = 0.89;
const MOST_FILES = 20;

const confidenceOf = (value: unknown): number => {
  const number = Number(value);
  return Number.isFinite(number) && value !== null && value !== '' ? Math.min(HIGHEST_CONFIDENCE, Math.max(LOWEST_CONFIDENCE, number)) : 0.8;
};

/** Paths relative to the project; a drafter may give absolute ones from the conversation. */
function filesOf(memory: Memory, value: unknown): readonly string[] {
  const base = memory.projectPath === undefined ? undefined : `${memory.projectPath.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  const paths = (Array.isArray(value) ? value : []).filter((path) => typeof path === 'string').map((path) => path.trim().replaceAll('\\', '/'));
  const inside = paths.map((path) => (base !== undefined && path.startsWith(base) ? path.slice(base.length) : path.replace(/^\.\//, '')));
  return [...new Set(inside)].filter((path) => path !== '' && path.length <= 300 && !path.startsWith('..')).slice(0, MOST_FILES);
}

/** The names that belong to existing records; a drafter may give any name. */
const existingRecords = (memory: Memory, value: unknown): readonly string[] =>
  listOf(value).filter(
    (name): name is string =>
      typeof name === 'string' && memory.index.byId(name.slice(name.indexOf('/') + 1)).some(({ category, id }) => `${category ?? ''}/${id}` === name),
  );

/** The fields that a drafter may set. */
const drafterFields = (memory: Memory, category: TriageCategory, record: Draft): Draft => ({
  title: record['title'],
  tags: record['tags'] ?? [],
  related_files: filesOf(memory, record['related_files']),
  ...(listOf(record['applies_to']).length > 0 && { applies_to: listOf(record['applies_to']) }),
  ...(existingRecords(memory, record['supersedes']).length > 0 && { supersedes: existingRecords(memory, record['supersedes']) }),
  confidence: confidenceOf(record['confidence']),
  content: shaped(category, record['content']),
});

function nextContent(memory: Memory, candidate: MergeCandidate, text: Draft, justification: string, statedAt: string | undefined): Result<Draft | undefined> {
  const next = nextVersion(candidate.record, text, justification, Math.min(epochOf(statedAt) ?? memory.now(), memory.now()));
  const checked = validate(candidate.record.category, repair(next, candidate.record.category, memory.now()));
  if (!checked.ok) return checked;
  return ok(hasSameContent(candidate.record, checked.value) ? undefined : next);
}

/** A quarantined draft neither changes nor retires a record that is not quarantined. */
const withoutTrustedCandidate = (check: CandidateCheck): CandidateCheck => {
  const { candidate, ...rest } = check;
  if (candidate === undefined || isQuarantined(candidate.record.trust)) return check;
  return { ...rest, structural: 'CREATE', preAction: rest.preAction === 'NOOP' ? 'NOOP' : 'CREATE' };
};

/** The session's time, unless it is in the future. */
const creationTime = (statedAt: string | undefined, now: number): Draft =>
  (epochOf(statedAt) ?? now) < now ? { created_at: utcSeconds(epochOf(statedAt) ?? now) } : {};

/** Decides the action by the table, never by the drafter alone, and checks the schema. */
export function settleDraft(memory: Memory, category: TriageCategory, drafted: DraftAnswer, check: CandidateCheck, source: DraftSource): Result<SettledDraft> {
  const { candidate, structural, preAction, vetoes } = isQuarantined(source.trust) ? withoutTrustedCandidate(check) : check;
  const { record, justification } = drafted;
  // Without an action, prefer an update over a new record.
  const action = resolveCud({ structural, requested: drafted.action ?? (candidate ? 'UPDATE' : 'CREATE'), preAction, vetoes });
  const noChange = (why: string): Result<SettledDraft> => ok({ category, action: 'NOOP', justification: why });
  if (action === 'NOOP') return noChange(vetoes[0] ?? (justification || 'nothing to save'));
  if (action === 'DELETE') {
    if (candidate?.holdsUserText === true && isAutomatic(source.actor)) return noChange('the user wrote it, and only the user retires it');
    return candidate ? ok({ category, action, justification, candidate, reason: drafted.reason ?? justification }) : noChange('there is nothing to delete');
  }
  if (!record) return noChange(`a ${category} is not deleted by a drafter`);
  const text = drafterFields(memory, category, record);
  if (action === 'UPDATE' && candidate) {
    const next = nextContent(memory, candidate, text, justification, source.statedAt);
    if (!next.ok) return next;
    return next.value ? ok({ category, action, justification, candidate, draft: next.value }) : noChange('the record says so already');
  }
  const draft: Draft = { ...text, trust: source.trust, origin: source.origin, ...creationTime(source.statedAt, memory.now()) };
  const checked = newRecord(draft, category, 'draft', memory.now());
  return checked.ok ? ok({ category, action: 'CREATE', justification, draft }) : checked;
}

/** The record's text, for the verifier. */
export const draftWords = ({ action, draft, candidate, reason }: SettledDraft): object => {
  if (action === 'DELETE') return { delete: candidate?.record.title, reason };
  const { title, tags, related_files: files, content } = (draft ?? {}) as Partial<MemoryRecord>;
  return { title, tags, related_files: files, content };
};

/** Writes a settled draft: a new record, the next version of one, or its retirement. */
export async function writeDraft(memory: Memory, settled: SettledDraft, source: DraftSource): Promise<Result<Written>> {
  const { category, action, draft, candidate, justification } = settled;
  const author = { actor: source.actor, ...(justification !== '' && { reason: justification }) };
  if (action === 'CREATE' && draft) {
    const { sessionId } = source;
    return createRecord(memory, {
      ...author,
      category,
      draft,
      root: source.root,
      ...(category === 'session_summary' && sessionId !== undefined && { sessionId }),
    });
  }
  if (action === 'UPDATE' && draft && candidate)
    return updateRecord(memory, { ...author, place: candidate.place, draft, hash: candidate.hash, statedAt: source.statedAt });
  if (action === 'DELETE' && candidate)
    return moveRecord(memory, 'retire', candidate.place, { actor: source.actor, reason: settled.reason || 'No longer holds' });
  return refuse('INPUT_ERROR', `there is nothing to save for ${category}`);
}
