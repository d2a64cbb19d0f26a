import { utcSeconds } from '../../core/instant.ts';
import type { SaveNote, SessionNote } from '../../core/ports/session-states.ts';
import { isQuarantined, trustFrom } from '../../core/trust/trust.ts';
import type { StagedWork } from '../drafting/stage.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { showsBreadcrumb } from './breadcrumb.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import type { HookContext } from './hook-context.ts';
import type { NewMessages, NewMessagesRequest } from './new-messages.ts';
import { agentsRequest, inlineRequest, savedLine } from './save-request.ts';
import type { UserPrompts } from './user-prompts.ts';
import { type FindingOptions, findingsIn, type TurnFinding, type TurnFindings } from './turn-findings.ts';

/** What the end of a turn uses besides the memory. */
export interface StopEffects {
  newMessages(request: Omit<NewMessagesRequest, 'client' | 'project'>): Promise<NewMessages | undefined>;
  /** Writes context files and candidates for the categories that fired. */
  stage(episode: Episode): Promise<StagedWork>;
  readonly agent: AgentFacts;
  /** The session's prompts; undefined if every event runs as a process. */
  readonly userPrompts?: Pick<UserPrompts, 'takeSavedCategories' | 'takeNewPrompt' | 'isReportOfOther'>;
}

/** What the agent can do. */
export interface AgentFacts {
  /** The one call that saves the drafts of a session. */
  readonly saveCall: (session: string) => string;
  /** Whether the agent has the server's tools, so that it can save in one call. */
  readonly hasTools: boolean;
  /** Whether the plugin's drafters are installed; otherwise the agent drafts itself. */
  readonly hasDrafters: boolean;
  /** Whether no user is at the terminal: the last reply of the run is its output. */
  readonly isHeadless: boolean;
  /** Whether an agent runs this program in its shell; then its prompt is not typed by the user. Unknown to a server. */
  readonly inShell?: boolean;
  /** How the user takes a save back. */
  readonly undo: string;
}

type Flow = 'inline' | 'agents' | 'end' | 'off';

/** `auto` leaves more than this to subagents, so that the agent's own context stays free. */
const MOST_CATEGORIES = 3;
const MOST_LINES = 12;
const MAX_MARKS = 200;
const NO_CATEGORIES: ReadonlySet<string> = new Set();

/** Stop: triages the new messages and may ask the agent to save what is worth a record: at most once a turn, and never twice for a line. */
export async function stopTurn(context: HookContext, call: HookCall, effects: StopEffects): Promise<HookAnswer> {
  const { session } = call;
  if (session === undefined) return SILENT;
  const { note, answer } = await endTurn(context, session, call, effects);
  context.notes.change(session, note);
  return answer;
}

/** The answer to the end of a turn, and the note that the session gets with it. */
interface TurnEnd {
  readonly note: SessionNote;
  readonly answer: HookAnswer;
}

async function endTurn(context: HookContext, session: string, call: HookCall, effects: StopEffects): Promise<TurnEnd> {
  const { transcript, lastMessage } = call;
  const { notes, memory } = context;
  const before = notes.read(session);
  const { save, notice } = concludeSave(before.save, call, effects.agent.undo);
  const note: SessionNote = { ...before, recovered: false, ...(showsBreadcrumb(lastMessage ?? '') && { breadcrumb: true }), ...(save && { save }) };
  const answer: HookAnswer = notice === undefined ? SILENT : { notice };
  if (transcript === undefined || !context.switched.allows('capture')) return { note, answer };
  const read = await effects.newMessages({
    session,
    path: transcript,
    from: note.seenTo ?? 0,
    ...(lastMessage !== undefined && { lastMessage }),
    ...(note.lastSeen !== undefined && { lastSeen: note.lastSeen }),
    ...(note.afterOutside === true && { afterOutside: true }),
  });
  const readNote: SessionNote = {
    ...note,
    ...(read && { seenTo: read.to, afterOutside: read.endsOutside, ...(read.lastSeen !== undefined && { lastSeen: read.lastSeen }) }),
  };
  const options: FindingOptions = {
    savedCategories: effects.userPrompts?.takeSavedCategories() ?? NO_CATEGORIES,
    askedMarks: new Set(note.askedLines),
    acceptsAll: memory.config.get('capture.flow') === 'agents',
  };
  if (!read || call.stopActive === true || memory.config.get('model.drafting') !== 'host') return { note: readNote, answer };
  const turn = findingsIn(memory, read.episode, options);
  if (turn.findings.length === 0) return { note: readNote, answer };
  // A background task that reports back ends no turn of the user: its messages are triaged with the next one.
  const isNewTurn = effects.userPrompts?.takeNewPrompt() ?? hasPrompt(read.episode);
  if (note.save && !isNewTurn) return { note, answer };
  const flow = flowFor(context, effects.agent, turn.findings);
  if (flow === 'off') return { note: readNote, answer };
  if (flow === 'end') return { note: { ...readNote, draftsAtEnd: true }, answer };
  const request = flow === 'inline' ? requestInline(turn.findings) : await requestFromAgents(session, read.episode, turn, effects);
  if (!request) return { note: readNote, answer };
  const askedLines = [...(note.askedLines ?? []), ...turn.findings.map(({ mark }) => mark)].slice(-MAX_MARKS);
  const pending: SaveNote = { ...request.save, flow, state: 'pending', at: utcSeconds(memory.now()) };
  return { note: { ...readNote, askedLines, save: pending }, answer: { ...answer, request: request.text } };
}

