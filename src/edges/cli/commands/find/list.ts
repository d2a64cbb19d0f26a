import { catchUp } from '../../../../app/index/catch-up.ts';
import { shortId, shortName } from '../../../../app/read/resolve.ts';
import { recordName } from '../../../../app/recall/entry.ts';
import { CATEGORIES } from '../../../../core/record/category.ts';
import type { RecordStatus } from '../../../../core/record/schema.ts';
import { ok } from '../../../../core/result.ts';
import { isQuarantined, QUARANTINED } from '../../../../core/trust/trust.ts';
import type { Command } from '../../command.ts';
import { shownDay } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { categoryNamed, withholds, WITH_QUARANTINED } from '../../record-options.ts';

const LIMIT = 50;

export const listCommand: Command = {
  name: 'list',
  about: 'Lists the records of this project, newest first, with the short id that every command takes. `ls` is an alias.',
  positionals: '[CATEGORY]',
  most: 1,
  options: [
    { name: 'category', value: 'C', about: `only this category: ${CATEGORIES.join(', ')}` },
    { name: 'trust', value: 'T', choices: ['confirmed', 'observed', 'quarantined'], about: 'only records of this trust' },
    { name: 'status', value: 'S', choices: ['active', 'retired', 'archived'], about: 'only records of this status (default: active)' },
    { name: 'limit', value: 'N', about: `maximum number of records (default ${LIMIT})` },
    { name: 'user', about: 'list your user memory, not the project' },
    WITH_QUARANTINED,
  ],
  examples: [
    ['holdfast list', 'the newest records'],
    ['holdfast list decision --limit 10', 'the last ten decisions'],
    ['holdfast list --status retired --json', 'for scripts'],
  ],
  run: async (cli, args) => {
    const word = args.text('category') ?? args.positionals[0];
    const category = word === undefined ? ok(undefined) : categoryNamed(word);
    if (!category.ok) return category;
    const limit = args.number('limit', { min: 1 });
    if (!limit.ok) return limit;
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    await catchUp(memory);
    const filter = { kind: 'record', status: (args.text('status') ?? 'active') as RecordStatus, ...(category.value && { category: category.value }) } as const;
    const [trust, withheld] = [args.text('trust'), withholds(cli, args)];
    const all = memory.index
      .recent(filter, memory.index.count(filter))
      .filter((item) => (trust === undefined || item.trust === trust) && !(withheld && isQuarantined(item.trust)));
    const shown = all.slice(0, limit.value ?? LIMIT).map((item) => ({ item, short: shortId(memory, item) }));
    const { paint } = cli;
    const width = Math.max(0, ...shown.map(({ item }) => item.category?.length ?? 0));
    return ok({
      json: {
        ok: true,
        total: all.length,
        records: shown.map(({ item, short }) => ({
          id: recordName(item),
          short_id: short,
          category: item.category,
          title: item.title,
          ...(item.supersededBy !== undefined && { superseded_by: item.supersededBy }),
          trust: item.trust,
          status: item.status,
          tags: item.tags,
          created_at: item.createdAt,
          updated_at: item.updatedAt,
          file: memory.store.absolute(item),
        })),
      },
      lines: [
        ...shown.map(({ item, short }) => {
          const replaced = item.supersededBy === undefined ? '' : `replaced by ${shortName(memory, item.supersededBy)}`;
          const label = isQuarantined(item.trust) ? QUARANTINED : replaced === '' && item.waits ? 'unconfirmed' : replaced;
          return `${paint.bold(short.padEnd(4))}  ${paint.dim(`${shownDay(item.updatedAt)}  ${(item.category ?? '').padEnd(width)}`)}  ${inert(item.title)}${label === '' ? '' : paint.yellow(`  (${label})`)}`;
        }),
        ...(all.length > shown.length ? [`${all.length - shown.length} more; list them with --limit ${all.length}`] : []),
        ...(all.length === 0 ? ['No records. See holdfast save --help.'] : []),
      ],
    });
  },
};
