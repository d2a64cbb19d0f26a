import { writeSync } from 'node:fs';
import { HookLogFolder } from '../../../adapters/files/hook-log.ts';
import type { HookAnswer, HookCall, HookEvent } from '../../../app/hooks/call.ts';
import { utcSeconds } from '../../../core/instant.ts';
import { presentAnswer, readCallText } from '../../../app/hooks/call.ts';
import type { HookEnvironment } from './hook-context.ts';
import type { LockTimeouts } from '../open-memory.ts';
import { homeFolder, workingFolder } from '../environment.ts';
import { placesIn } from '../../../adapters/files/home-layout.ts';
import { readHookInput } from '../../../adapters/process/stdin.ts';

/** Within every time that a client gives a hook. */
export const HOOK_PATIENCE: LockTimeouts = { indexMs: 1_500, lockMs: 6_000 };

/** Undefined where memory is off: then nothing is said, logged or left behind. */
export type Answering = (call: HookCall, cwd: string, around: HookEnvironment) => Promise<HookAnswer | undefined>;

interface Hooked {
  readonly event: HookEvent;
  readonly client: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home?: string | undefined;
}

/** One event as a process of its own. Whatever happens, the agent goes on: the exit code is 0, and a failure is one line on stderr and one in the log. */
export async function runHook({ event, client, env, home: named }: Hooked, answer: Answering): Promise<void> {
  const now = Date.now;
  let log: HookLogFolder | undefined;
  try {
    const home = homeFolder({ option: named, env });
    log = new HookLogFolder(placesIn(home).hooks);
    const call = readCallText(event, await readHookInput());
    if (!call.ok) throw new Error(call.error.message);
    const cwd = call.value.cwd ?? env['CLAUDE_PROJECT_DIR'] ?? workingFolder(env);
    const answered = await answer(call.value, cwd, { home, now, client, patience: HOOK_PATIENCE });
    if (!answered) return;
    const said = presentAnswer(event, answered, client);
    if (said !== '') writeSync(1, said);
    log.saw(client, event, now());
  } catch (cause) {
    report(log, { client, event }, cause, now());
  }
}

/** Never throws: this is where failures end. */
export function report(
  log: HookLogFolder | undefined,
  { client, event }: { readonly client: string; readonly event: string },
  cause: unknown,
  at: number,
): void {
  const message = cause instanceof Error ? cause.message : String(cause);
  const attempts: (() => unknown)[] = [
    () => writeSync(2, `holdfast ${event} hook: ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}; the session goes on\n`),
    () => log?.failed({ at: utcSeconds(at), client, event, message }),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // Neither a closed stderr nor a full disk may reach the agent.
      continue;
    }
  }
}
