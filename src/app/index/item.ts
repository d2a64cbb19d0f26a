import type { IndexItem, ItemTerms } from '../../core/ports/index.ts';
import type { RootName, StoredFile } from '../../core/ports/store.ts';
import { epochOf, utcSeconds } from '../../core/instant.ts';
import { idOfStem } from '../../core/project/filename.ts';
import { FOLDERS, type Category } from '../../core/record/category.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { eventTime } from '../../core/lifecycle/event-time.ts';
import { recordStatus } from '../../core/lifecycle/status.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { waitsForReview } from '../../core/trust/review.ts';
import { isQuarantined, storedTrust } from '../../core/trust/trust.ts';
import { realTags } from '../../core/record/labels.ts';
import { redactDeep } from '../../core/redact/deep.ts';
import { redact } from '../../core/redact/text.ts';
import { analyze } from '../../recall/text/analyze.ts';
import { packTexts } from '../../recall/chunks/packed-texts.ts';
import { spelledWords } from '../../recall/text/words.ts';
import { parseRecordFile } from '../../render/record-file.ts';
import { type ParsedRecord, checkSource } from '../../render/record.ts';
import { roleOf, stemOf } from '../memory/layout.ts';

/** A record without secrets; its file may hold some that the user typed. */
export interface StoredRecord extends ParsedRecord {
  /** The record with its secrets, for writing the file again. */
  readonly asWritten: MemoryRecord;
  /** Kinds of the secrets. */
  readonly secrets: readonly string[];
}

const secretKinds = (found: readonly { readonly kind: string }[]): readonly string[] => [...new Set(found.map(({ kind }) => kind))].toSorted();

/** Reads a record's file; fields that a hand-written file leaves out come from its name and its time. */
export function parseStored(file: StoredFile, category: Category): Result<StoredRecord> {
  const stem = stemOf(file.path);
  const parsed = parseRecordFile(file.path, file.text, { category, id: idOfStem(category, stem), time: utcSeconds(file.mtimeMs) });
  if (!parsed.ok) return { ok: false, error: { ...parsed.error, message: redact(parsed.error.message).text } };
  const { record: asWritten } = parsed.value;
  const { value: record, redactions: found } = redactDeep(asWritten);
  return ok({ ...parsed.value, record, asWritten, secrets: secretKinds(found) });
}

/** All text of a value, a line a string. */
function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(linesOf);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(linesOf) : [];
}

const termsOf = (title: string, tags: readonly string[], body: string, files: readonly string[]): ItemTerms => ({
  title: analyze(title).join(' '),
  tags: analyze(tags.join(' ')).join(' '),
  body: analyze(body).join(' '),
  files: analyze(files.join(' ')).join(' '),
});

const isShared = (root: RootName): boolean => root === 'shared' || root === 'folder';

/** Clocks of two machines differ by less than this. */
const MAX_CLOCK_SKEW_MS = 86_400_000;

/** A time of a repository's record is at most that of its file: with a date in the future it would rank before all others for ever. */
function notAfterWrite({ root, mtimeMs }: StoredFile, instant: string): string {
  return root === 'shared' && (epochOf(instant) ?? 0) > mtimeMs + MAX_CLOCK_SKEW_MS ? utcSeconds(mtimeMs) : instant;
}

/** The scope of a rule that the user confirmed, saved as a rule, or repeated. A rule that capture found once does not count yet. */
function ruleScope(record: MemoryRecord): Pick<IndexItem, 'appliesTo'> {
  const { applies_to: appliesTo = [], trust, times_updated: updated = 0 } = record;
  const isRule = !waitsForReview(record) || (updated > 0 && !isQuarantined(trust));
  return appliesTo.length > 0 && isRule ? { appliesTo } : {};
}

