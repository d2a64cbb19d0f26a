import type { HistoryImport } from '../../../../app/commits/import-history.ts';
import { epochOf } from '../../../../core/instant.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, Cli, CommandResult } from '../../command.ts';
import { instantFrom } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';

const MOST = 40;
const SHOWN = 10;

/** `import --git`: decisions from the commits of the project's repository. */
export async function importGit(cli: Cli, args: Arguments): Promise<CommandResult> {
  if (args.positionals.length > 0 || args.text('format') !== undefined)
    return refuse('USAGE_ERROR', '--git takes no files and no --format.', { hint: 'name another repository with --project PATH' });
  const limit = args.number('limit', { min: 1, max: 1_000 });
  if (!limit.ok) return limit;
  const [word, { memory }] = [args.text('since'), await cli.open()];
  const since = word === undefined ? undefined : instantFrom(word, cli.now());
  if (since && !since.ok) return since;
  const start = since === undefined ? undefined : epochOf(since.value);
  const done = await (
    await cli.drafting()
  ).importHistory(memory, await cli.episodes(), { limit: limit.value ?? MOST, ...(start !== undefined && { since: start }) });
  if (!done.ok) return done;
  const { commits, messages, reasoned, saved, known, survey, warnings } = done.value;
  return ok({
    json: { ok: true, commits, messages, reasoned, known, saved, ...(survey !== undefined && { survey }) },
    lines: [
      ...summaryLines(done.value),
      ...saved
        .slice(0, SHOWN)
        .map(
          ({ id, title, session }) =>
            `  ${cli.paint.bold(inert(id))}  ${inert(title)}${session === undefined ? '' : cli.paint.dim(`  session ${inert(session)}`)}`,
        ),
      ...(saved.length > SHOWN ? [`  and ${saved.length - SHOWN} more`] : []),
      ...(survey === undefined ? [] : [`  ${inert(survey)}  where work happens`]),
    ],
    warnings,
  });
}

function summaryLines({ commits, messages, reasoned, saved, known }: HistoryImport): string[] {
  if (commits === 0) return ['No new commits.'];
  const read = `Read ${plural(commits, 'commit')}${messages === 0 ? '' : `; ${plural(messages, 'message')} now searchable`}.`;
  if (reasoned === 0) return [`${read} No commit gives a reason; nothing was saved.`];
  const already = known > 0 ? ` ${known} already known.` : '';
  return [`${read} ${reasoned} ${reasoned === 1 ? 'gives' : 'give'} a reason; saved ${plural(saved.length, 'decision')}.${already}`];
}
