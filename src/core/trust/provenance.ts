import type { ToolCall } from '../episode/episode.ts';
import { isOwnCommand, isOwnTool } from '../episode/injected.ts';
import { isProjectCommand } from './project-command.ts';
import { isProjectFile } from './project-file.ts';

export type ToolUse = Pick<ToolCall, 'name' | 'files' | 'command'>;

/** Tools that return only text of the agent itself: plans, questions, notes. */
const SILENT =
  /^(?:TodoWrite|TodoRead|todowrite|todoread|write_todos|update_plan|TaskCreate|TaskUpdate|TaskList|TaskGet|ExitPlanMode|EnterPlanMode|plan_exit|AskUserQuestion|ask_user|ask_followup_question|request_user_input|question|ToolSearch|KillShell|KillBash|view_image|save_memory)$/;
/** Tools that access only the files that they name. */
const ON_FILES =
  /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS|LSP|read|edit|write|patch|glob|grep|list|view|read_file|read_many_files|write_file|replace|list_directory|search_file_content|grep_search|apply_patch)$/;
const SHELL = /^(?:Bash|bash|shell|exec|exec_command|local_shell|run_shell_command|container\.exec|PowerShell)$/;
const WEB = /^(?:web_?(?:fetch|search)|google_web_search|fetch|browser)$/i;
/** Tools that start another agent, whose answer is only as trustworthy as the text that it read. */
const DELEGATES = /^(?:Agent|Task|task|spawn_agent|delegate_to_agent)$/;

export const isWebTool = (name: string): boolean => WEB.test(name);
export const isDelegation = (name: string): boolean => DELEGATES.test(name);

/**
 * Whether what a tool returns may be the words of others. Everything is, except for tools that only touch the project's own files, Holdfast's own, and
 * those that return nothing but what the agent itself said.
 */
export function isOutsideTool({ name, files, command }: ToolUse, project?: string): boolean {
  if (SILENT.test(name) || isOwnTool(name)) return false;
  if (ON_FILES.test(name)) return !files.every((file) => isProjectFile(file, project));
  if (SHELL.test(name)) return command === undefined || !(isOwnCommand(command) || isProjectCommand(command, project));
  return true;
}
