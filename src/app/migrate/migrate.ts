import { isRecordItem, type SkippedItem, type SourceItem, type MigrationSource, type SourceKind } from './source.ts';
import { archived } from '../../core/lifecycle/status.ts';
import { newRecord } from '../../core/lifecycle/create.ts';
import type { FileChange, JournalEntry, FileRef } from '../../core/ports/store.ts';
import { fileStem, idOfStem, Stems } from '../../core/project/filename.ts';
import { slugOr, uniqueSlug } from '../../core/project/slug.ts';
import { CATEGORIES, FOLDERS, type Category } from '../../core/record/category.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redact } from '../../core/redact/text.ts';
import { redactDeep } from '../../core/redact/deep.ts';
import { ok, type Result } from '../../core/result.ts';
import { utcSeconds, epochOf } from '../../core/instant.ts';
import { parseRecordFile, renderRecordFile } from '../../render/record-file.ts';
import { catchUp } from '../index/catch-up.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { SESSION_PLACE } from '../work/file.ts';
import { journalName, writing } from '../write/transaction.ts';

const ACTOR = 'migration';

export interface MigratedSource {
  readonly kind: SourceKind;
  readonly place: string;
  readonly inPlace?: string;
  /** Files written, by their path in the root; in a dry run those that would be. */
  readonly created: readonly string[];
  /** Items that an earlier run imported. */
  readonly known: number;
  readonly left: readonly SkippedItem[];
}

export interface MigrationReport {
  readonly sources: readonly MigratedSource[];
  readonly redactions: number;
}

export interface MigrationRequest {
  readonly dryRun: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The items that were imported before, by the journal; undone imports may be repeated. */
function importedMarks(entries: readonly JournalEntry[]): ReadonlySet<string> {
  const undone = new Set(entries.flatMap(({ undoes }) => (undoes === undefined ? [] : [undoes])));
  return new Set(entries.filter(({ actor, group }) => actor === ACTOR && !undone.has(group)).flatMap(({ reason }) => (reason === undefined ? [] : [reason])));
}

const markOf = (source: MigrationSource, sourceItem: SourceItem): string => `taken over from ${source.kind}: ${sourceItem.from}`;

/** Imports the content of other layouts in one action, which one `undo` reverts. The originals are only read. */
export async function migrate(memory: Memory, sources: readonly MigrationSource[], { dryRun, onProgress }: MigrationRequest): Promise<MigrationReport> {
  const work = async (write: {
    apply(change: FileChange): Promise<unknown>;
    state(place: FileRef, text: string): Promise<unknown>;
  }): Promise<MigrationReport> => {
    const imported = importedMarks(await memory.store.journal.entries());
    const target = new MigrationTarget(memory);
    await target.load();
    let [redactions, doneItems] = [0, 0];
    const total = sources.reduce((sum, { items }) => sum + items.length, 0);
    const reports: MigratedSource[] = [];
    for (const source of sources) {
      const hasSession = (await memory.store.stat(SESSION_PLACE)) !== undefined;
      const fresh = source.items
        .filter((sourceItem) => !(isSession(sourceItem) ? hasSession : imported.has(markOf(source, sourceItem))))
        .toSorted((a, b) => ageOf(a) - ageOf(b));
      const created: string[] = [];
      const left = [...source.left];
      for (const sourceItem of fresh) {
        const placed = isRecordItem(sourceItem) ? target.placeRecord(sourceItem) : await target.placeFile(sourceItem, source.kind);
        if (!placed.ok) left.push({ what: sourceItem.from, why: placed.error.message });
        else {
          created.push(placed.value.path);
          redactions += placed.value.redactions;
          const { path, text, record } = placed.value;
          if (isSession(sourceItem)) await write.state(SESSION_PLACE, text);
          else
            await write.apply({
              root: 'private',
              path,
              text,
              op: 'create',
              reason: markOf(source, sourceItem),
              ...(record ? journalName(record) : { id: path }),
            });
        }
        onProgress?.((doneItems += 1), total);
      }
      const { kind, place, inPlace } = source;
      reports.push({ kind, place, created, left, known: source.items.length - fresh.length, ...(inPlace !== undefined && { inPlace }) });
    }
    return { sources: reports, redactions };
  };
  if (dryRun) {
    await catchUp(memory);
    return work({ apply: async () => undefined, state: async () => undefined });
  }
  return writing(memory, { actor: ACTOR }, work);
}

/** The session file is program state, so undo does not revert it. */
const isSession = (sourceItem: SourceItem): boolean => !isRecordItem(sourceItem) && sourceItem.path === SESSION_PLACE.path;

/** Sorts newest first, so that a full category archives the oldest. */
const ageOf = (sourceItem: SourceItem): number =>
  isRecordItem(sourceItem) ? -(epochOf(String(sourceItem.draft['created_at'])) ?? 0) : -Number.MAX_SAFE_INTEGER;

interface PlacedItem {
  readonly path: string;
  readonly text: string;
  readonly record?: MemoryRecord;
  readonly redactions: number;
}

/** The private root as a destination: knows free names and full categories, including this run's items. */
class MigrationTarget {
  readonly #memory: Memory;
  readonly #stems = new Map<Category, Stems>();
  readonly #ids = new Set<string>();
  readonly #active = new Map<Category, number>();
  readonly #paths = new Set<string>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async load(): Promise<void> {
    for (const category of CATEGORIES) {
      this.#stems.set(category, new Stems((await this.#memory.store.list('private', FOLDERS[category])).map(stemOf)));
      this.#active.set(category, this.#memory.index.count({ kind: 'record', category, status: 'active', root: 'private' }));
    }
  }

