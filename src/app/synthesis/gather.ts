import { epochOf } from '../../core/instant.ts';
import type { MemoryRecord, RecordOf } from '../../core/record/schema.ts';
import type { Memory } from '../memory/memory.ts';
import { readWork } from '../work/work.ts';
import { currentRecord } from '../write/current.ts';
import { WINDOW_REASON } from '../../core/lifecycle/window.ts';
import { masterLine, type Item } from './item.ts';

/** A document of the project, by its path in it. */
export interface ProjectDoc {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
}

export interface ProjectCommit {
  readonly id: string;
  readonly at: string;
  readonly subject: string;
}

/** The project as it is now, beside what was said about it. */
export interface CheckoutState {
  readonly docs: readonly ProjectDoc[];
  /** Newest first; none where there is no repository. */
  readonly commits: readonly ProjectCommit[];
  /** What the code is made of, in a few words each; none where there is no code. */
  readonly patterns: readonly string[];
  /** The project's folder, where this machine does not have it: nothing can be said of its code. */
  readonly absent?: string;
}

export interface SynthesisInput {
  /** All session summaries, newest first. */
  readonly summaries: readonly RecordOf<'session_summary'>[];
  /** Those to be taken up now. */
  readonly fresh: readonly RecordOf<'session_summary'>[];
  readonly records: readonly MemoryRecord[];
  readonly docs: readonly Item[];
  /** The task and what holds it up, as the documents of the project's memory say. */
  readonly work: readonly Item[];
  readonly commits: readonly ProjectCommit[];
  readonly state: CheckoutState;
}

/** What its user has taken out of use is not brought back; what only left the window of sessions still counts. */
const counts = (record: MemoryRecord): boolean => {
  if (record.trust === 'quarantined') return false;
  if (record.category === 'session_summary') return record.record_status !== 'retired' || record.retired_reason === WINDOW_REASON;
  return record.record_status !== 'retired' || record.superseded_by !== undefined;
};

const isSummary = (record: MemoryRecord): record is RecordOf<'session_summary'> => record.category === 'session_summary';

const inScope = (scope: string | undefined, record: MemoryRecord): boolean => {
  if (scope === undefined) return true;
  const wanted = scope.toLowerCase();
  return (
    record.tags.includes(wanted) ||
    (record.related_files ?? []).some((file) => file.toLowerCase().split('/').includes(wanted) || file.toLowerCase().startsWith(`${wanted}/`))
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
    if (current.ok && counts(current.value.record) && inScope(scope, current.value.record)) all.push(current.value.record);
  }
  const timeOf = (record: MemoryRecord): number => epochOf(record.updated_at) ?? 0;
  const saidAt = (record: MemoryRecord): number => epochOf(record.created_at) ?? 0;
  const summaries = all.filter(isSummary).toSorted((a, b) => saidAt(b) - saidAt(a) || timeOf(b) - timeOf(a));
  const docs = scope === undefined ? state.docs : state.docs.filter(({ path }) => path.toLowerCase().split('/').includes(scope.toLowerCase()));
  return {
    summaries,
    fresh: since === undefined ? summaries : summaries.filter((record) => timeOf(record) + 1000 > since),
    records: all.filter((record) => !isSummary(record)),
    docs: docs.map(docItem),
    work: scope === undefined ? await workItems(memory) : [],
    commits: scope === undefined ? state.commits : [],
    state: scope === undefined ? state : { ...state, patterns: [] },
  };
}

async function workItems(memory: Memory): Promise<readonly Item[]> {
  const { task, blockers } = await readWork(memory);
  const common = { at: memory.now(), topics: [], files: [] };
  return [
    ...(task === undefined ? [] : [{ ...common, section: 'status' as const, text: masterLine(`Working on: ${task}`), ref: 'context/current-task' }]),
    ...blockers.map(({ text }) => ({ ...common, section: 'questions' as const, text: masterLine(`Blocked: ${text}`), ref: 'context/blockers' })),
  ];
}

/** A document by its title and what it says first. */
function docItem({ path, text, mtimeMs }: ProjectDoc): Item {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '');
  const title = /^#\s+(.+?)\s*$/m.exec(body)?.[1] ?? path;
  const lead = body
    .split(/\r?\n\s*\r?\n/)
    .map((block) => block.trim())
    .find((block) => /^[\p{L}\p{N}*_`"'(]/u.test(block) && !block.startsWith('```') && block.length > 30);
  return {
    section: 'learnings',
    text: masterLine(lead === undefined ? title : `${title}: ${lead}`),
    ref: path,
    at: mtimeMs,
    topics: ['documents'],
    files: [path],
  };
}
