import { cutToOneLine } from '../read/shared-findings.ts';
import { importConflicts } from '../bundle/versions.ts';
import { waitingCount } from '../inbox/inbox.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { recordName } from '../recall/entry.ts';
import { staleFiles } from '../read/show.ts';
import { readWork } from '../work/work.ts';
import { currentRecord } from '../write/current.ts';
import { unmergedFiles } from '../write/merge-conflicts.ts';
import { type ItemRow, rowOf } from './record-page.ts';

/** A task, step or blocker. */
export interface WorkLine {
  readonly text: string;
  readonly isDone: boolean;
}

/** Two versions between which a person has to choose. */
export type OpenConflict =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly broken?: string;
      readonly fields: readonly { readonly field: string; readonly ours: string; readonly theirs: string }[];
    }
  | { readonly kind: 'bundle'; readonly ours: string; readonly theirs: string };

/** The state of a project. */
export interface ProjectPage {
  readonly key: string;
  readonly path: string;
  readonly records: number;
  readonly documents: number;
  readonly inbox: number;
  readonly task?: string;
  readonly steps: readonly WorkLine[];
  readonly blockers: readonly WorkLine[];
  readonly next: readonly string[];
  /** The latest session summary, which holds the next actions. */
  readonly summary?: ItemRow;
  /** Preferences for the user's own memory, which has no decisions. */
  readonly decisions: readonly ItemRow[];
  readonly recent: readonly ItemRow[];
  readonly conflicts: readonly OpenConflict[];
}

const ROWS = 6;

export async function projectPage(memory: Memory): Promise<ProjectPage> {
  await catchUp(memory);
  const { index } = memory;
  const isProject = memory.store.roots.includes('private');
  const work = isProject ? await readWork(memory) : { steps: [], blockers: [], completed: [] };
  const [latest] = index.recent({ kind: 'record', category: 'session_summary', status: 'active' }, 1);
  const summary = latest ? await currentRecord(memory, latest) : undefined;
  const content = summary?.ok === true ? (summary.value.record.content as { readonly next_actions?: readonly string[] }) : undefined;
  const rows = (filter: Parameters<typeof index.recent>[0]): ItemRow[] =>
    index.recent({ ...filter, status: 'active' }, ROWS).map((item) => rowOf(memory, item));
  return {
    key: memory.key,
    path: memory.projectPath ?? '',
    records: index.count({ kind: 'record', status: 'active' }),
    documents: index.count({ kind: 'document' }),
    inbox: waitingCount(memory),
    ...('task' in work && work.task !== undefined && { task: work.task }),
    steps: work.steps.map(({ text, ticked }) => ({ text, isDone: ticked === true })),
    blockers: work.blockers.map(({ text }) => ({ text, isDone: false })),
    next: content?.next_actions ?? [],
    ...(latest && { summary: rowOf(memory, latest) }),
    decisions: rows({ kind: 'record', category: isProject ? 'decision' : 'preference' }),
    recent: rows(isProject ? { kind: 'record' } : {}),
    conflicts: await conflictsOf(memory),
  };
}

const FIELD = 2_000;

async function conflictsOf(memory: Memory): Promise<readonly OpenConflict[]> {
  const files = (await unmergedFiles(memory)).map(({ place, conflicts, broken }) => ({
    kind: 'file' as const,
    path: place.path,
    ...(broken !== undefined && { broken }),
    fields: conflicts.map(({ field, ours, theirs }) => ({ field, ours: cutToOneLine(ours, FIELD), theirs: cutToOneLine(theirs, FIELD) })),
  }));
  const bundles = (await importConflicts(memory)).map(({ ours, theirs }) => ({ kind: 'bundle' as const, ours: recordName(ours), theirs: recordName(theirs) }));
  return [...files, ...bundles];
}

export interface StaleRow extends ItemRow {
  /** Files that changed after the record was written. */
  readonly changed: readonly string[];
}

const MOST_CHECKED = 400;

/** Active records whose files have changed since; checks only the newest of very many. */
export async function staleRecords(memory: Memory): Promise<readonly StaleRow[]> {
  const stale: StaleRow[] = [];
  const withFiles = memory.index.recent({ kind: 'record', status: 'active' }, Number.MAX_SAFE_INTEGER).filter(({ files }) => files.length > 0);
  for (const item of withFiles.slice(0, MOST_CHECKED)) {
    const current = await currentRecord(memory, item);
    const changed = current.ok ? staleFiles(memory, current.value.record) : [];
    if (changed.length > 0) stale.push({ ...rowOf(memory, item), changed });
  }
  return stale;
}
