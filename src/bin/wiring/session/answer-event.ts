import { startBackground } from '../../../adapters/process/background.ts';
import { answerHook } from '../../../app/hooks/answer.ts';
import type { HookAnswer, HookCall } from '../../../app/hooks/call.ts';
import { isHeadlessRun } from '../../../core/trust/agent-shell.ts';
import { CLIENTS } from '../../../core/episode/episode.ts';
import type { LocatedProject } from '../../../app/project/locate.ts';
import type { openEpisodes } from '../open-episodes.ts';
import { openHookContextOf, type HookEnvironment } from './hook-context.ts';
import { hookEffectsFor, stagedDraftsCommand } from './hook-effects.ts';

export interface EventRequest {
  readonly call: HookCall;
  readonly cwd: string;
  readonly around: HookEnvironment;
  readonly located: LocatedProject;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeNamed: boolean;
}

/** Answers an event in this process, with the memory open. */
export async function answerEvent({ call, cwd, around, located, env, homeNamed }: EventRequest): Promise<HookAnswer> {
  const { home, now, client } = around;
  const repairSoon = async (): Promise<void> => startBackground({ home, cwd, onlyViews: true }, env);
  const { context, project, leave } = openHookContextOf(located, { ...around, overrides: { repairViews: repairSoon } });
  let episodes: ReturnType<typeof openEpisodes> | undefined;
  const current = async (): Promise<typeof project> => project;
  const named = CLIENTS.find((known) => known === client) ?? 'claude-code';
  try {
    // Where no server does it, a start takes in what the last session left.
    if (call.event === 'SessionStart' && call.source !== 'compact' && client !== 'claude-code') startBackground({ home, cwd }, env);
    const answered = await answerHook(
      context,
      call,
      hookEffectsFor({
        home,
        cwd,
        client: named,
        reader: async () => {
          const { readerFor } = await import('../../../capture/transcripts/detect.ts');
          return (options) => readerFor(named, options);
        },
        project,
        memory: context.memory,
        episodes: async () => (episodes ??= (await import('../open-episodes.ts')).openEpisodes({ home, homeNamed, projectNamed: false, env, now, current })),
        drafting: async () => (await import('../open-drafting.ts')).openDrafting({ home, env, now }),
        agent: { saveCall: stagedDraftsCommand, hasTools: false, hasDrafters: false, isHeadless: isHeadlessRun(env), undo: 'holdfast undo' },
      }),
    );
    if (answered.later) startBackground({ home, cwd, ...(call.session !== undefined && { session: call.session }), ...answered.later }, env);
    return answered;
  } finally {
    await episodes?.close();
    await leave();
  }
}