  #stemsOf(category: Category): Stems {
    const stems = this.#stems.get(category) ?? new Stems();
    this.#stems.set(category, stems);
    return stems;
  }

  #isTaken(category: Category, id: string): boolean {
    return this.#ids.has(`${category}/${id}`) || this.#memory.index.byId(id).some((item) => item.category === category);
  }

  /** In a full category older records are imported as archived. */
  #isFull(category: Category): boolean {
    const { config } = this.#memory;
    const limit = category === 'session_summary' ? config.get('categories.session_summary.max_retained') : config.get('max_memories_per_category');
    return (this.#active.get(category) ?? 0) >= limit;
  }

  placeRecord({ category, draft, sessionId }: Extract<SourceItem, { readonly draft: unknown }>): Result<PlacedItem> {
    const { md5, now } = this.#memory;
    const clean = redactDeep(draft);
    const base = sessionId === undefined ? slugOr(String(clean.value['title']), md5) : idOfStem(category, sessionId);
    const id = uniqueSlug(base, { has: (slug) => this.#isTaken(category, slug) });
    const created = newRecord(clean.value, category, id, now());
    if (!created.ok) return created;
    const stems = this.#stemsOf(category);
    const stem = fileStem(category, { id, createdAt: created.value.created_at, ...(sessionId !== undefined && id === base && { sessionId }) }, stems);
    if (!stem.ok) return stem;
    const fresh = { ...created.value, scope: 'private' as const };
    const record = this.#isFull(category) ? archived(fresh, 'The category was full when it was imported', now()).record : fresh;
    if (record.record_status !== 'archived') this.#active.set(category, (this.#active.get(category) ?? 0) + 1);
    stems.add(stem.value);
    this.#ids.add(`${category}/${id}`);
    const path = `${FOLDERS[category]}/${stem.value}.md`;
    this.#paths.add(path);
    return ok({ path, text: renderRecordFile(path, record), record, redactions: clean.redactions.length });
  }

  /** If the path is taken, the text goes beside it, under a name with the kind of its source. */
  async placeFile({ path, text }: Extract<SourceItem, { readonly text: string }>, kind: SourceKind): Promise<Result<PlacedItem>> {
    const clean = redact(text);
    const located = await this.#memory.store.locate('private', path);
    if (!located.ok) return located;
    const there = await this.#memory.store.read(located.value);
    const isFree = there === undefined && !this.#paths.has(located.value.path);
    const beside = isFree ? located.value.path : located.value.path.replace(/(\.[^/]*)$/, `-${kind.replaceAll('.', '-')}$1`);
    if (!isFree && (this.#paths.has(beside) || (await this.#memory.store.read({ root: 'private', path: beside })))) {
      return { ok: false, error: { code: 'CREATE_OVERWRITE_ERROR', message: `${beside} already exists` } };
    }
    this.#paths.add(beside);
    const role = roleOf({ path: beside });
    if (role.role !== 'record') return ok({ path: beside, text: clean.text, redactions: clean.redactions.length });
    const parsed = parseRecordFile(beside, clean.text, {
      category: role.category,
      id: idOfStem(role.category, stemOf(beside)),
      time: utcSeconds(this.#memory.now()),
    });
    // Keep text that is not a record as a document.
    if (!parsed.ok) return this.placeFile({ from: path, path: `memory/${path.replaceAll('/', '-')}`, text }, kind);
    this.#stemsOf(role.category).add(stemOf(beside));
    this.#ids.add(`${role.category}/${parsed.value.record.id}`);
    return ok({ path: beside, text: clean.text, record: parsed.value.record, redactions: clean.redactions.length });
  }
}
