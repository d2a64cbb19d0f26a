import { collectGarbage } from '../../../../app/write/gc.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { excludedLine } from '../../present/excluded.ts';

export const gcCommand: Command = {
  name: 'gc',
  about:
    'Purges records retired longer ago than the grace period, retires what its category keeps only so many days, clears drafts that were staged and never saved, and takes out of archived conversations what capture.exclude leaves out today.',
  positionals: '',
  most: 0,
  options: [
    { name: 'dry-run', about: 'only say what would be done' },
    { name: 'user', about: 'in your own memory' },
  ],
  examples: [
    ['holdfast gc --dry-run', 'what would go'],
    ['holdfast gc', 'purge; holdfast undo brings it back for one more grace period'],
  ],
  run: async (cli, args) => {
    const { memory, project } = await cli.open(args.flag('user') ? 'user' : 'project');
    const { deleted, archived, expired, skipped, forgotten, graceDays, dryRun } = await collectGarbage(
      memory,
      { actor: 'command' },
      { dryRun: args.flag('dry-run') },
    );
    const { staged, keepDays } = await (await cli.scribe()).clearStaging(memory, { dryRun });
    const excluded = project ? await cli.excluded(!dryRun) : [];
    const would = dryRun ? 'would be ' : '';
    const line = (what: string, names: readonly string[]): string[] => (names.length === 0 ? [] : [`${would}${what}: ${names.map(inert).join(', ')}`]);
    const lines = [
      ...line('purged', deleted),
      ...line('archived', archived),
      ...line('retired by retention_days', expired),
      ...line(
        'cleared, staged and never saved',
        staged.map(({ path }) => path),
      ),
      ...line('taken out of conversations by capture.exclude', excluded.map(excludedLine)),
    ];
    return ok({
      json: {
        ok: true,
        deleted,
        archived,
        expired,
        skipped,
        forgotten_versions: forgotten,
        grace_period_days: graceDays,
        dry_run: dryRun,
        staged,
        staging_keep_days: keepDays,
        excluded: excluded.map(({ sessionId, messages }) => ({ session_id: sessionId, messages })),
      },
      lines: lines.length === 0 ? [`nothing to collect (grace period ${graceDays} days)`] : lines,
      warnings: skipped.length === 0 ? [] : [`retired without a date, left alone: ${skipped.join(', ')}`],
    });
  },
};
