import { CLIENTS } from '../../core/episode/episode.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import { answerHook } from '../hooks/answer.ts';
import type { HookAnswer, HookCall } from '../hooks/call.ts';
import { hookEffects } from '../hooks/effects.ts';
import type { LocatedProject } from '../project/locate.ts';
import { type EventProcess, HOOK_LOCK_TIMEOUTS } from './event-process.ts';
import { openHookContext } from './open-hook.ts';
import type { OpenRanker } from './open-recall.ts';
import { CLIENT_WITH_SERVER } from './session-edges.ts';

export interface ProcessRequest {
  readonly call: HookCall;
  readonly cwd: string;
  readonly located: LocatedProject;
  readonly machine: SessionMachine;
  readonly process: EventProcess;
}

/** A prompt is answered from conversations too; other events do not load the code that reads them. */
async function rankingWithQuotes(process: EventProcess, key: string): Promise<OpenRanker> {
  const [{ rankWithMessages }, messages] = await Promise.all([import('../search/messages.ts'), process.messages(key)]);
  return rankWithMessages(() => messages);
}

/** Answers an event in this process, with the memory open. */
export async function answerInProcess({ call, cwd, located, machine, process }: ProcessRequest): Promise<HookAnswer> {
  const { client } = process;
  const repairViews = async (): Promise<void> => machine.startBackground({ cwd, onlyViews: true });
  const rank = call.event === 'UserPromptSubmit' ? await rankingWithQuotes(process, located.project.key) : undefined;
  const { context, project, closeFast } = openHookContext(machine, located, { client, lockTimeouts: HOOK_LOCK_TIMEOUTS, overrides: { repairViews } }, rank);
  const services = process.services(machine, async () => project);
  try {
    // Where no server does it, a start finishes earlier sessions.
    if (call.event === 'SessionStart' && call.source !== 'compact' && client !== CLIENT_WITH_SERVER) machine.startBackground({ cwd });
    const answer = await answerHook(
      context,
      call,
      hookEffects(machine, services, {
        cwd,
        client: CLIENTS.find((known) => known === client) ?? CLIENT_WITH_SERVER,
        project,
        memory: context.memory,
        // Claude Code's server may have failed; other clients get theirs with their hooks, and some let no agent write draft files.
        agent: { ...process.agent, hasTools: client !== CLIENT_WITH_SERVER, hasDrafters: false },
      }),
    );
    if (answer.backgroundWork) machine.startBackground({ cwd, ...(call.session !== undefined && { session: call.session }), ...answer.backgroundWork });
    return answer;
  } finally {
    await services.close();
    await closeFast();
  }
}
