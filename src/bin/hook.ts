import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder, workingFolder } from '../adapters/process/environment.ts';
import { readHookInput } from '../adapters/process/stdin.ts';
import { eventArguments, type EventProcess, runEvent } from '../app/runtime/event-process.ts';
import type { Environment } from '../core/ports/host.ts';
import { isAgentShell, isHeadlessRun } from '../core/trust/agent-shell.ts';
import { hookMachineAt } from './wiring/hook-machine.ts';
import { hookServices } from './wiring/services.ts';

export interface EventRequest {
  readonly client: string;
  readonly env: Environment;
  /** The home that `--home` names. */
  readonly home?: string | undefined;
}

const saveCall = (session: string): string => `node ${JSON.stringify(join(import.meta.dirname, 'cli.js'))} drafts ${JSON.stringify(session)} --staged`;

/** This process, as it answers one event on standard input and output. */
export function eventProcess({ client, env, home: homeOption }: EventRequest): EventProcess {
  const home = (): string => homeFolder({ option: homeOption, env });
  return {
    client,
    isChild: env['HOLDFAST_CHILD'] === '1',
    openHookMachine: () => hookMachineAt({ home: home(), env }),
    openMemoryMachine: async () => (await import('./wiring/session-machine.ts')).sessionMachineAt({ home: home(), env }),
    folder: () => env['CLAUDE_PROJECT_DIR'] ?? workingFolder(env),
    readInput: readHookInput,
    write: (text) => void writeSync(1, text),
    warn: (text) => void writeSync(2, text),
    services: (machine, current) => hookServices({ machine, env, homeNamed: homeOption !== undefined }, current),
    messages: async (key) => (await import('./wiring/messages.ts')).openMessages(home(), key),
    agent: { saveCall, isHeadless: isHeadlessRun(env), inShell: isAgentShell(env), undo: 'holdfast undo' },
  };
}

/** Answers one event of a client's session, whose JSON is on standard input. */
export async function run(): Promise<void> {
  const eventCall = eventArguments(process.argv.slice(2));
  if (!eventCall) return (await import('./cli.ts')).run();
  const result = await runEvent(eventCall.event, eventProcess({ client: eventCall.client, env: process.env }));
  if (!result.ok) process.stderr.write(`holdfast ${eventCall.event} hook: ${result.error.message}; the session goes on\n`);
  // All output is written, and an orderly exit would take a millisecond.
  process.exit();
}
