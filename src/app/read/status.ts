import { CATEGORIES, type Category } from '../../core/record/category.ts';
import type { RecordStatus } from '../../core/record/schema.ts';
import type { OpenSession, SessionStats } from '../../render/documents/session-file.ts';
import { RECENT_ROWS, type ViewState } from '../../render/views/recent-index.ts';
import { waitingCount } from '../inbox/inbox.ts';
import { catchUpViews } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { counted, readSession } from '../work/file.ts';
import { viewState } from '../views/render.ts';

export interface CategoryCount {
  readonly category: Category;
  readonly active: number;
  readonly retired: number;
  readonly archived: number;
}

export interface MemoryStatus {
  readonly key: string;
  readonly categories: readonly CategoryCount[];
  readonly documents: number;
  readonly unreadable: number;
  readonly quarantined: number;
  /** Records that wait in the inbox. */
  readonly inbox: number;
  readonly lastActivity?: string;
  readonly writes: number;
  /** Absent for the user's own memory. */
  readonly session?: SessionState;
}

/** The work session, the rows of the index, and the files of the private root. */
export interface SessionState {
  readonly active: boolean;
  readonly started?: string;
  readonly open: readonly OpenSession[];
  readonly stats: SessionStats;
  readonly state: ViewState;
  readonly index: {
    /** Rows of `_index.md`, and rows that have left it for the archive. */
    readonly entries: number;
    readonly archived: number;
    readonly limit: number;
    readonly archivedSessions: number;
    /** Whether the views are up to date with the files. */
    readonly current: boolean;
  };
  /** Files by folder of the private root. */
  readonly files: Readonly<Record<string, number>>;
}

/** Counts a memory's content from the index, after the index has caught up with the files. */
export async function statusOfMemory(memory: Memory): Promise<MemoryStatus> {
  await catchUpViews(memory);
  const records = memory.index.items({ kind: 'record' });
  const count = (category: Category, status: RecordStatus): number => records.filter((item) => item.category === category && item.status === status).length;
  const journal = await memory.store.journal.entries();
  const lastActivity = journal.at(-1)?.at ?? memory.index.recent({}, 1)[0]?.updatedAt;
  return {
    key: memory.key,
    categories: CATEGORIES.map((category) => ({
      category,
      active: count(category, 'active'),
      retired: count(category, 'retired'),
      archived: count(category, 'archived'),
    })),
    documents: memory.index.count({ kind: 'document' }),
    unreadable: memory.index.problems().length,
    inbox: waitingCount(memory),
    quarantined: records.filter(({ trust }) => trust === 'quarantined').length,
    ...(lastActivity !== undefined && { lastActivity }),
    writes: journal.length,
    ...(memory.store.roots.includes('private') && { session: await sessionState(memory) }),
  };
}

async function sessionState(memory: Memory): Promise<SessionState> {
  const { session } = await readSession(memory);
  const items = memory.index.items({ root: 'private' });
  const files: Record<string, number> = {};
  for (const { path } of items) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
    files[folder] = (files[folder] ?? 0) + 1;
  }
  const rows = items.filter(({ status }) => status === 'active').length;
  const newest = session.open.at(-1);
  return {
    active: session.open.length > 0,
    ...(newest && { started: newest.started }),
    open: session.open,
    stats: counted(memory, session).stats,
    state: await viewState(memory, 'private'),
    index: {
      entries: Math.min(rows, RECENT_ROWS),
      archived: Math.max(0, rows - RECENT_ROWS),
      limit: RECENT_ROWS,
      archivedSessions: session.history.length,
      current: memory.index.journalPosition() === 0 || memory.index.views().position === memory.index.journalPosition(),
    },
    files,
  };
}
