import { epochOf } from '../../core/instant.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import type { MemoryRecord, RecordOf } from '../../core/record/schema.ts';
import type { Memory } from '../memory/memory.ts';
import { readWork } from '../work/work.ts';
import { currentRecord } from '../write/current.ts';
import { WINDOW_REASON } from '../../core/lifecycle/window.ts';
import { MANIFESTS, type PackageManifest } from '../workspace/manifest.ts';
import { INTRODUCTIONS, leadOf } from './about.ts';
import { masterLine, type Item } from './item.ts';

/** A document of the project, by its path in it. */
export interface ProjectDoc {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
}

/** The current state of the project's folder. */
export interface CheckoutState {
  readonly docs: readonly ProjectDoc[];
  /** Newest first; none if there is no repository. */
  readonly commits: readonly CommitFacts[];
  /** Its files, as the project names them. */
  readonly files: readonly string[];
  /** Files such as README and manifest that introduce the project. */
  readonly introductions: readonly PackageManifest[];
  /** The project's folder, if this machine does not have it; the other members then come from its sessions. */
  readonly absent?: string;
}

/** Files in which a project may describe itself. */
export const SELF_DESCRIPTIONS: readonly string[] = [...INTRODUCTIONS, ...MANIFESTS];

/** A project whose folder is not on this machine. */
export const noCheckout = (folder: string): CheckoutState => ({ docs: [], commits: [], files: [], introductions: [], absent: folder });

export interface SynthesisInput {
  /** All session summaries, newest first. */
  readonly summaries: readonly RecordOf<'session_summary'>[];
  /** Summaries that are newer than the master. */
  readonly fresh: readonly RecordOf<'session_summary'>[];
  readonly records: readonly MemoryRecord[];
  readonly docs: readonly Item[];
  /** The current task and blockers, from the documents of the project's memory. */
  readonly work: readonly Item[];
  readonly commits: readonly CommitFacts[];
  readonly state: CheckoutState;
  readonly scope?: string;
}

/** Leaves out quarantined and retired records, but not summaries that only left the rolling window or replaced records. */
const isRelevant = (record: MemoryRecord): boolean => {
  if (record.trust === 'quarantined') return false;
  if (record.category === 'session_summary') return record.record_status !== 'retired' || record.retired_reason === WINDOW_REASON;
  return record.record_status !== 'retired' || record.superseded_by !== undefined;
};

const isSummary = (record: MemoryRecord): record is RecordOf<'session_summary'> => record.category === 'session_summary';

const inScope = (scope: string | undefined, record: MemoryRecord): boolean => {
  if (scope === undefined) return true;
  const lowerScope = scope.toLowerCase();
  return (
    record.tags.includes(lowerScope) ||
    (record.related_files ?? []).some((file) => file.toLowerCase().split('/').includes(lowerScope) || file.toLowerCase().startsWith(`${lowerScope}/`))
  );
};

export async function gatherInput(
  memory: Memory,
  state: CheckoutState,
  { since, scope }: { readonly since?: number; readonly scope?: string },
): Promise<SynthesisInput> {
  const all: MemoryRecord[] = [];
  for (const item of memory.index.items({ kind: 'record' })) {
    const current = await currentRecord(memory, item);
    if (current.ok && isRelevant(current.value.record) && inScope(scope, current.value.record)) all.push(current.value.record);
  }
  const timeOf = (record: MemoryRecord): number => epochOf(record.updated_at) ?? 0;
  const createdAt = (record: MemoryRecord): number => epochOf(record.created_at) ?? 0;
  const summaries = all.filter(isSummary).toSorted((a, b) => createdAt(b) - createdAt(a) || timeOf(b) - timeOf(a));
  const docs = scope === undefined ? state.docs : state.docs.filter(({ path }) => path.toLowerCase().split('/').includes(scope.toLowerCase()));
  return {
    summaries,
    fresh: since === undefined ? summaries : summaries.filter((record) => timeOf(record) + 1000 > since),
    records: all.filter((record) => !isSummary(record)),
    docs: docItems(docs),
    work: scope === undefined ? await workItems(memory) : [],
    commits: scope === undefined ? state.commits : [],
    state,
    ...(scope !== undefined && { scope }),
  };
}

/** A blocker with its date. */
const SINCE = /^(.*) \(since ([^()]*)\)$/;

async function workItems(memory: Memory): Promise<readonly Item[]> {
  const { task, blockers } = await readWork(memory);
  const common = { at: memory.now(), topics: [], files: [] };
  return [
    ...(task === undefined ? [] : [{ ...common, section: 'status' as const, text: masterLine(`Working on: ${task}`), ref: 'context/current-task' }]),
    ...blockers.map(({ text }) => {
      const [, what = text, since] = SINCE.exec(text) ?? [];
      return { ...common, at: epochOf(since) ?? common.at, section: 'questions' as const, text: masterLine(`Blocked: ${what}`), ref: 'context/blockers' };
    }),
  ];
}

const MOST_DOCS = 8;
const INTRODUCTION_FILES: ReadonlySet<string> = new Set(INTRODUCTIONS);

/** The documents, top folders first; after the first few, one item lists the rest. */
function docItems(docs: readonly ProjectDoc[]): Item[] {
  const depth = ({ path }: ProjectDoc): number => path.split('/').length;
  const otherDocs = docs.filter(({ path }) => !INTRODUCTION_FILES.has(path)).toSorted((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
  const more = otherDocs.slice(MOST_DOCS).map(({ path }) => path);
  const rest: Item[] =
    more.length === 0
      ? []
      : [
          {
            section: 'learnings',
            text: masterLine(`${more.length} more documents: ${more.join(', ')}`),
            ref: 'documents',
            at: 0,
            topics: ['documents'],
            files: [],
          },
        ];
  return [...otherDocs.slice(0, MOST_DOCS).map(docItem), ...rest];
}

/** A document as its title and first paragraph. */
function docItem({ path, text, mtimeMs }: ProjectDoc): Item {
  const { title = path, lead } = leadOf(text);
  return {
    section: 'learnings',
    text: masterLine(lead === undefined ? title : `${title}: ${lead}`),
    ref: path,
    at: mtimeMs,
    topics: ['documents'],
    files: [path],
  };
}
