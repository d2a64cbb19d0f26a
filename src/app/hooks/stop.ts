import { utcSeconds } from '../../core/instant.ts';
import type { SaveNote, SessionNote } from '../../core/ports/session-states.ts';
import { isQuarantined, trustFrom } from '../../core/trust/trust.ts';
import type { StagedWork } from '../drafting/stage.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { showsBreadcrumb } from './breadcrumb.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import type { HookContext } from './hook-context.ts';
import type { Material, MaterialOptions } from './material.ts';
import { agentsRequest, inlineRequest, savedLine } from './save-request.ts';
import type { UserPrompts } from './user-prompts.ts';
import { findingsIn, type TurnFinding, type TurnFindings } from './turn-findings.ts';

/** The inputs of the Stop event. */
export interface StopEffects {
  material(request: Omit<MaterialOptions, 'exclusion' | 'client' | 'reader'>): Promise<Material | undefined>;
  /** Context files and candidates for what fired. */
  stage(episode: Episode): Promise<StagedWork>;
  readonly agent: AgentFacts;
  /** The session's prompts as the server saw them; undefined if every event runs as a process. */
  readonly userPrompts?: Pick<UserPrompts, 'takeKept' | 'takePrompt' | 'isTaken'>;
}

/** The abilities of the agent. */
export interface AgentFacts {
  /** How the agent saves what was drafted: one call. */
  readonly saveCall: (session: string) => string;
  /** Whether the agent has the server's tools, so that it can save in one call. */
  readonly hasTools: boolean;
  /** Whether the plugin's drafters are installed; otherwise the agent drafts itself. */
  readonly hasDrafters: boolean;
  /** No user is at the terminal: the last words of the run are its output. */
  readonly isHeadless: boolean;
  /** Whether an agent runs this program in its shell: then no client's hook does, and a prompt is not what the user typed. Unknown to a server. */
  readonly inShell?: boolean;
  /** How the user takes a save back. */
  readonly undo: string;
}

type Flow = 'inline' | 'agents' | 'end' | 'off';

/** `auto` leaves more than this to subagents, so that the agent's own context stays free. */
const MOST_CATEGORIES = 3;
const MOST_LINES = 12;
const MARKS_KEPT = 200;
const NONE: ReadonlySet<string> = new Set();

/** Stop: triages the new messages once, and asks the agent at most once a turn, and never twice for a line, to save what is worth a record. */
export async function stopTurn(context: HookContext, call: HookCall, effects: StopEffects): Promise<HookAnswer> {
  const { session, transcript } = call;
  if (session === undefined) return SILENT;
  const { notes, memory } = context;
  const before = notes.read(session);
  const shows = showsBreadcrumb(call.lastMessage ?? '');
  const { save, notice } = settled(before.save, call, effects.agent.undo);
  const note: SessionNote = { ...before, recovered: false, ...(shows && { breadcrumb: true }), ...(save && { save }) };
  const answer: HookAnswer = notice === undefined ? SILENT : { notice };
  if (transcript === undefined || !context.switched.acts('capture')) {
    notes.change(session, note);
    return answer;
  }
  const material = await effects.material({
    session,
    path: transcript,
    from: note.seenTo ?? 0,
    ...(call.lastMessage !== undefined && { lastMessage: call.lastMessage }),
    ...(note.lastSeen !== undefined && { lastSeen: note.lastSeen }),
    ...(note.afterOutside === true && { afterOutside: true }),
  });
  const seen: SessionNote = {
    ...note,
    ...(material && { seenTo: material.to, afterOutside: material.endsOutside, ...(material.lastSeen !== undefined && { lastSeen: material.lastSeen }) }),
  };
  const passed = { saved: effects.userPrompts?.takeKept() ?? NONE, asked: new Set(note.askedLines), all: memory.config.get('capture.flow') === 'agents' };
  const mayAsk = memory.config.get('model.drafting') === 'host' && call.stopActive !== true && material !== undefined;
  const found = mayAsk ? findingsIn(memory, material.episode, passed) : undefined;
  if (!found || !material || found.findings.length === 0) {
    notes.change(session, seen);
    return answer;
  }
  // A background task that reports back ends no turn of the user's: what it brings is looked at with the next one.
  const isNewTurn = effects.userPrompts?.takePrompt() ?? hasPrompt(material.episode);
  if (note.save && !isNewTurn) {
    notes.change(session, note);
    return answer;
  }
  const flow = flowFor(context, effects.agent, found.findings);
  if (flow === 'end' || flow === 'off') {
    notes.change(session, { ...seen, ...(flow === 'end' && { draftsAtEnd: true }) });
    return answer;
  }
  const request = flow === 'inline' ? askInline(found.findings) : await askAgents(session, material.episode, found, effects);
  if (!request) {
    notes.change(session, seen);
    return answer;
  }
  const askedLines = [...(note.askedLines ?? []), ...found.findings.map(({ mark }) => mark)].slice(-MARKS_KEPT);
  notes.change(session, { ...seen, askedLines, save: { ...request.save, flow, state: 'pending', at: utcSeconds(memory.now()) } });
  return { ...answer, request: request.request };
}

