import { epochOf, utcSeconds } from '../../core/instant.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { FileRef, RootName } from '../../core/ports/store.ts';
import type { Draft } from '../../core/record/draft.ts';
import { TAG_CAP, type MemoryRecord } from '../../core/record/schema.ts';
import { ok, type Result } from '../../core/result.ts';
import { isAutomatic } from '../../core/trust/trust.ts';
import { isAlike } from '../../capture/summary/text.ts';
import { explainFolder } from '../documents/write.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { currentRecord, hasSameContent, unchangedResult } from '../write/current.ts';
import { ADDED_LABEL, holdsUserText } from '../write/user-text.ts';
import type { Author } from '../write/transaction.ts';
import { moveRecord } from '../write/status.ts';
import { updateRecord } from '../write/update.ts';
import type { Written } from '../write/written.ts';

/** A project that has a `_memory/` folder keeps its conversation summaries there; only approved ones go into it. */
const summaryRoot = ({ store, config }: Memory, isAuto: boolean): RootName =>
  isAuto ? 'private' : store.roots.includes('folder') ? 'folder' : config.get('storage.root');

const APPROVED_REASON = 'Replaced by the approved summary';

/** Saves the summary of a session. A session has one summary, which is updated when the session continues. */
export async function saveSummary(memory: Memory, sessionId: string, draft: Draft, author: Author): Promise<Result<Written>> {
  await catchUp(memory);
  const id = idOfStem('session_summary', sessionId);
  const all = memory.index.byId(id).filter(({ category }) => category === 'session_summary');
  const existing = all.find(({ status }) => status === 'active') ?? all[0];
  const root = summaryRoot(memory, isAutomatic(author.actor));
  const create = async (replaces?: FileRef): Promise<Result<Written>> => {
    if (root === 'folder') await explainFolder(memory, author);
    return createRecord(memory, {
      ...author,
      category: 'session_summary',
      draft: notInFuture(draft, memory.now()),
      root,
      sessionId,
      ...(replaces && { replaces }),
    });
  };
  if (existing === undefined) return create();
  const current = await currentRecord(memory, existing);
  if (!current.ok) return current;
  // An approved summary replaces an automatic one, in the root for approved summaries.
  if (!isAutomatic(author.actor) && existing.root === 'private' && root === 'folder' && !(await holdsUserText(memory, current.value.file))) {
    const created = await create(existing);
    const retired = created.ok ? await moveRecord(memory, 'retire', existing, { ...author, reason: APPROVED_REASON }) : created;
    return retired.ok ? created : retired;
  }
  const statedAt = textOf(notInFuture(draft, memory.now())['created_at']);
  // The user's own summary is not replaced: only work done long after it is added, marked as such.
  const isProtected = isAutomatic(author.actor) && (await holdsUserText(memory, current.value.file));
  const next = isProtected
    ? laterWork(current.value.record, draft, memory.now())
    : nextSummary(current.value.record, draft, statedAt ?? utcSeconds(memory.now()));
  if (next === undefined) return ok(unchangedResult(memory, current.value));
  if (hasSameContent(current.value.record, next as unknown as MemoryRecord)) return ok(unchangedResult(memory, current.value));
  return updateRecord(memory, { ...author, place: existing, draft: next, hash: current.value.file.hash, statedAt });
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Drops a date in the future: a wrong clock would make this summary the newest for ever. */
function notInFuture(draft: Draft, now: number): Draft {
  const { created_at: created, ...rest } = draft;
  return typeof created === 'string' && (epochOf(created) ?? now) < now ? draft : rest;
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

/** A new summary of the whole session: new content; tags and files are only added. */
function nextSummary(old: MemoryRecord, draft: Draft, date: string): Draft {
  return {
    ...old,
    ...draft,
    created_at: old.created_at,
    tags: [...new Set([...old.tags, ...textsOf(draft['tags'])])].slice(0, Math.max(TAG_CAP, old.tags.length)),
    related_files: [...new Set([...(old.related_files ?? []), ...textsOf(draft['related_files'])])],
    changes: [...(old.changes ?? []), { date, summary: 'Summarised again' }],
  };
}

/** Only work that ended this long after the user approved a summary counts as later work. */
const LATER_MS = 10 * 60_000;
const MOST_LATER = 5;

/** The user's summary with what was finished after they wrote it, as tracking points of their own label; undefined if there is nothing. */
function laterWork(old: MemoryRecord, draft: Draft, now: number): Draft | undefined {
  const ended = epochOf(typeof draft['created_at'] === 'string' ? draft['created_at'] : undefined) ?? 0;
  if (old.category !== 'session_summary' || ended < (epochOf(old.updated_at) ?? now) + LATER_MS) return undefined;
  const points = old.content.tracking_points ?? [];
  const oldContent = JSON.stringify(old.content);
  const room = MOST_LATER - points.filter(({ label }) => label === ADDED_LABEL).length;
  const newItems = textsOf((draft['content'] as { readonly completed?: unknown }).completed).filter(
    (item) => !oldContent.includes(item) && !points.some(({ text }) => isAlike(text, item)),
  );
  if (newItems.length === 0 || room <= 0) return undefined;
  const later = newItems.slice(-room).map((text) => ({ label: ADDED_LABEL, text }));
  return {
    ...old,
    content: { ...old.content, tracking_points: [...points, ...later] },
    changes: [...(old.changes ?? []), { date: utcSeconds(now), summary: 'Later work added automatically' }],
  };
}
