import { MAX_RETIRE, planWindow, WINDOW_REASON, type SummaryFile } from '../../core/lifecycle/window.ts';
import type { RootName } from '../../core/ports/store.ts';
import { FOLDERS } from '../../core/record/category.ts';
import type { RecordOf } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { RECORD_FILE } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from './current.ts';
import { moveWithin } from './status.ts';
import { writing, type Author, type Writing } from './transaction.ts';

export interface WindowOptions {
  readonly maxRetained?: number;
  readonly maxRetire?: number;
  readonly dryRun?: boolean;
}

export interface WindowReport {
  readonly retired: readonly string[];
  readonly active: number;
  readonly maxRetained: number;
  readonly warnings: readonly string[];
  readonly unreadable: readonly string[];
}

/** A summary without a date is the oldest of all. */
const LONG_AGO = '1970-01-01T00:00:00Z';
const KEY = 'categories.session_summary.max_retained';

/** Keeps the newest session summaries and retires the rest, saying what would leave view with them. */
export async function enforceWindow(memory: Memory, write: Writing | undefined, root: RootName, options: WindowOptions = {}): Promise<WindowReport> {
  const maxRetained = options.maxRetained ?? memory.config.get(KEY);
  const { sessions, unreadable } = await sessionsOf(memory, root);
  const titles = memory.index
    .items({ kind: 'record', status: 'active' })
    .filter((item) => item.category !== 'session_summary')
    .map((item) => item.title);
  const plan = planWindow(sessions, maxRetained, titles, options.maxRetire ?? MAX_RETIRE);
  if (write && !options.dryRun) {
    for (const { path } of plan.retire) await moveWithin(memory, write, 'retire', { root, path }, WINDOW_REASON);
  }
  return { retired: plan.retire.map(({ record }) => record.id), active: plan.activeAfter, maxRetained, warnings: plan.warnings, unreadable };
}

/** The same as an action of its own. */
export async function runWindow(memory: Memory, root: RootName, author: Author, options: WindowOptions = {}): Promise<Result<WindowReport>> {
  if (options.maxRetained !== undefined && !(Number.isInteger(options.maxRetained) && options.maxRetained >= 1)) {
    return refuse('USAGE_ERROR', `max_retained must be a whole number from 1, not ${options.maxRetained}`);
  }
  return ok(
    options.dryRun
      ? await enforceWindow(memory, undefined, root, options)
      : await writing(memory, author, (write) => enforceWindow(memory, write, root, options)),
  );
}

async function sessionsOf(memory: Memory, root: RootName): Promise<{ sessions: SummaryFile[]; unreadable: string[] }> {
  const sessions: SummaryFile[] = [];
  const unreadable: string[] = [];
  for (const name of await memory.store.list(root, FOLDERS.session_summary)) {
    if (!RECORD_FILE.test(name)) continue;
    const path = `${FOLDERS.session_summary}/${name}`;
    const current = await currentRecord(memory, { root, path });
    if (!current.ok) {
      unreadable.push(name);
      continue;
    }
    const record = current.value.record as RecordOf<'session_summary'>;
    sessions.push({ path, record: current.value.filled.includes('created_at') ? { ...record, created_at: LONG_AGO } : record });
  }
  return { sessions, unreadable };
}
