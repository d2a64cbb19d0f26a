import { collectGarbage } from '../../../../app/write/gc.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { heldJson, heldLines } from '../../present/written.ts';
import { excludedLine } from '../../present/disk-usage.ts';

export const gcCommand: Command = {
  name: 'gc',
  about:
    'Deletes retired records whose grace period is over; one grace period later, or at once if it is 0, it also deletes their versions. Retires records past the retention_days of their category, deletes staged drafts that were never saved, and removes from archived conversations what capture.exclude excludes.',
  positionals: '',
  most: 0,
  options: [
    { name: 'dry-run', about: 'only show what it would do' },
    { name: 'user', about: 'clean up your user memory, not the project' },
  ],
  examples: [
    ['holdfast gc --dry-run', 'what would be deleted'],
    ['holdfast gc', 'delete; holdfast undo can restore the records for one more grace period'],
  ],
  run: async (cli, args) => {
    const { memory, project } = await cli.open(args.flag('user') ? 'user' : 'project');
    const { deleted, archived, expired, skipped, unreadable, forgotten, left, graceDays, dryRun } = await collectGarbage(
      memory,
      { actor: cli.actor },
      { dryRun: args.flag('dry-run') },
    );
    const { staged, keepDays } = await (await cli.drafting()).clearStaging(memory, { dryRun });
    const excluded = project ? await cli.excluded(!dryRun) : [];
    const prefix = dryRun ? 'would be ' : '';
    const line = (action: string, names: readonly string[]): string[] => (names.length === 0 ? [] : [`${prefix}${action}: ${names.map(inert).join(', ')}`]);
    const lines = [
      ...line('deleted', deleted),
      ...line('archived', archived),
      ...line('retired by retention_days', expired),
      ...line(
        'deleted, staged and never saved',
        staged.map(({ path }) => path),
      ),
      ...line('removed from conversations by capture.exclude', excluded.map(excludedLine)),
    ];
    return ok({
      json: {
        ok: left.length === 0,
        deleted,
        archived,
        expired,
        skipped,
        unreadable,
        forgotten_versions: forgotten,
        left: left.map(heldJson),
        grace_period_days: graceDays,
        dry_run: dryRun,
        staged,
        staging_keep_days: keepDays,
        excluded: excluded.map(({ sessionId, messages }) => ({ session_id: sessionId, messages })),
      },
      lines: lines.length === 0 ? [`Nothing to delete (grace period: ${plural(graceDays, 'day')}).`] : lines,
      warnings: [
        ...(skipped.length === 0 ? [] : [`Not deleted, because the date of retirement is missing or cannot be read: ${skipped.map(inert).join(', ')}`]),
        ...(unreadable.length === 0 ? [] : [`Not deleted, because they cannot be read (holdfast doctor says why): ${unreadable.map(inert).join(', ')}`]),
        ...heldLines(left),
      ],
      exit: left.length === 0 ? 0 : 1,
    });
  },
};
