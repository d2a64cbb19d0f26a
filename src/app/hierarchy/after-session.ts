import type { Memory } from '../memory/memory.ts';
import type { Author } from '../write/transaction.ts';
import { parseContext } from './context-file.ts';
import { beside, type MemoryFile } from './memory-file.ts';
import { accountOf } from './session-notes.ts';
import { summaryText } from './summary.ts';
import { shouldUpdate, updateMemory, type Updated } from './update.ts';

export interface AfterSession extends Author {
  readonly sessionId: string;
  /** Somebody asked: neither the switches nor the threshold matter. */
  readonly force?: boolean;
}

export type SessionUpdate =
  | { readonly updated: true; readonly update: Updated }
  | { readonly updated: false; readonly because: string; readonly missing?: true };

const not = (because: string): { readonly updated: false; readonly because: string } => ({ updated: false, because });

/** The end of a session: MEMORY.md is updated when the session mattered. One that ends twice stands there once. */
export async function updateAfterSession(memory: Memory, file: MemoryFile, request: AfterSession): Promise<SessionUpdate> {
  const { sessionId, force = false } = request;
  if (!force && !memory.config.get('enabled')) return not('enabled is false');
  if (!force && !memory.config.get('autoUpdate')) return not('autoUpdate is false');
  const account = await accountOf(memory, sessionId);
  if (!account) return { ...not(`session ${sessionId} has no summary yet`), missing: true };
  const { notes, significant } = account;
  const { updateThreshold } = file.settings;
  if (!force && !shouldUpdate(notes.taskSummaries.length, significant, updateThreshold)) {
    return not(`${notes.taskSummaries.length} finished tasks, and updateThreshold is ${updateThreshold}`);
  }
  const replaces = await earlierSummary(file, sessionId);
  const summary = summaryText(notes, memory.now());
  if (replaces !== undefined && (await isUnchanged(file, summaryBody(summary)))) return not('MEMORY.md says it already');
  return {
    updated: true,
    update: await updateMemory(file, { ...request, summary, tasks: notes.taskSummaries, ...(replaces !== undefined && { replaces }) }),
  };
}

const summaryBody = (summary: string): string => summary.slice(summary.indexOf('\n')).trim();

const isUnchanged = async (file: MemoryFile, body: string): Promise<boolean> => body !== '' && ((await file.read(file.place))?.text.includes(body) ?? false);

/** The time under which the session stands in MEMORY.md already, if it was the last to write there. */
async function earlierSummary(file: MemoryFile, sessionId: string): Promise<string | undefined> {
  const context = parseContext((await file.read(beside(file, 'context.json')))?.text);
  const time = context['summaryTime'];
  return context['sessionId'] === sessionId && typeof time === 'string' ? time : undefined;
}
