import type { Episode } from '../../app/episodes/read.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Arguments, Cli, CommandContext } from './command.ts';

export interface ChosenSession {
  readonly episode: Episode;
  /** The context of the project that the session belongs to. */
  readonly there: Cli;
}

/** The session that a command is about: `[SESSION]`, `--transcript F`, or the last one of the project. */
export async function chosenSession(cli: CommandContext, args: Arguments): Promise<Result<ChosenSession>> {
  const [session, transcript] = [args.positionals[0], args.text('transcript')];
  const chosen = await (await cli.episodes()).choose({ ...(session !== undefined && { session }), ...(transcript !== undefined && { transcript }) });
  if (!chosen.ok) return chosen;
  const { project, episode } = chosen.value;
  return ok({ episode, there: project === undefined ? cli : cli.elsewhere(project) });
}
