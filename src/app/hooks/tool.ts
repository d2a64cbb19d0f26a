import { guardWrite, type GuardedFolders, hidesAgent, isReadable } from '../guard/guard.ts';
import { writesElsewhere } from '../guard/shell-elsewhere.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import type { HookContext } from './hook-context.ts';
import type { ActionRequest } from '../recall/acting.ts';

/** Tools by which agents write files, under any client's naming, and those of other MCP servers that sound like it. */
export const WRITES =
  /^(?:Write|Edit|MultiEdit|NotebookEdit|write_file|replace|apply_patch|write|edit|patch|mcp__.+__\w*(?:write|edit|create|append|insert|replace|patch|move|rename|delete|remove)\w*)$/;
/** Context files that a save writes for the agent's drafters. */
const STAGED_TEXT = /\/\.memory-(?:triage-context|draft|verdict)-[\w-]+\.(?:txt|json)$/;
/** Whole names: a tool of another server with a similar name is not allowed. */
const OWN = /^mcp__(?:plugin_memory_)?holdfast__memory_(?:search|get|timeline|save|update|retire|state|status)$/;

/** Holdfast's own agents, from the plugin or `init`. */
export const OWN_AGENT = /^memory:|^(?:summarize|synthesize)$/;
const CHANGES_MEMORY = /__memory_(?:update|retire|state)$/;
const REPORTS_ONLY = 'A subagent only reports: memory_save with {"file", "text"}, or end with the report. The agent that started you changes the memory.';

/** Whether a subagent of the user is about to change more than its own report. */
const oversteps = ({ tool = '', file, agentId, callerType }: HookCall): boolean =>
  agentId !== undefined &&
  callerType !== undefined &&
  !OWN_AGENT.test(callerType) &&
  (CHANGES_MEMORY.test(tool) || (tool.endsWith('__memory_save') && file === undefined));

/** The exact commands by which Holdfast's agents read a session or the summaries. */
const READING = /^node "(.+)\/cli\.js" (?:summarize [\w-]+ --dry-run|messages --session [\w-]+|synthesize --dry-run)$/;

const HIDDEN = 'This hides from Holdfast that an agent runs the command. Run it as it is: what you save is observed, and only the user confirms.';

export const DELEGATES = /^(?:Agent|Task|agent|task)$/;
const VERIFIER = 'memory:memory-verifier';
const ONLY_VERIFIER = `The memory drafter starts ${VERIFIER} and no other subagent.`;

/** A drafter reads what strangers wrote, so that it must not start an agent that can do more than itself. Clients do not enforce the list in its head. */
const exceedsDrafter = ({ tool = '', agentType, callerType = '' }: HookCall): boolean =>
  DELEGATES.test(tool) && callerType.endsWith('memory-drafter') && agentType !== VERIFIER;

export const SHELL = /^(?:Bash|Shell|shell|exec_command|local_shell|run_shell_command|run_commands|Execute|bash)$/;

/** The part of a tool call that memory may know something about: a command to run or a file to write. Most calls have neither. */
export function actionIn({ tool = '', command, file, session }: HookCall): ActionRequest | undefined {
  const [runs, writes] = [SHELL.test(tool) ? command : undefined, WRITES.test(tool) ? file : undefined];
  if (runs === undefined && writes === undefined) return undefined;
  return { ...(runs !== undefined && { command: runs }), ...(writes !== undefined && { file: writes }), ...(session !== undefined && { session }) };
}

const OPENS = /^(?:Read|read_file|read|view)$/;
const MOST_OPEN = 20;

/** Notes files the session has open; recall prefers records about them. */
export function noteOpen({ notes, switched }: HookContext, { session, tool = '', file }: HookCall): void {
  if (session === undefined || file === undefined || !switched.acts('recall') || !(OPENS.test(tool) || WRITES.test(tool))) return;
  const path = file.replaceAll('\\', '/');
  const { open = [] } = notes.read(session);
  if (open[0] !== path) notes.change(session, { open: [path, ...open.filter((other) => other !== path)].slice(0, MOST_OPEN) });
}

/** PreToolUse: allows Holdfast's own tools and reads of the memory, denies writes past the writer. `file` is the real path, links resolved. */
export function judgeTool({ switched }: Pick<HookContext, 'switched'>, call: HookCall, file: string | undefined, guarded: GuardedFolders): HookAnswer {
  const { tool = '', command = '' } = call;
  if (exceedsDrafter(call)) return { permission: 'deny', reason: ONLY_VERIFIER };
  if (!switched.on) return SILENT;
  if (OWN.test(tool)) return switched.acts('guard') && oversteps(call) ? { permission: 'deny', reason: REPORTS_ONLY } : { permission: 'allow' };
  if (tool === 'Read') return isStaged(file, guarded) || isReadable(file, guarded) ? { permission: 'allow' } : SILENT;
  if (tool === 'Bash' && switched.acts('guard') && hidesAgent(command)) return { permission: 'deny', reason: HIDDEN };
  const elsewhere = SHELL.test(tool) && switched.acts('guard') ? writesElsewhere(command, guarded) : undefined;
  if (elsewhere !== undefined) return { permission: 'deny', reason: elsewhere };
  if (tool === 'Bash') return READING.exec(command)?.[1] === (guarded.programs ?? '') ? { permission: 'allow' } : SILENT;
  if (!switched.acts('guard') || !WRITES.test(tool) || file === undefined) return SILENT;
  const { permission, reason } = guardWrite(file, guarded);
  return permission === 'none' ? SILENT : { permission, ...(reason !== undefined && { reason }) };
}

const isStaged = (file: string | undefined, { drafts }: GuardedFolders): boolean =>
  file !== undefined && drafts !== undefined && file.startsWith(`${drafts}/`) && STAGED_TEXT.test(file);
