import { HookLogFolder } from '../../../adapters/files/hook-log.ts';
import { placesIn } from '../../../adapters/files/home-layout.ts';
import { isFile } from '../../../adapters/episodes/find.ts';
import { startBackground } from '../../../adapters/process/background.ts';
import { processes } from '../../../adapters/process/running.ts';
import { eventNamed, HOOK_EVENTS, SILENT } from '../../../app/hooks/call.ts';
import { type EdgeHost, endSession, isLeftToServer } from '../../../app/runtime/session-edges.ts';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { locateOn, sessionNotesOf } from '../locate.ts';
import { runHook } from './run-hook.ts';

export interface EventHost {
  readonly client: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** Any event as a process of its own. Try the cheap answers first; open the memory only if they fail. */
export async function runEvent(name: string, { client, env, home: named }: EventHost): Promise<Result<void>> {
  const event = eventNamed(name);
  if (event === undefined) return refuse('USAGE_ERROR', `there is no event ${JSON.stringify(name)}`, { hint: `one of ${HOOK_EVENTS.join(', ')}` });
  if (env['HOLDFAST_CHILD'] === '1') return ok(undefined);
  await runHook({ event, client, env, home: named }, async (call, cwd, around) => {
    const located = locateOn(cwd, around);
    if (!located) return undefined;
    const { home } = around;
    const host: EdgeHost = {
      client,
      cwd,
      now: around.now(),
      notes: sessionNotesOf(home, located.project.key),
      log: new HookLogFolder(placesIn(home).hooks),
      processes,
      isFile,
      start: (request) => startBackground({ home, ...request }, env),
    };
    if (event === 'SessionEnd') endSession(call, host);
    if (event === 'SessionEnd' || (event === 'SessionStart' && isLeftToServer(call, host))) return SILENT;
    const { answerEvent } = await import('./answer-event.ts');
    return answerEvent({ call, cwd, around, located, env, homeNamed: named !== undefined });
  });
  return ok(undefined);
}
