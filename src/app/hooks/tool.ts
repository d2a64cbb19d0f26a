import { guardWrite, type GuardedFolders, hidesAgent, isReadable } from '../guard/guard.ts';
import { denialOfWriteElsewhere } from '../guard/shell-elsewhere.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import type { HookContext } from './hook-context.ts';
import type { ActionRequest } from '../recall/acting.ts';

/** Tools that write files, in any client, and tools of other MCP servers whose names sound like it. */
export const WRITE_TOOL =
  /^(?:Write|Edit|MultiEdit|NotebookEdit|write_file|replace|apply_patch|write|edit|patch|mcp__.+__\w*(?:write|edit|create|append|insert|replace|patch|move|rename|delete|remove)\w*)$/;
/** Files of a staged save: the drafter's context, drafts and verdicts. */
const STAGED_FILE = /\/\.memory-(?:triage-context|draft|verdict)-[\w-]+\.(?:txt|json)$/;
/** Holdfast's tools by their whole names, so that a tool of another server with a similar name is not allowed. */
const OWN_TOOL = /^mcp__(?:plugin_memory_)?holdfast__memory_(?:search|get|timeline|save|update|retire|state|status)$/;

/** Holdfast's own agents, from the plugin or `init`. */
export const OWN_AGENT = /^memory:|^(?:summarize|synthesize)$/;
const CHANGE_TOOL = /__memory_(?:update|retire|state)$/;
const REPORTS_ONLY = 'A subagent only reports: memory_save with {"file", "text"}, or end with the report. The agent that started you changes the memory.';

/** Whether a subagent of the user is about to change more than its report. */
const isBeyondReport = ({ tool = '', file, agentId, callerType }: HookCall): boolean =>
  agentId !== undefined &&
  callerType !== undefined &&
  !OWN_AGENT.test(callerType) &&
  (CHANGE_TOOL.test(tool) || (tool.endsWith('__memory_save') && file === undefined));

/** The exact commands by which Holdfast's agents read a session or the summaries. */
const READ_COMMAND = /^node "(.+)\/cli\.js" (?:summarize [\w-]+ --dry-run|messages --session [\w-]+|synthesize --dry-run)$/;

const HIDDEN = 'This hides from Holdfast that an agent runs the command. Run it as it is: what you save is observed, and only the user confirms.';

export const SUBAGENT_TOOL = /^(?:Agent|Task|agent|task)$/;
const VERIFIER = 'memory:memory-verifier';
const ONLY_VERIFIER = `The memory drafter starts ${VERIFIER} and no other subagent.`;

/** A drafter reads outside text and must not start an agent that can do more than itself. Clients do not enforce its list of tools. */
const isBeyondDrafter = ({ tool = '', agentType, callerType = '' }: HookCall): boolean =>
  SUBAGENT_TOOL.test(tool) && callerType.endsWith('memory-drafter') && agentType !== VERIFIER;

export const SHELL_TOOL = /^(?:Bash|Shell|shell|exec_command|local_shell|run_shell_command|run_commands|Execute|bash)$/;

/** The command that a tool call runs, or the file that it writes; undefined if it does neither, as most calls. */
export function actionIn({ tool = '', command, file, session }: HookCall): ActionRequest | undefined {
  const runs = SHELL_TOOL.test(tool) && command !== undefined;
  const writes = WRITE_TOOL.test(tool) && file !== undefined;
  if (!runs && !writes) return undefined;
  return { ...(runs && { command }), ...(writes && { file }), ...(session !== undefined && { session }) };
}

const READ_TOOL = /^(?:Read|read_file|read|view)$/;
const MAX_OPEN_FILES = 20;

/** Notes the file as open in the session; recall prefers records about open files. */
export function noteOpenFile({ notes, switched }: HookContext, { session, tool = '', file }: HookCall): void {
  if (session === undefined || file === undefined || !switched.allows('recall') || !(READ_TOOL.test(tool) || WRITE_TOOL.test(tool))) return;
  const path = file.replaceAll('\\', '/');
  const { open = [] } = notes.read(session);
  if (open[0] !== path) notes.change(session, { open: [path, ...open.filter((other) => other !== path)].slice(0, MAX_OPEN_FILES) });
}

/** Allows Holdfast's own tools and reads of the memory, denies writes without its writer. `file` is the real path, links resolved. */
export function judgeTool({ switched }: Pick<HookContext, 'switched'>, call: HookCall, file: string | undefined, guarded: GuardedFolders): HookAnswer {
  const { tool = '', command = '' } = call;
  if (isBeyondDrafter(call)) return { permission: 'deny', reason: ONLY_VERIFIER };
  if (!switched.on) return SILENT;
  if (OWN_TOOL.test(tool)) return switched.allows('guard') && isBeyondReport(call) ? { permission: 'deny', reason: REPORTS_ONLY } : { permission: 'allow' };
  if (tool === 'Read') return isStaged(file, guarded) || isReadable(file, guarded) ? { permission: 'allow' } : SILENT;
  if (tool === 'Bash' && switched.allows('guard') && hidesAgent(command)) return { permission: 'deny', reason: HIDDEN };
  const denial = SHELL_TOOL.test(tool) && switched.allows('guard') ? denialOfWriteElsewhere(command, guarded) : undefined;
  if (denial !== undefined) return { permission: 'deny', reason: denial };
  if (tool === 'Bash') return READ_COMMAND.exec(command)?.[1] === (guarded.programs ?? '') ? { permission: 'allow' } : SILENT;
  if (!switched.allows('guard') || !WRITE_TOOL.test(tool) || file === undefined) return SILENT;
  const { permission, reason } = guardWrite(file, guarded);
  return permission === 'none' ? SILENT : { permission, ...(reason !== undefined && { reason }) };
}

const isStaged = (file: string | undefined, { drafts }: GuardedFolders): boolean =>
  file !== undefined && drafts !== undefined && file.startsWith(`${drafts}/`) && STAGED_FILE.test(file);
