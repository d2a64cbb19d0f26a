import { mergeUpdate } from '../../core/lifecycle/merge.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { epochOf } from '../../core/instant.ts';
import { isSlug, slugify } from '../../core/project/slug.ts';
import type { Category } from '../../core/record/category.ts';
import { type Draft, checkSize } from '../../core/record/draft.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redactDeep } from '../../core/redact/deep.ts';
import { isAutomatic, writtenTrust } from '../../core/trust/trust.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord, unchangedResult, withEvidence } from './current.ts';
import { markSuperseded } from './supersede.ts';
import { journalName, writing, type Author, type Writing } from './transaction.ts';
import { additionsOnly, holdsUserText } from './user-text.ts';
import type { Written } from './written.ts';

export interface UpdateRequest extends Author {
  readonly place: FileRef;
  readonly draft: Draft;
  /** MD5 of the file as the caller read it. */
  readonly hash?: string;
  readonly category?: Category;
  /** When the change was stated, if not now. */
  readonly statedAt?: string | undefined;
}

/** Replaces a record by a draft of its next version, within the merge protections. */
export async function updateRecord(memory: Memory, request: UpdateRequest): Promise<Result<Written>> {
  const sizeCheck = checkSize(request.draft);
  return sizeCheck.ok ? writing(memory, request, (write) => updateWithin(memory, write, request)) : sizeCheck;
}

/** The same within an open write. */
export async function updateWithin(memory: Memory, write: Writing, request: UpdateRequest): Promise<Result<Written>> {
  const clean = redactDeep(request.draft);
  const current = await currentRecord(memory, request.place, 'UPDATE_ERROR');
  if (!current.ok) return current;
  const { file, record: old, layout } = current.value;
  if (request.hash !== undefined && request.hash !== file.hash) {
    return refuse('OCC_CONFLICT', `${file.path} has changed since it was read (now ${file.hash}).`, { hint: 'read it again and repeat the update' });
  }
  const isProtected = isAutomatic(request.actor) && (await holdsUserText(memory, file));
  const draft = isProtected ? additionsOnly(old, clean.value, memory.now()) : clean.value;
  if (draft === undefined) return ok(unchangedResult(memory, current.value));
  const merged = mergeUpdate(old, draft, memory.now(), memory.projectFileExists, Math.min(epochOf(request.statedAt) ?? memory.now(), memory.now()));
  if (!merged.ok) return merged;
  // A confirmation applies to the earlier text, which is kept as a version.
  const trust = writtenTrust(request.actor, old.trust);
  const next = withEvidence(memory, { ...merged.value.record, ...(trust && { trust }) });
  const warnings = [
    ...merged.value.warnings,
    ...(request.hash === undefined ? ['updated without --hash: a change made in between would have been overwritten'] : []),
  ];
  const renamed = await renamedByTitle(memory, request.place, old, next, warnings);
  const { place, record } = renamed;
  const text = renderRecordFile(place.path, record, layout);
  const isRename = place.path !== request.place.path;
  const entry = await write.apply({
    ...place,
    text,
    op: isRename ? 'rename' : 'update',
    ...journalName(record),
    ...(isRename && { from: request.place.path }),
  });
  if (isRename) await write.apply({ ...request.place, op: 'rename', ...journalName(old) });
  await markSuperseded(memory, write, record, request.actor, old.supersedes);
  return ok({
    status: 'updated',
    record,
    place,
    file: memory.store.absolute(place),
    hash: entry.after ?? '',
    warnings: [...warnings, ...write.warnings],
    redactions: clean.redactions,
    ...(isRename && { renamedFrom: request.place.path }),
  });
}

const RENAME_DIFFERENCE = 0.5;

/** The share of two titles' words that only one of them has. */
function titleDifference(a: string, b: string): number {
  const [left, right] = [new Set(a.toLowerCase().split(/\s+/)), new Set(b.toLowerCase().split(/\s+/))];
  const all = new Set([...left, ...right]);
  return [...all].filter((word) => !(left.has(word) && right.has(word))).length / all.size;
}

/** Renames a record's file after a very different title, unless that name is taken. */
async function renamedByTitle(
  memory: Memory,
  place: FileRef,
  old: MemoryRecord,
  next: MemoryRecord,
  warnings: string[],
): Promise<{ place: FileRef; record: MemoryRecord }> {
  const unrenamed = { place, record: next };
  const stem = stemOf(place.path);
  const slug = slugify(next.title);
  if (next.category === 'session_summary' || next.category === 'analysis' || !stem.endsWith(old.id)) return unrenamed;
  if (titleDifference(old.title, next.title) <= RENAME_DIFFERENCE || !isSlug(slug) || slug === old.id) return unrenamed;
  const path = place.path.replace(stem, `${stem.slice(0, -old.id.length)}${slug}`);
  const isTaken =
    (await memory.store.stat({ root: place.root, path })) !== undefined || memory.index.byId(slug).some((item) => item.category === next.category);
  if (isTaken) {
    warnings.push(`the title is new, but ${slug} is taken: the file keeps its name`);
    return unrenamed;
  }
  return { place: { root: place.root, path }, record: { ...next, id: slug } };
}
