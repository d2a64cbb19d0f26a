import { mayReplace, newRecord } from '../../core/lifecycle/create.ts';
import { recordStatus } from '../../core/lifecycle/status.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { FileRef, RootName } from '../../core/ports/store.ts';
import { fileStem, idOfStem, type Stems } from '../../core/project/filename.ts';
import { isSlug, slugOr, uniqueSlug } from '../../core/project/slug.ts';
import type { Category } from '../../core/record/category.ts';
import { type Draft, checkSize } from '../../core/record/draft.ts';
import { withoutLabels } from '../../core/record/labels.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redactDeep } from '../../core/redact/deep.ts';
import { isAutomatic, isQuarantined, writtenTrust } from '../../core/trust/trust.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { folderIn, stemOf, takesJsonRecords } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord, hasSameContent, withEvidence } from './current.ts';
import { archiveToMakeRoom } from './make-room.ts';
import { listNames, takenNames } from './names.ts';
import { markSuperseded } from './supersede.ts';
import { journalName, writing, type Author, type Writing } from './transaction.ts';
import { enforceWindow } from './window.ts';
import type { Written } from './written.ts';
import { unreadable } from '../read/resolve.ts';

export interface CreateRequest extends Author {
  readonly category: Category;
  readonly draft: Draft;
  readonly root: RootName;
  /** The file's path in the root; without it the record is named by its title. */
  readonly target?: string;
  /** Names a session summary's file. */
  readonly sessionId?: string;
  /** The record of the same name in another root that this one replaces. */
  readonly replaces?: FileRef;
}

/** Saves a new record. */
export async function createRecord(memory: Memory, request: CreateRequest): Promise<Result<Written>> {
  const { category, root } = request;
  if (root === 'skills') return refuse('PATH_ERROR', 'A folder of skills holds no records.');
  if (root === 'home') return refuse('PATH_ERROR', 'Records cannot be saved in the home itself.', { hint: 'your own records are in its user/ folder' });
  if (root === 'folder' && category !== 'session_summary') return refuse('PATH_ERROR', '_memory/ holds only session summaries.');
  if (!memory.config.get(`categories.${category}.enabled`)) {
    return refuse('CATEGORY_DISABLED', `The category ${category} is disabled.`, {
      hint: `enable it with holdfast config set categories.${category}.enabled true`,
    });
  }
  const sizeCheck = checkSize(request.draft);
  if (!sizeCheck.ok) return sizeCheck;
  const redacted = redactDeep(request.draft);
  const requestedPlace = await placeRequested(memory, request);
  if (!requestedPlace.ok) return requestedPlace;
  const provisionalId = requestedPlace.value ? idOfStem(category, stemOf(requestedPlace.value.path)) : titleSlug(memory, redacted.value);
  const draft = newRecord(redacted.value, category, provisionalId, memory.now());
  if (!draft.ok) return draft;
  return writing(memory, request, async (write) => {
    const slot = requestedPlace.value ? ok({ place: requestedPlace.value, id: provisionalId }) : await freeSlot(memory, request, draft.value);
    if (!slot.ok) return slot;
    if ('same' in slot.value) return ok({ ...slot.value.same, status: 'unchanged', warnings: [], redactions: redacted.redactions });
    const allowed = await mayCreate(memory, request, slot.value);
    if (!allowed.ok) return allowed;
    const room = await ensureRoom(memory, write, request, draft.value);
    if (!room.ok) return room;
    const trust = writtenTrust(request.actor, draft.value.trust);
    const record = withEvidence(memory, { ...draft.value, id: slot.value.id, scope: root === 'folder' ? 'shared' : root, ...(trust && { trust }) });
    const written = await writeRecord(memory, write, slot.value.place, record, redacted.redactions);
    await markSuperseded(memory, write, record, request.actor);
    return ok({ ...written, warnings: [...new Set([...written.warnings, ...write.warnings])] });
  });
}

async function writeRecord(memory: Memory, write: Writing, place: FileRef, record: MemoryRecord, redactions: Written['redactions']): Promise<Written> {
  const entry = await write.apply({ ...place, text: renderRecordFile(place.path, record), op: 'create', ...journalName(record) });
  const window = record.category === 'session_summary' && place.root !== 'folder' ? await enforceWindow(memory, write, place.root) : undefined;
  return {
    status: 'created',
    record,
    place,
    file: memory.store.absolute(place),
    hash: entry.after ?? '',
    warnings: [...write.warnings, ...(window?.warnings ?? [])],
    redactions,
    ...(window && window.retired.length > 0 && { retired: window.retired }),
  };
}

/** The place of the given target, if any: a record file in the category's folder of the root. */
async function placeRequested(memory: Memory, { root, target, category }: CreateRequest): Promise<Result<FileRef | undefined>> {
  if (target === undefined) return ok(undefined);
  const located = await memory.store.locate(root, target);
  if (!located.ok) return located;
  const parts = located.value.path.split('/');
  if (parts.length !== 2 || parts[0] !== folderIn(root, category)) {
    return refuse('PATH_ERROR', `A ${category} belongs in ${folderIn(root, category)}/, not at ${located.value.path}.`);
  }
  if (!/\.(md|json)$/.test(parts[1] ?? '')) return refuse('PATH_ERROR', `${located.value.path} is neither .md nor .json.`);
  const slug = stemOf(located.value.path).replace(/^\d{4}-\d{2}-\d{2}_\d{3,6}_/, '');
  if (!isSlug(slug) && category !== 'analysis' && category !== 'session_summary') {
    return refuse('VALIDATION_ERROR', `The file name ${JSON.stringify(slug)} is not a valid id.`, {
      fields: ['id'],
      hint: 'use lower-case letters, digits and hyphens',
    });
  }
  return located;
}

