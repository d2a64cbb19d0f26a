import { utcSeconds } from '../../core/instant.ts';
import type { HookLog } from '../../core/ports/hook-log.ts';
import type { HookMachine, SessionMachine } from '../../core/ports/machine.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { HookEffects } from '../hooks/answer.ts';
import { eventNamed, HOOK_EVENTS, type HookAnswer, type HookCall, readCallText, SILENT } from '../hooks/call.ts';
import { HOOK_CLIENTS } from '../hooks/client-dialect.ts';
import type { HookServices } from '../hooks/effects.ts';
import type { LockTimeouts } from '../memory/open.ts';
import { type LocatedProject, locateIfOn } from '../project/locate.ts';
import type { ProjectMessages } from '../search/messages.ts';
import { endSession, isStartDeferred } from './session-edges.ts';

/** Shorter than the time that any client gives a hook. */
export const HOOK_LOCK_TIMEOUTS: LockTimeouts = { indexMs: 1_500, lockMs: 6_000 };

/** What a process that answers one event uses of the outside. */
export interface EventProcess {
  readonly client: string;
  /** Whether a Holdfast process started the client: hooks do nothing there. */
  readonly isChild: boolean;
  /** Throws if there is no home. */
  readonly openHookMachine: () => HookMachine;
  /** Loads the code that opens a memory. */
  readonly openMemoryMachine: () => Promise<SessionMachine>;
  /** The folder of a call that names none. */
  readonly folder: () => string;
  readonly readInput: () => Promise<string>;
  readonly write: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly services: (machine: SessionMachine, current: () => Promise<LocatedProject['project']>) => HookServices & { close(): Promise<void> };
  /** The conversations of a project. */
  readonly messages: (key: string) => Promise<ProjectMessages>;
  readonly agent: Omit<HookEffects['agent'], 'hasTools' | 'hasDrafters'>;
}

/**
 * The event and client in the arguments of `hook.js EVENT [CLIENT]` or `cli.js hook EVENT --client CLIENT`. Undefined if the command line has to report
 * wrong arguments.
 */
export function eventArguments([word = '', second = '', , option = '']: readonly string[]): { readonly event: string; readonly client: string } | undefined {
  const isClient = (name: string): boolean => HOOK_CLIENTS.some((known) => known === name);
  if (word !== 'hook') return { event: word, client: isClient(second) ? second : 'claude-code' };
  return eventNamed(second) !== undefined && isClient(option) ? { event: second, client: option } : undefined;
}

/** Answers an event in a process of its own. A failure is reported on standard error and in the log, and never stops the agent. */
export async function runEvent(name: string, process: EventProcess): Promise<Result<void>> {
  const event = eventNamed(name);
  if (event === undefined) return refuse('USAGE_ERROR', `Unknown event ${JSON.stringify(name)}.`, { hint: `one of ${HOOK_EVENTS.join(', ')}` });
  if (process.isChild) return ok(undefined);
  const { client, warn } = process;
  let machine: HookMachine | undefined;
  try {
    machine = process.openHookMachine();
    const call = readCallText(event, await process.readInput());
    if (!call.ok) throw new Error(call.error.message);
    // Cursor has hooks of its own; Claude Code's hooks, which it also runs, would inject everything twice.
    if (call.value.isFromCursor === true && client !== 'cursor') return ok(undefined);
    const answer = await answerCall(call.value, machine, process);
    if (!answer) return ok(undefined);
    const text = answer === SILENT ? '' : (await import('../hooks/present-answer.ts')).presentAnswer(event, answer, client);
    if (text !== '') process.write(text);
    machine.hookLog.recordRun(client, event, machine.now());
  } catch (cause) {
    reportFailure({ log: machine?.hookLog, warn, client, event }, cause, machine?.now() ?? 0);
  }
  return ok(undefined);
}

/** Tries the cheap answers first and opens the memory only if they do not suffice. Undefined if memory is off; then nothing is logged. */
async function answerCall(call: HookCall, machine: HookMachine, process: EventProcess): Promise<HookAnswer | undefined> {
  const cwd = call.cwd ?? process.folder();
  const located = locateIfOn(machine.folders, { cwd, now: machine.now });
  if (!located) return undefined;
  machine.hookLog.clientsOf(located.project.key).record({ client: process.client, by: 'hooks', at: machine.now() });
  const { event } = call;
  const session = { machine, client: process.client, cwd, notes: machine.sessionNotes(located.project.key) };
  // Qwen Code reports a prompt without words after every answer of a tool.
  if (event === 'UserPromptSubmit' && (call.prompt ?? '') === '') return SILENT;
  if (event === 'SessionEnd') endSession(call, session);
  if (event === 'SessionEnd' || (event === 'SessionStart' && isStartDeferred(call, session))) return SILENT;
  const { answerInProcess } = await import('./answer-in-process.ts');
  return answerInProcess({ call, cwd, located, machine: await process.openMemoryMachine(), process });
}

export interface FailedEvent {
  readonly log: HookLog | undefined;
  readonly warn: (text: string) => void;
  readonly client: string;
  readonly event: string;
}

/** Reports a failure and never throws. */
export function reportFailure({ log, warn, client, event }: FailedEvent, cause: unknown, at: number): void {
  const message = cause instanceof Error ? cause.message : String(cause);
  const attempts: (() => unknown)[] = [
    () => warn(`holdfast ${event} hook: ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}; the session goes on\n`),
    () => log?.recordFailure({ at: utcSeconds(at), client, event, message }),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // A closed standard error or a full disk must not stop the agent.
      continue;
    }
  }
}