/** The times of a record; if its file does not state a creation time, the day in its name counts. */
function recordTimes(file: StoredFile, { record, filled }: StoredRecord): Pick<IndexItem, 'createdAt' | 'updatedAt' | 'writtenAt'> {
  const day = /^\d{4}-\d{2}-\d{2}(?=[_-]|$)/.exec(stemOf(file.path))?.[0];
  const created = filled.includes('created_at') && day !== undefined && epochOf(day) !== undefined ? utcSeconds(epochOf(day) ?? 0) : record.created_at;
  const isNamed = created !== record.created_at;
  const statedTime = eventTime({ ...record, created_at: created }, isNamed ? filled.filter((field) => field !== 'created_at') : filled);
  return { createdAt: notAfterWrite(file, created), updatedAt: notAfterWrite(file, statedTime), writtenAt: notAfterWrite(file, record.updated_at) };
}

function recordItem(file: StoredFile, stored: StoredRecord): IndexItem {
  const { record, secrets } = stored;
  const body = linesOf(record.content).join('\n');
  const files = record.related_files ?? [];
  return {
    kind: 'record',
    root: file.root,
    path: file.path,
    id: record.id,
    category: record.category,
    title: record.title,
    tags: record.tags,
    status: recordStatus(record),
    trust: storedTrust(isShared(file.root), record.trust),
    ...recordTimes(file, stored),
    body,
    files,
    ...(record.superseded_by === undefined ? {} : { supersededBy: record.superseded_by }),
    ...ruleScope(record),
    ...(waitsForReview(record) && { waits: true as const }),
    terms: termsOf(record.title, realTags(record.tags), body, files),
    packedTexts: packTexts({ title: record.title, tags: realTags(record.tags), body, files }),
    ...(secrets.length > 0 && { secrets }),
    words: [...spelledWords(`${record.title}\n${realTags(record.tags).join(' ')}\n${body}`)],
  };
}

function documentItem(file: StoredFile): IndexItem {
  // Without comments, which explain the document and would be found in an empty one.
  const { text: whole, redactions: found } = redact(file.text);
  const text = whole.replace(/<!--[\s\S]*?-->/g, '');
  const title = /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? file.path;
  const time = utcSeconds(file.mtimeMs);
  return {
    kind: 'document',
    root: file.root,
    path: file.path,
    id: file.path.replace(/\.md$/, ''),
    title,
    tags: [],
    status: 'active',
    trust: storedTrust(isShared(file.root), undefined),
    createdAt: time,
    updatedAt: time,
    writtenAt: time,
    body: text,
    files: [],
    terms: termsOf(title, [], text, []),
    packedTexts: packTexts({ title, tags: [], body: text, files: [] }),
    words: [...spelledWords(text)],
    ...(found.length > 0 && { secrets: secretKinds(found) }),
  };
}

/** The share of characters that were no UTF-8 from which a file is no text. */
const MOST_DAMAGED = 0.02;

/** Refuses bytes that are no text, and Markdown in which nothing marks a record. */
function checkText({ path, text }: StoredFile): Result<true> {
  const damaged = text.includes('\u0000') || (text.includes('\ufffd') && text.split('\ufffd').length - 1 > MOST_DAMAGED * text.length);
  if (damaged) return refuse('READ_ERROR', 'it is not UTF-8 text');
  const isRecord = !path.endsWith('.md') || /^\ufeff?---\r?$|^#{1,6} |^\*\*[^*]+\*\*:|^(?:=+|-+) *\r?$/m.test(text);
  return isRecord ? ok(true) : refuse('READ_ERROR', 'it has neither front matter nor a heading');
}

/** The index entry of a file, or a refusal that says why the record cannot be read. */
export function itemOfFile(file: StoredFile): Result<IndexItem | undefined> {
  const role = roleOf(file);
  if (role.role === 'document') {
    const checked = checkSource(file.text);
    return checked.ok ? ok(documentItem(file)) : checked;
  }
  if (role.role === 'other') return ok(undefined);
  const readable = checkText(file);
  if (!readable.ok) return readable;
  const parsed = parseStored(file, role.category);
  if (!parsed.ok) return parsed;
  const { record } = parsed.value;
  if (file.root === 'shared' && record.category !== role.category)
    return refuse('VALIDATION_ERROR', `it calls itself a ${record.category}, but lies in ${FOLDERS[role.category]}/`, { fields: ['category'] });
  return ok(recordItem(file, parsed.value));
}