interface SaveRequest {
  /** The text for the agent. */
  readonly text: string;
  readonly save: Omit<SaveNote, 'state' | 'flow' | 'at'>;
}

function requestInline(findings: readonly TurnFinding[]): SaveRequest {
  return {
    text: inlineRequest(findings),
    save: {
      categories: [...new Set(findings.map(({ category }) => category))],
      messageIds: [...new Set(findings.map(({ messageId }) => messageId))],
      trust: trustFrom(findings.some(({ trust }) => isQuarantined(trust)) ? 'tool-output' : 'capture'),
    },
  };
}

async function requestFromAgents(
  session: string,
  episode: Episode,
  { findings, summaryFired }: TurnFindings,
  effects: StopEffects,
): Promise<SaveRequest | undefined> {
  const fired = new Set<string>([...findings.map(({ category }) => category), ...(summaryFired ? ['session_summary'] : [])]);
  const staged = await effects.stage(episode);
  const work: StagedWork = { ...staged, categories: staged.categories.filter(({ category }) => fired.has(category)) };
  if (work.categories.length === 0) return undefined;
  return {
    text: agentsRequest(work, effects.agent.saveCall(session), work.parallel && effects.agent.hasDrafters),
    save: { categories: work.categories.map(({ category }) => category), drafts: work.categories.map(({ draftFile }) => draftFile) },
  };
}

/** The flow that saves this turn: the setting, as far as the client allows it. */
function flowFor({ memory: { config } }: HookContext, { hasTools, hasDrafters, isHeadless }: AgentFacts, findings: readonly TurnFinding[]): Flow {
  const setting = config.get('capture.flow');
  if (setting === 'auto' && isHeadless) return 'end';
  const isLarge = new Set(findings.map(({ category }) => category)).size > MOST_CATEGORIES || findings.length > MOST_LINES;
  const canDelegate = hasDrafters && config.get('triage.parallel.enabled');
  const flow = setting === 'auto' ? (isLarge && canDelegate ? 'agents' : 'inline') : setting;
  return flow === 'inline' && !hasTools ? 'agents' : flow;
}

const hasPrompt = (episode: Episode): boolean => [...messagesIn(episode)].some(({ role, agentId }) => role === 'user' && agentId === undefined);

/** The state of the last request to save at the end of this turn, and the line that the user is shown. */
function concludeSave(
  save: SaveNote | undefined,
  { lastMessage = '', stopActive }: HookCall,
  undo: string,
): { readonly save?: SaveNote; readonly notice?: string } {
  if (!save) return {};
  if (save.state === 'pending') return { save: { ...save, state: save.flow === 'inline' ? 'nothing' : 'failed' } };
  if (save.state === 'saving' && stopActive !== true) return { save: { ...save, state: 'failed' } };
  const { records = [] } = save;
  if (save.state !== 'saved' || save.announced === true || records.length === 0) return { save };
  // The agent has named the records in its reply.
  const namesRecords = records.every((record) => lastMessage.includes(record.replace(/^[^/]*\//, '').split(' ')[0] as string));
  return { save: { ...save, announced: true }, ...(!namesRecords && { notice: savedLine(records, undo) }) };
}
