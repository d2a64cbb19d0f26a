import { HOOK_EVENTS } from '../../app/hooks/call.ts';
import { answerHook } from '../../app/hooks/answer.ts';
import { CLIENTS } from '../../core/episode.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { eventNamed } from '../../edges/hook/parse.ts';
import type { openEpisodes } from './episodes.ts';
import { type Answering, runHook } from './hook.ts';
import { locateOn, openDesk } from './hook-desk.ts';
import { reachFor, saveCommand } from './reach.ts';
import { mendElsewhere, spawnFinish } from './spawn-finish.ts';

export interface EventHost {
  readonly client: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** Any event as a process of its own, for clients that cannot ask the MCP server. */
export async function runEvent(name: string, { client, env, home }: EventHost): Promise<Result<void>> {
  const event = eventNamed(name);
  if (event === undefined) return refuse('USAGE_ERROR', `there is no event ${JSON.stringify(name)}`, { hint: `one of ${HOOK_EVENTS.join(', ')}` });
  if (env['HOLDFAST_CHILD'] === '1') return ok(undefined);
  const answer: Answering = async (call, cwd, around) => {
    const finish = { home: around.home, cwd, ...(call.session !== undefined && { session: call.session }) };
    if (event === 'SessionEnd') {
      if (!locateOn(cwd, around)) return undefined;
      spawnFinish({ ...finish, ...(call.transcript !== undefined && { transcript: call.transcript }) }, env);
      return {};
    }
    const opened = openDesk(cwd, { ...around, late: mendElsewhere(around.home, cwd, env) });
    if (!opened) return undefined;
    const { desk, project } = opened;
    let episodes: ReturnType<typeof openEpisodes> | undefined;
    const current = async (): Promise<typeof project> => project;
    try {
      // What the last session left is taken in now, where no server does it.
      if (event === 'SessionStart' && call.source !== 'compact') spawnFinish({ home: around.home, cwd }, env);
      const named = CLIENTS.find((known) => known === client) ?? 'claude-code';
      const answered = await answerHook(
        desk,
        call,
        reachFor({
          home: around.home,
          cwd,
          client: named,
          reader: async () => {
            const { readerFor } = await import('../../capture/read/reader-for.ts');
            return (options) => readerFor(named, options);
          },
          project,
          memory: desk.memory,
          episodes: async () =>
            (episodes ??= (await import('./episodes.ts')).openEpisodes({
              home: around.home,
              homeNamed: home !== undefined,
              projectNamed: false,
              env,
              now: around.now,
              current,
            })),
          scribe: async () => (await import('./scribe.ts')).openScribe({ home: around.home, env, now: around.now }),
          saveCall: saveCommand,
          hasDrafters: false,
        }),
      );
      if (answered.later) spawnFinish({ ...finish, ...answered.later }, env);
      return answered;
    } finally {
      await episodes?.close();
      await opened.leave();
    }
  };
  await runHook({ event, client, env, home }, answer);
  return ok(undefined);
}
