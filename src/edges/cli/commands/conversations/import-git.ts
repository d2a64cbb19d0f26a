import { epochOf } from '../../../../core/instant.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, Cli, Outcome } from '../../command.ts';
import { instantFrom } from '../../instant.ts';
import { inert } from '../../paint.ts';

const MOST = 40;
const SHOWN = 10;

/** `import --git`: what the commits of the project's repository say. */
export async function importGit(cli: Cli, args: Arguments): Promise<Outcome> {
  if (args.positionals.length > 0 || args.text('format') !== undefined)
    return refuse('USAGE_ERROR', '--git reads the history of the project and takes no files', { hint: 'name the repository with --project PATH' });
  const limit = args.number('limit', { min: 1, max: 1_000 });
  if (!limit.ok) return limit;
  const [word, { memory }] = [args.text('since'), await cli.open()];
  const since = word === undefined ? undefined : instantFrom(word, cli.now());
  if (since && !since.ok) return since;
  const start = since === undefined ? undefined : epochOf(since.value);
  const done = await (
    await cli.scribe()
  ).importHistory(memory, await cli.episodes(), { limit: limit.value ?? MOST, ...(start !== undefined && { since: start }) });
  if (!done.ok) return done;
  const { commits, reasoned, saved, known, survey, warnings } = done.value;
  return ok({
    json: { ok: true, commits, reasoned, known, saved, ...(survey !== undefined && { survey }) },
    lines: [
      commits === 0
        ? 'no new commits'
        : `${commits} commits read, ${reasoned} of them say why: ${saved.length} decisions kept${known > 0 ? `, ${known} known already` : ''}`,
      ...saved
        .slice(0, SHOWN)
        .map(
          ({ id, title, session }) =>
            `  ${cli.paint.bold(inert(id))}  ${inert(title)}${session === undefined ? '' : cli.paint.dim(`  session ${inert(session)}`)}`,
        ),
      ...(saved.length > SHOWN ? [`  and ${saved.length - SHOWN} more`] : []),
      ...(survey === undefined ? [] : [`  ${inert(survey)}  where work goes on`]),
    ],
    warnings,
  });
}
