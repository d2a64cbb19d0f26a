import type { FeedbackVerdict, InjectionLog } from '../../core/ports/injection-log.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Settings } from '../config/settings.ts';
import { unifiedDiff } from '../history/log.ts';
import { undo } from '../history/undo.ts';
import { inboxNamed } from '../inbox/inbox.ts';
import { acceptEdited, acceptRecords, mergeRecords, rejectRecords } from '../inbox/review.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { giveFeedback } from '../recall/feedback.ts';
import { resolveItem } from '../read/resolve.ts';
import { show } from '../read/show.ts';
import { replaceText } from '../write/edit.ts';
import { mergeConflicts } from '../write/merge-conflicts.ts';
import { moveRecord, type StatusAction } from '../write/status.ts';

/** The step that undoes an action. */
export type UndoStep =
  | { readonly kind: 'action'; readonly group: string }
  | { readonly kind: 'feedback'; readonly id: string; readonly at: string; readonly verdict: FeedbackVerdict }
  | { readonly kind: 'setting'; readonly key: string; readonly level: 'user' | 'project'; readonly value?: string };

/** A sentence on what an action did, and the step that undoes it; no step if nothing changed. */
export interface ActionResult {
  readonly did: string;
  readonly undo?: UndoStep;
  readonly notes: readonly string[];
}

/** The current text of a record that was changed in the meantime, and how the edited text differs from it. */
export interface EditConflict {
  readonly text: string;
  readonly hash: string;
  readonly diff: string;
}

interface ActionDone {
  readonly did: string;
  readonly notes?: readonly string[];
}

/** Runs a write and finds its action in the journal. */
async function runAction(memory: Memory, actor: string, work: () => Promise<Result<ActionDone>>): Promise<Result<ActionResult>> {
  const from = await memory.store.journal.position();
  const result = await work();
  if (!result.ok) return result;
  const entry = (await memory.store.journal.entries(from)).findLast((one) => one.actor === actor && one.op !== 'adopt');
  return ok({ did: result.value.did, notes: result.value.notes ?? [], ...(entry && { undo: { kind: 'action' as const, group: entry.group } }) });
}

const counted = (verb: string, written: readonly { readonly record: { readonly title: string } }[]): string =>
  written.length === 1 ? `${verb} “${written[0]?.record.title ?? ''}”` : `${verb} ${written.length} records`;

/** Accepts or rejects records in the inbox. */
export const reviewRecords = (memory: Memory, answer: 'accept' | 'reject', ids: readonly string[], actor: string): Promise<Result<ActionResult>> =>
  runAction(memory, actor, async () => {
    const items = await inboxNamed(memory, ids);
    if (!items.ok) return items;
    const done = await (answer === 'accept' ? acceptRecords : rejectRecords)(memory, items.value, { actor });
    return done.ok ? ok({ did: counted(answer === 'accept' ? 'Accepted' : 'Rejected', done.value) }) : done;
  });

/** Joins the second of two waiting records into the first. */
export const mergeInboxRecords = (memory: Memory, ids: readonly string[], actor: string): Promise<Result<ActionResult>> =>
  runAction(memory, actor, async () => {
    const items = await inboxNamed(memory, ids);
    if (!items.ok) return items;
    const [into, from] = items.value;
    if (!into || !from || items.value.length !== 2) return refuse('USAGE_ERROR', 'merge takes two records.');
    const merged = await mergeRecords(memory, [into, from], { actor });
    return merged.ok ? ok({ did: `Merged “${from.record.title}” into “${into.record.title}”` }) : merged;
  });

export interface EditRequest {
  readonly id: string;
  readonly text: string;
  /** The hash that the text was read with. */
  readonly hash: string;
}

/** Saves an edited text; a record in the inbox is accepted with it. */
export const saveEdit = (memory: Memory, { id, text, hash }: EditRequest, actor: string): Promise<Result<ActionResult>> =>
  runAction(memory, actor, async () => {
    await catchUp(memory);
    const item = await resolveItem(memory, id);
    if (!item.ok) return item;
    const waiting = item.value.waits === true ? await inboxNamed(memory, [id]) : undefined;
    const entry = waiting?.ok === true ? waiting.value[0] : undefined;
    const saved = entry
      ? await acceptEdited(memory, entry, text, hash, { actor })
      : await replaceText(memory, { root: item.value.root, path: item.value.path }, text, hash, { actor });
    if (!saved.ok) return saved;
    const notes = saved.value.redactions.map(({ kind, field }) => `Redacted before saving: ${kind} in ${field}`);
    return ok({ did: `Saved “${saved.value.record?.title ?? item.value.title}”`, notes });
  });

