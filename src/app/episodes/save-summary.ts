import { epochOf, utcSeconds } from '../../core/instant.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { Draft } from '../../core/record/draft.ts';
import { TAG_CAP, type MemoryRecord } from '../../core/record/schema.ts';
import { ok, type Result } from '../../core/result.ts';
import { explainFolder } from '../documents/write.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { currentRecord, identical, type CurrentRecord } from '../write/current.ts';
import type { Author } from '../write/transaction.ts';
import { updateRecord } from '../write/update.ts';
import type { Written } from '../write/written.ts';

/** A `_memory/` that the project brought along goes on being where its conversations are summed up. */
const summaryRoot = ({ store, config }: Memory): RootName => (store.roots.includes('folder') ? 'folder' : config.get('storage.root'));

/** Saves the summary of a session: a session has one, which is brought up to date when it went on. */
export async function saveSummary(memory: Memory, sessionId: string, draft: Draft, author: Author): Promise<Result<Written>> {
  await catchUp(memory);
  const id = idOfStem('session_summary', sessionId);
  const known = memory.index.byId(id).find(({ category }) => category === 'session_summary');
  if (known === undefined) {
    const root = summaryRoot(memory);
    if (root === 'folder') await explainFolder(memory, author);
    return createRecord(memory, { ...author, category: 'session_summary', draft: notAhead(draft, memory.now()), root, sessionId });
  }
  const current = await currentRecord(memory, known);
  if (!current.ok) return current;
  const next = nextSummary(current.value.record, draft, memory.now());
  if (identical(current.value.record, next as unknown as MemoryRecord)) return ok(unchanged(memory, current.value));
  return updateRecord(memory, { ...author, place: known, draft: next, hash: current.value.file.hash });
}

/** A transcript whose clock was wrong, or lied, does not make a summary that is newest for ever. */
function notAhead(draft: Draft, now: number): Draft {
  const { created_at: created, ...rest } = draft;
  return typeof created === 'string' && (epochOf(created) ?? now) < now ? draft : rest;
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

/** The session seen as a whole again: its content anew, tags and files only more. */
function nextSummary(old: MemoryRecord, draft: Draft, now: number): Draft {
  return {
    ...old,
    ...draft,
    created_at: old.created_at,
    tags: [...new Set([...old.tags, ...textsOf(draft['tags'])])].slice(0, Math.max(TAG_CAP, old.tags.length)),
    related_files: [...new Set([...(old.related_files ?? []), ...textsOf(draft['related_files'])])],
    changes: [...(old.changes ?? []), { date: utcSeconds(now), summary: 'Summarised again' }],
  };
}

const unchanged = (memory: Memory, { record, file }: CurrentRecord): Written => ({
  status: 'unchanged',
  record,
  place: { root: file.root, path: file.path },
  file: memory.store.absolute(file),
  hash: file.hash,
  warnings: [],
  redactions: [],
});
