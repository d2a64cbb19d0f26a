import { Failure } from '../../core/failure.ts';
import { utcSeconds } from '../../core/instant.ts';
import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import { redact } from '../../core/redact/text.ts';
import type { FileChange } from '../../core/ports/store.ts';
import type { Author } from '../write/transaction.ts';
import { contextText, type SummaryMark, withMark } from './context-file.ts';
import { localMinutes } from './layers.ts';
import { backupOf, beside, type MemoryFile, namedAs } from './memory-file.ts';
import { type EarlierSummary, planUpdate, withoutSummary, type UpdatePlan } from './plan.ts';
import { droppedEntries, movedLogName, sessionLogName, taskEntry, withEntries, type LogEntry } from './session-notes.ts';
import { charactersIn } from './compress.ts';

export interface MemoryUpdate extends Author {
  /** Made by `summaryText`. */
  readonly summary: string;
  /** Stored in the session's log. */
  readonly tasks?: readonly string[];
  readonly sessionId?: string;
  /** The earlier summary of the session, which this one replaces. */
  readonly replaces?: EarlierSummary;
  /** Finds this summary again when its session goes on. */
  readonly mark?: SummaryMark;
}

export interface Updated {
  readonly file: string;
  readonly characters: number;
  readonly backup: boolean;
  readonly dropped: readonly string[];
  /** Times of the summaries that were moved to session logs. */
  readonly moved: readonly string[];
  /** Session logs that were written. */
  readonly logs: readonly string[];
  readonly notices: readonly string[];
  readonly redactions: readonly string[];
}

/** Whether a session has enough finished tasks or a significant change for an update. */
export const shouldUpdate = (tasks: number, significant: boolean, threshold: number): boolean => tasks >= threshold || significant;

/** Copies MEMORY.md over its backup, with its times; returns false if there is no MEMORY.md yet. */
export const createBackup = (file: MemoryFile, author: Author): Promise<boolean> =>
  file.write(author, async (apply) => {
    if (!(await file.read(file.place))) return false;
    await apply(backupChange(file));
    return true;
  });

const backupChange = (file: MemoryFile): FileChange => ({ ...backupOf(file), copyOf: file.place, op: 'write', ...namedAs(backupOf(file)) });

const LINK_HINT = 'put the file itself there; holdfast does not write through links';

/** Puts a session's summary on top of MEMORY.md. Sections that no longer fit are first saved in a log. */
export async function updateMemory(file: MemoryFile, update: MemoryUpdate): Promise<Updated> {
  const clean = redact(update.summary);
  const result = await file.write(update, async (apply) => {
    const stored = await file.read(file.place);
    if (!stored && (await file.stat(file.place)))
      throw new Failure('IO_ERROR', `${file.absolute(file.place)} is a link, or lies behind one`, { hint: LINK_HINT });
    const existing = stored?.text ?? '';
    if (hasConflictMarkers(existing))
      throw new Failure('IO_ERROR', `git left conflict markers in ${file.absolute(file.place)}`, { hint: 'remove them in an editor; nothing was changed' });
    const { replaces } = update;
    const plan = planUpdate(replaces === undefined ? existing : (withoutSummary(existing, replaces) ?? existing), clean.text, file.settings);
    const logs: string[] = [];
    for (const { name, id, entries } of logsFor(file, update, plan)) {
      const place = beside(file, name);
      const before = (await file.read(place))?.text;
      const text = withEntries(before, id, entries);
      if (text === before) continue;
      await apply({ ...place, text, op: before === undefined ? 'create' : 'write', ...namedAs(place) });
      logs.push(file.absolute(place));
    }
    const backup = stored !== undefined && file.settings.backupEnabled;
    if (backup) await apply(backupChange(file));
    await apply({ ...file.place, text: plan.text, op: stored ? 'write' : 'create', ...namedAs(file.place) });
    return { plan, logs, backup };
  });
  const { plan, logs, backup } = result;
  await noteUpdate(file, update, plan);
  return {
    file: file.absolute(file.place),
    characters: charactersIn(plan.text),
    backup,
    logs: [...new Set(logs)],
    dropped: plan.dropped.map(({ heading }) => heading),
    moved: plan.moved.map(({ time }) => time),
    notices: plan.notices,
    redactions: clean.redactions.map(({ kind }) => kind),
  };
}

function logsFor(file: MemoryFile, { sessionId, tasks = [] }: MemoryUpdate, plan: UpdatePlan): { name: string; id: string; entries: readonly LogEntry[] }[] {
  const own = sessionId ?? localMinutes(file.now()).replace(/[ :]/g, '-');
  const newEntries = [...(tasks.length > 0 ? [taskEntry(tasks.map((task) => redact(task).text))] : []), ...droppedEntries(plan.dropped)];
  return [
    ...plan.moved.map((moved) => ({ name: movedLogName(moved), id: moved.time, entries: [{ heading: '', text: moved.text }] })),
    ...(newEntries.length > 0 ? [{ name: sessionLogName(own), id: own, entries: newEntries }] : []),
  ];
}

/** Notes the update in `context.json`, for the next session and the diagnosis; `undo` does not change it. */
async function noteUpdate(file: MemoryFile, { sessionId, mark }: MemoryUpdate, plan: UpdatePlan): Promise<void> {
  const place = beside(file, 'context.json');
  await file.view(place, (before) =>
    contextText(before, {
      ...file.owner,
      lastUpdated: utcSeconds(file.now()),
      notices: plan.notices,
      sessionId: sessionId ?? null,
      ...(mark && sessionId !== undefined && { summaries: withMark(before, sessionId, mark) }),
      sizes: { project_memory: charactersIn(plan.text) },
    }),
  );
}