/** The current text, with a diff to the text that was to be saved. */
export async function editConflict(memory: Memory, { id, text }: EditRequest): Promise<EditConflict | undefined> {
  const now = await show(memory, id);
  return now.ok ? { text: now.value.text, hash: now.value.hash, diff: unifiedDiff(now.value.text, text, 'on disk', 'yours') } : undefined;
}

const PAST_TENSE: Readonly<Record<StatusAction, string>> = {
  retire: 'Retired',
  restore: 'Restored',
  archive: 'Archived',
  unarchive: 'Brought back',
  confirm: 'Confirmed',
};

export const moveNamed = (memory: Memory, action: StatusAction, id: string, actor: string): Promise<Result<ActionResult>> =>
  runAction(memory, actor, async () => {
    await catchUp(memory);
    const item = await resolveItem(memory, id);
    if (!item.ok) return item;
    const moved = await moveRecord(memory, action, { root: item.value.root, path: item.value.path }, { actor });
    return moved.ok ? ok({ did: `${PAST_TENSE[action]} “${item.value.title}”` }) : moved;
  });

/** Resolves the conflict markers that git left in a file. */
export const settleConflict = (memory: Memory, path: string, prefer: 'ours' | 'theirs', actor: string): Promise<Result<ActionResult>> =>
  runAction(memory, actor, async () => {
    await catchUp(memory);
    const file = memory.index.problems().find((one) => one.path === path);
    if (!file) return refuse('NOT_FOUND', `${path} has no conflict.`, { missing: true });
    const { merged } = await mergeConflicts(memory, { actor }, prefer, file);
    return merged.length > 0
      ? ok({ did: `Merged ${path}` })
      : refuse('MERGE_ERROR', `${path} has conflict markers that do not pair up.`, { hint: 'remove them in an editor' });
  });

export interface VerdictRequest {
  readonly id: string;
  readonly verdict: FeedbackVerdict;
  readonly session?: string;
}

/** Saves the user's verdict on an injected record. */
export async function saveVerdict(memory: Memory, log: InjectionLog, request: VerdictRequest): Promise<Result<ActionResult>> {
  const { id: name, verdict, session } = request;
  const saved = await giveFeedback(memory, log, { name, verdict, ...(session !== undefined && { session }) });
  if (!saved.ok) return saved;
  const { id, at, title } = saved.value;
  return ok({ did: `Marked “${title}” as ${verdict}`, undo: { kind: 'feedback', id, at, verdict }, notes: [] });
}

/** Sets a setting, or removes it if no value is given. */
export async function changeSetting(
  settings: Settings,
  { key, level, value }: Omit<Extract<UndoStep, { kind: 'setting' }>, 'kind'>,
): Promise<Result<ActionResult>> {
  if (settings.isByPerson(key))
    return refuse('CONFIG_ERROR', `${key} starts a program or says where text is sent, so the page cannot change it.`, {
      hint: `run holdfast config set ${key} VALUE in a terminal`,
      fields: [key],
    });
  const before = settings.get(key);
  if (!before.ok) return before;
  const changed = await (value === undefined ? settings.unset(key, level) : settings.set(key, value, level));
  if (!changed.ok) return changed;
  const previous = before.value.source === level ? settingText(before.value.value) : undefined;
  return ok({
    did: value === undefined ? `Reset ${key}` : `Set ${key} to ${value}`,
    undo: { kind: 'setting', key, level, ...(previous !== undefined && { value: previous }) },
    notes: [],
  });
}

const settingText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export interface UndoParts {
  readonly memory: Memory;
  readonly log: InjectionLog | undefined;
  readonly settings: () => Promise<Settings>;
}

/** Undoes an action. Undoing an undo repeats the action. */
export async function undoAction({ memory, log, settings }: UndoParts, step: UndoStep, actor: string): Promise<Result<ActionResult>> {
  if (step.kind === 'setting') return changeSetting(await settings(), step);
  if (step.kind === 'feedback') {
    log?.unsay(step);
    return ok({ did: `Took back “${step.verdict}”`, notes: [] });
  }
  return runAction(memory, actor, async () => {
    const undone = await undo(memory, { actor, groups: [step.group] });
    return undone.ok ? ok({ did: `Undid action #${step.group}` }) : undone;
  });
}
