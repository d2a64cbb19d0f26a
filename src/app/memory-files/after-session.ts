import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import type { Memory } from '../memory/memory.ts';
import type { Author } from '../write/transaction.ts';
import { redact } from '../../core/redact/text.ts';
import { summaryMarks } from './context-file.ts';
import { beside, type MemoryFile } from './memory-file.ts';
import { readSessionAccount, SUMMARY_HEADING, summaryText } from './session-notes.ts';
import { type EarlierSummary, summaryBody, withoutSummary } from './plan.ts';
import { shouldUpdate, updateMemory, type Updated } from './update.ts';

export interface AfterSession extends Author {
  readonly sessionId: string;
  /** The user asked for it: ignores the switches and the threshold. */
  readonly force?: boolean;
}

export type SessionUpdate =
  | { readonly updated: true; readonly update: Updated }
  | { readonly updated: false; readonly because: string; readonly missing?: true };

const notUpdated = (because: string): { readonly updated: false; readonly because: string } => ({ updated: false, because });

/** Updates MEMORY.md at the end of a session with enough in it. A session that ends twice is added once. */
export async function updateAfterSession(memory: Memory, file: MemoryFile, request: AfterSession): Promise<SessionUpdate> {
  const { sessionId, force = false } = request;
  if (!force && !memory.config.get('enabled')) return notUpdated('enabled is false');
  if (!force && !memory.config.get('autoUpdate')) return notUpdated('autoUpdate is false');
  const account = await readSessionAccount(memory, sessionId);
  if (!account) return { ...notUpdated(`session ${sessionId} has no summary yet`), missing: true };
  const { notes, significant } = account;
  const { updateThreshold } = file.settings;
  if (!force && !shouldUpdate(notes.taskSummaries.length, significant, updateThreshold)) {
    return notUpdated(`${notes.taskSummaries.length} finished tasks, and updateThreshold is ${updateThreshold}`);
  }
  if (hasConflictMarkers((await file.read(file.place))?.text ?? '')) return notUpdated('git left conflict markers in MEMORY.md');
  const summary = summaryText(notes, memory.now());
  const body = summaryBody(redact(summary).text);
  const mark = { time: headingTime(summary), length: body.length, md5: memory.md5(body) };
  const known = summaryMarks((await file.read(beside(file, 'context.json')))?.text).get(sessionId);
  const replaces = known && { ...known, matches: (text: string) => memory.md5(text) === known.md5 };
  // On request, a summary that the user removed is added again.
  if (replaces?.md5 === mark.md5 && !(force && (await isRemoved(file, replaces)))) return notUpdated('MEMORY.md was updated with this summary before');
  return { updated: true, update: await updateMemory(file, { ...request, summary, mark, tasks: notes.taskSummaries, ...(replaces && { replaces }) }) };
}

const headingTime = (summary: string): string => summary.slice(summary.indexOf(SUMMARY_HEADING) + SUMMARY_HEADING.length, summary.indexOf('\n')).trim();

const isRemoved = async (file: MemoryFile, earlier: EarlierSummary): Promise<boolean> =>
  withoutSummary((await file.read(file.place))?.text ?? '', earlier) === undefined;