interface Asked {
  readonly request: string;
  readonly save: Omit<SaveNote, 'state' | 'flow' | 'at'>;
}

function askInline(findings: readonly TurnFinding[]): Asked {
  return {
    request: inlineRequest(findings),
    save: {
      categories: [...new Set(findings.map(({ category }) => category))],
      messageIds: [...new Set(findings.map(({ messageId }) => messageId))],
      trust: trustFrom(findings.some(({ trust }) => isQuarantined(trust)) ? 'tool-output' : 'capture'),
    },
  };
}

async function askAgents(session: string, episode: Episode, { findings, summaryFired }: TurnFindings, effects: StopEffects): Promise<Asked | undefined> {
  const fired = new Set<string>([...findings.map(({ category }) => category), ...(summaryFired ? ['session_summary'] : [])]);
  const staged = await effects.stage(episode);
  const work: StagedWork = { ...staged, categories: staged.categories.filter(({ category }) => fired.has(category)) };
  if (work.categories.length === 0) return undefined;
  return {
    request: agentsRequest(work, effects.agent.saveCall(session), work.parallel && effects.agent.hasDrafters),
    save: { categories: work.categories.map(({ category }) => category), drafts: work.categories.map(({ draftFile }) => draftFile) },
  };
}

/** Which flow saves this turn: what the settings say, as far as the client allows it. */
function flowFor({ memory: { config } }: HookContext, { hasTools, hasDrafters, isHeadless }: AgentFacts, findings: readonly TurnFinding[]): Flow {
  const setting = config.get('capture.flow');
  if (setting === 'auto' && isHeadless) return 'end';
  const isMuch = new Set(findings.map(({ category }) => category)).size > MOST_CATEGORIES || findings.length > MOST_LINES;
  const canDelegate = hasDrafters && config.get('triage.parallel.enabled');
  const wanted = setting === 'auto' ? (isMuch && canDelegate ? 'agents' : 'inline') : setting;
  return wanted === 'inline' && !hasTools ? 'agents' : wanted;
}

const hasPrompt = (episode: Episode): boolean => [...messagesIn(episode)].some(({ role, agentId }) => role === 'user' && agentId === undefined);

/** The result of the last request, and the line that the user is shown. */
function settled(save: SaveNote | undefined, { lastMessage = '', stopActive }: HookCall, undo: string): { readonly save?: SaveNote; readonly notice?: string } {
  if (!save) return {};
  if (save.state === 'pending') return { save: { ...save, state: save.flow === 'inline' ? 'nothing' : 'failed' } };
  if (save.state === 'saving' && stopActive !== true) return { save: { ...save, state: 'failed' } };
  const { records = [] } = save;
  if (save.state !== 'saved' || save.announced === true || records.length === 0) return { save };
  // An agent that names what it saved has told the user already.
  const isSaid = records.every((record) => lastMessage.includes(record.replace(/^[^/]*\//, '').split(' ')[0] as string));
  return { save: { ...save, announced: true }, ...(!isSaid && { notice: savedLine(records, undo) }) };
}
