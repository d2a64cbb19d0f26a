import { ForgottenText } from '../../core/lifecycle/forgotten-text.ts';
import type { FileWithText } from '../../core/ports/text-sweep.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import { ruleId } from '../../recall/rules/standing.ts';
import type { JournalEntry, FileRef } from '../../core/ports/store.ts';
import { parseStored } from '../index/item.ts';
import { refresh } from '../index/refresh.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { renderAll } from '../views/repair.ts';

export interface ForgetReport {
  /** Numbers of sentences that were searched for, and of files that were searched. */
  readonly sentences: number;
  readonly checked: number;
  /** Stored versions that were deleted. */
  readonly versions: number;
  /** Files that still hold some of the text. */
  readonly left: readonly FileWithText[];
}

export interface ForgetOptions {
  readonly actor: string;
  /** Removes the text from the client's transcripts as well. */
  readonly transcripts?: boolean;
}

/** What the journal knows of records: their current and former places, and the hashes of their versions. */
interface RecordTraces {
  readonly places: readonly FileRef[];
  readonly hashes: ReadonlySet<string>;
  /** As `category/id`. */
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

const keyOf = ({ root, path }: FileRef): string => `${root}:${path}`;

/**
 * Deletes records for good: their versions, journal entries and index rows, and their text wherever it stands verbatim in Holdfast's own files. Then searches
 * the home for copies that remain. The record files go last, so that an interrupted run can be finished later.
 */
export async function forgetForGood(memory: Memory, records: readonly FileRef[], { actor, transcripts = false }: ForgetOptions): Promise<ForgetReport> {
  const sweep = await memory.sweep?.();
  const outcome = await memory.store.write(actor, async (session) => {
    await session.pending(records);
    const traces = await tracesOf(memory, records);
    const recordFiles = new Set(traces.places.map((place) => memory.store.absolute(place)));
    const all = ForgottenText.of(traces.texts);
    await memory.muteRules(ruleIdsOf(traces));
    const sharedPlaces = (await sweep?.find(all))?.files.filter(({ file, owner }) => owner === 'memory' && !recordFiles.has(file)) ?? [];
    // Keep and report sentences that another record also holds; they go when that record is forgotten.
    const text = all.without(new Set(sharedPlaces.flatMap(({ sentences }) => sentences)));
    await sweep?.clean(text, traces);
    if (transcripts) await sweep?.cleanTranscripts(text);
    await session.erase(traces.places, traces.hashes);
    await refresh(memory, 'everything');
    await renderAll(memory, session, new Set(traces.places.map(({ root }) => root)));
    memory.index.compact();
    await session.erased();
    return { text, sharedPlaces, versions: traces.hashes.size };
  });
  const { text, sharedPlaces, versions } = outcome;
  const remaining = await sweep?.find(text);
  return { sentences: text.sentences.length, checked: remaining?.checked ?? 0, versions, left: [...sharedPlaces, ...(remaining?.files ?? [])] };
}

const STATES_RULES = /^(?:preference|constraint|decision)\//;

/** What was typed and led to a rule must not be quoted in its place; the ids say nothing of the text. */
const ruleIdsOf = ({ ids, texts }: Pick<RecordTraces, 'ids' | 'texts'>): readonly string[] =>
  ids.some((id) => STATES_RULES.test(id))
    ? [
        ...new Set(
          texts
            .flatMap((text) => [text, ...typedSentences(text)])
            .filter((text) => text.includes(' '))
            .map(ruleId),
        ),
      ]
    : [];

/** The same for a record that is about to be purged, and forgotten for good later. */
export const muteSentencesOf = (memory: Memory, record: MemoryRecord): Promise<void> =>
  memory.muteRules(ruleIdsOf({ ids: [`${record.category}/${record.id}`], texts: [...stringsIn([record.title, record.content, record.origin?.asked])] }));

/** Finishes an interrupted deletion. */
export async function finishForgetting(memory: Memory): Promise<void> {
  const places = memory.store.pendingErasures();
  if (places.length > 0) await forgetForGood(memory, places, { actor: 'repair' });
}

async function tracesOf(memory: Memory, records: readonly FileRef[]): Promise<RecordTraces> {
  const entries = await memory.store.journal.entries();
  const places = [...formerPlaces(entries, records), ...(await unchangedSkills(memory, entries, records))];
  const keys = new Set(places.map(keyOf));
  const recordEntries = entries.filter((entry) => keys.has(keyOf(entry)));
  const hashes = new Set(recordEntries.flatMap(({ before, after }) => [before, after]).filter((hash) => hash !== undefined));
  const versions: { readonly place: FileRef; readonly text: string }[] = [];
  for (const place of places) {
    const file = await memory.store.read(place);
    if (file) versions.push({ place, text: file.text });
  }
  const [sample] = places;
  for (const hash of hashes) {
    const text = await memory.store.version(hash);
    if (text !== undefined && sample) versions.push({ place: sample, text });
  }
  const fieldTexts = versions.map(({ place, text }) => textsOfVersion(place, text));
  const ids = new Set([...recordEntries.map(({ id }) => id), ...fieldTexts.map(({ id }) => id)].filter((id) => id !== undefined));
  return {
    places,
    hashes,
    ids: [...ids],
    texts: [...recordEntries.flatMap(({ title, reason }) => [title ?? '', reason ?? '']), ...fieldTexts.flatMap(({ texts }) => texts)],
  };
}

/** The current and former places of records, by their renames. */
function formerPlaces(entries: readonly JournalEntry[], records: readonly FileRef[]): readonly FileRef[] {
  const places = new Map(records.map(({ root, path }) => [keyOf({ root, path }), { root, path }]));
  for (const { root, path, from } of entries.toReversed()) {
    if (from !== undefined && places.has(keyOf({ root, path }))) places.set(keyOf({ root, path: from }), { root, path: from });
  }
  return [...places.values()];
}

/** Skills that were made from the records and not edited since; an edited skill belongs to the user. */
async function unchangedSkills({ store }: Memory, entries: readonly JournalEntry[], records: readonly FileRef[]): Promise<readonly FileRef[]> {
  if (!store.hasSkills) return [];
  const keys = new Set(records.map(keyOf));
  const ids = new Set(entries.filter((entry) => keys.has(keyOf(entry))).map(({ id }) => id));
  const last = new Map(entries.filter(({ root, id, op }) => root === 'skills' && op !== 'forget' && ids.has(id)).map((entry) => [entry.path, entry]));
  const places: FileRef[] = [];
  for (const { root, path, after } of last.values()) if ((await store.read({ root, path }))?.hash === after) places.push({ root, path });
  return places;
}

/** The texts of a record version's fields, without the field names and headings that every record has. */
function textsOfVersion(place: FileRef, text: string): { readonly id?: string; readonly texts: readonly string[] } {
  const role = roleOf(place);
  const parsed = role.role === 'record' ? parseStored({ ...place, text, hash: '', mtimeMs: 0, size: text.length }, role.category) : undefined;
  if (!parsed?.ok) return { texts: [text] };
  const { record, asWritten } = parsed.value;
  return {
    id: `${record.category}/${record.id}`,
    texts: [...stringsIn([record, asWritten].map(({ title, content, origin }) => [title, content, origin?.asked]))],
  };
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* stringsIn(item);
}
