import type { JournalEntry } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';
import { SESSION_PLACE } from '../work/file.ts';
import { groupNumbered, undoneGroups } from './log.ts';

export interface Undone {
  readonly group: string;
  readonly entries: readonly { readonly path: string; readonly op: string; readonly outcome: 'restored' | 'removed' }[];
}

export interface UndoOptions extends Author {
  /** How many actions to undo. */
  readonly count?: number;
  /** Actions to undo, by the number of any of their entries. Naming an undo redoes its action. */
  readonly groups?: readonly string[];
}

/** Undoes the last actions, newest first; never overwrites a later change. */
export function undo(memory: Memory, options: UndoOptions): Promise<Result<readonly Undone[]>> {
  return writing(memory, options, async (write) => {
    const entries = await memory.store.journal.entries();
    const groups = groupsOf(entries, options);
    const plan = await planUndo(memory, entries, groups);
    if (!plan.ok) return plan;
    return ok(await carryOut(write, plan.value));
  });
}

/** The writes that an undo would revert. */
export interface PlannedUndo {
  readonly group: string;
  readonly entries: readonly Pick<JournalEntry, 'op' | 'id' | 'title' | 'path' | 'undoes'>[];
}

/** The actions that `undo` would revert, newest first; unknown ones are left out. */
export async function plannedUndo(memory: Memory, options: Pick<UndoOptions, 'count' | 'groups'>): Promise<readonly PlannedUndo[]> {
  const entries = await memory.store.journal.entries();
  return groupsOf(entries, options)
    .map((group) => ({ group, entries: entries.filter((entry) => entry.group === group) }))
    .filter((action) => action.entries.length > 0);
}

/** Sorted newest first, so that each action finds its files as it left them. */
function groupsOf(entries: readonly JournalEntry[], { groups, count = 1 }: Pick<UndoOptions, 'count' | 'groups'>): readonly string[] {
  if (groups === undefined) return lastGroups(entries, count);
  const groupNames = groups.map((group) => groupNumbered(entries, group));
  return [...new Set(groupNames)].toSorted((a, b) => Number(b) - Number(a));
}

function lastGroups(entries: readonly JournalEntry[], count: number): string[] {
  const undone = undoneGroups(entries);
  const open = entries.filter(({ op, group }) => op !== 'undo' && op !== 'adopt' && op !== 'forget' && !undone.has(group)).map(({ group }) => group);
  return [...new Set(open.toReversed())].slice(0, count);
}

interface FileUndo {
  readonly entry: JournalEntry;
  /** Absent if the file is removed. */
  readonly text?: string;
}

/** Every write updates the session file, so a change in it is no conflict. */
const isSessionFile = ({ path }: JournalEntry): boolean => path === SESSION_PLACE.path;

/** Checks all steps before the first is carried out, so that an undo is complete or changes nothing. */
async function planUndo(memory: Memory, entries: readonly JournalEntry[], groups: readonly string[]): Promise<Result<readonly (readonly FileUndo[])[]>> {
  if (groups.length === 0) return refuse('NOTHING_TO_UNDO', 'Nothing left to undo.', { hint: 'holdfast log lists every write' });
  const plannedHashes = new Map<string, string | undefined>();
  const plan: FileUndo[][] = [];
  for (const group of groups) {
    const steps: FileUndo[] = [];
    const members = entries.filter((entry) => entry.group === group);
    if (members.length === 0) return refuse('NOT_FOUND', `No action ${group} found.`, { missing: true, hint: 'holdfast log shows the number of each action' });
    if (members.some(({ op }) => op === 'forget')) {
      return refuse('UNDO_CONFLICT', `Action ${group} wrote a record that was forgotten for good.`, { hint: 'nothing can bring it back; nothing was changed' });
    }
    for (const entry of members.toReversed()) {
      const name = `${entry.root}:${entry.path}`;
      const currentHash = plannedHashes.has(name) ? plannedHashes.get(name) : (await memory.store.read(entry))?.hash;
      if (currentHash !== entry.after && !isSessionFile(entry)) {
        return refuse('UNDO_CONFLICT', `${entry.path} has changed since action ${group}.`, { hint: 'undo the later changes first; nothing was changed' });
      }
      plannedHashes.set(name, entry.before);
      if (entry.before === undefined) steps.push({ entry });
      else {
        const text = await memory.store.version(entry.before);
        if (text === undefined) return refuse('UNDO_CONFLICT', `The old version of ${entry.path} was deleted.`, { hint: 'nothing was changed' });
        steps.push({ entry, text });
      }
    }
    plan.push(steps);
  }
  return ok(plan);
}

async function carryOut(write: Writing, plan: readonly (readonly FileUndo[])[]): Promise<Undone[]> {
  const undone: Undone[] = [];
  for (const steps of plan) {
    const entries: { path: string; op: string; outcome: 'restored' | 'removed' }[] = [];
    for (const { entry, text } of steps) {
      const { root, path, id, title, group } = entry;
      await write.apply({
        root,
        path,
        op: 'undo',
        undoes: group,
        ...(text !== undefined && { text }),
        ...(id !== undefined && { id }),
        ...(title !== undefined && { title }),
      });
      entries.push({ path, op: entry.op, outcome: text === undefined ? 'removed' : 'restored' });
    }
    undone.push({ group: steps[0]?.entry.group ?? '', entries });
  }
  return undone;
}