function titleSlug(memory: Memory, draft: Draft): string {
  const name = [draft['id'], draft['title']].find((value) => typeof value === 'string' && value !== '');
  return slugOr(typeof name === 'string' ? withoutLabels(name) : '', memory.md5);
}

type RecordSlot = { readonly place: FileRef; readonly id: string };

/** A free id and file name for a record named by its title, or the existing record with the same content. */
async function freeSlot(
  memory: Memory,
  request: CreateRequest,
  record: MemoryRecord,
): Promise<Result<RecordSlot | { readonly same: Omit<Written, 'status' | 'warnings' | 'redactions'> }>> {
  const { category, root } = request;
  const holderOf = (id: string): ItemFacts | undefined => memory.index.byId(id).find((item) => item.category === category);
  const holder = holderOf(record.id);
  if (holder) {
    const current = await currentRecord(memory, holder);
    if (current.ok && recordStatus(current.value.record) === 'active' && hasSameContent(current.value.record, record)) {
      const { file } = current.value;
      return ok({ same: { record: current.value.record, place: { root: file.root, path: file.path }, file: memory.store.absolute(file), hash: file.hash } });
    }
    const replaceable = current.ok ? mayReplace(current.value.record, memory.now()) : undefined;
    if (replaceable && !replaceable.ok && replaceable.error.code === 'ANTI_RESURRECTION_ERROR') return replaceable;
  }
  const sessionId = request.sessionId ?? (category === 'session_summary' ? record.origin?.session_id : undefined);
  const id =
    sessionId === undefined
      ? uniqueSlug(record.id, { has: (slug) => holderOf(slug) !== undefined || unreadable(memory, `${category}/${slug}`) !== undefined })
      : idOfStem(category, sessionId);
  const nameFacts = {
    id,
    createdAt: record.created_at,
    ...(record.category === 'analysis' && { path: record.content.path }),
    ...(sessionId !== undefined && { sessionId }),
  };
  const folder = folderIn(root, category);
  const isJson = root === 'shared' && takesJsonRecords(memory);
  const extension = isJson || (memory.config.get('storage.format') === 'json' && root !== 'folder') ? 'json' : 'md';
  const placeAmong = async (names: Stems): Promise<Result<FileRef>> => {
    // A store of JSON records names files after their ids.
    const stem = isJson && sessionId === undefined && !names.has(id) ? ok(id) : fileStem(category, nameFacts, names);
    return stem.ok ? memory.store.locate(root, `${folder}/${stem.value}.${extension}`, 'free') : stem;
  };
  let place = await placeAmong(await takenNames(memory, root, folder));
  // The cached names may lack files that were just added by hand or left by a crashed writer.
  if (!place.ok || (await memory.store.stat(place.value))) place = await placeAmong(await listNames(memory, root, folder));
  return place.ok ? ok({ place: place.value, id }) : place;
}

const NO_PLACE: FileRef = { root: 'private', path: '' };

async function mayCreate(memory: Memory, { category, replaces = NO_PLACE }: CreateRequest, { place, id }: RecordSlot): Promise<Result<true>> {
  const existing = await memory.store.read(place);
  if (existing) {
    const current = await currentRecord(memory, place);
    if (!current.ok) return refuse('CREATE_OVERWRITE_ERROR', `${place.path} exists and is not a readable record.`, { hint: 'fix or move that file first' });
    const replaceable = mayReplace(current.value.record, memory.now());
    if (!replaceable.ok) return replaceable;
  }
  const isAt = (item: FileRef, other: FileRef): boolean => item.path === other.path && item.root === other.root;
  const namesake = memory.index.byId(id).find((item) => item.category === category && !isAt(item, place) && !isAt(item, replaces));
  if (namesake) return refuse('CREATE_OVERWRITE_ERROR', `${category}/${id} already exists: ${namesake.path}`, { hint: 'update it, or choose another title' });
  return ok(true);
}

/** Makes room in a full category by archiving automatic records; refuses if there are none to archive. */
async function ensureRoom(memory: Memory, write: Writing, { category, root, actor }: CreateRequest, { trust }: MemoryRecord): Promise<Result<true>> {
  const limit = memory.config.get('max_memories_per_category');
  // Counting is slow in a large memory; skip it while all files together are below the limit.
  if (memory.index.fileCount() < limit) return ok(true);
  const count = memory.index.count({ kind: 'record', category, status: 'active', root });
  if (count < limit) return ok(true);
  const automatic = isAutomatic(actor);
  if (await archiveToMakeRoom(memory, write, { category, root, limit, automatic, quarantined: automatic && isQuarantined(trust) })) return ok(true);
  return refuse('CATEGORY_FULL', `${category} has ${count} active records; max_memories_per_category is ${limit}.`, {
    hint: 'retire or archive some, or raise max_memories_per_category',
  });
}
