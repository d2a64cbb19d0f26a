import { migrate as takeOver, type Migrated, type MigratedSource } from '../../../../app/migrate/migrate.ts';
import { ok } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';

const SHOWN = 8;

export const migrateCommand: Command = {
  name: 'migrate',
  about:
    'Takes over what other layouts and tools hold: Infinite Memory 1.2, a tree named by hash, _memory/, auto memory, claude-mem; by PATH also knowledge graphs and basic-memory notes. Originals are only read; one undo takes it back.',
  positionals: '[PATH…]',
  options: [{ name: 'dry-run', about: 'only say what would be taken over' }],
  examples: [
    ['holdfast migrate --dry-run', 'what there is around this project, and what would become of it'],
    ['holdfast migrate', 'take it over; a second run finds nothing new'],
    ['holdfast migrate ~/graph/memory.jsonl', 'the knowledge graph of server-memory'],
    ['holdfast migrate ~/basic-memory', 'the notes of basic-memory, into this project'],
  ],
  run: async (cli, args) => {
    const found = await cli.foreign(args.positionals);
    if (!found.ok) return found;
    const { memory } = await cli.open();
    const dryRun = args.flag('dry-run');
    const watch = args.flag('quiet') ? undefined : cli.progress;
    const onProgress = (done: number, total: number): void => watch?.(`${done} of ${total}`);
    const done = await takeOver(memory, found.value.sources, { dryRun, onProgress });
    watch?.('');
    const folded = !dryRun && memory.store.roots.includes('folder') && done.sources.some(({ kind }) => kind === 'memory-folder');
    if (folded) await (await cli.settings()).set('storage.memoryFolder', 'ignore', 'project');
    const json = {
      ok: true,
      dry_run: dryRun,
      sources: done.sources.map(({ inPlace, ...source }) => ({ ...source, ...(inPlace !== undefined && { in_place: inPlace }) })),
      redactions: done.redactions,
      hints: found.value.hints,
    };
    return ok({ json, lines: [...lines(done, dryRun, cli), ...(folded ? [FOLDED] : []), ...found.value.hints], warnings: redacted(done) });
  },
};

const FOLDED = '_memory/ is no longer read where it lies; holdfast config unset storage.memoryFolder brings that back';

const redacted = ({ redactions }: Migrated): string[] =>
  redactions > 0 ? [`${redactions} ${redactions === 1 ? 'secret was' : 'secrets were'} taken out`] : [];

function lines({ sources }: Migrated, dryRun: boolean, cli: Cli): string[] {
  if (sources.length === 0) return ['nothing to take over was found around this project; name a file or a folder'];
  return sources.flatMap((source) => linesOf(source, dryRun, cli));
}

function linesOf({ kind, place, inPlace, created, known, left }: MigratedSource, dryRun: boolean, { paint }: Cli): string[] {
  const verb = dryRun ? 'would be taken over' : 'taken over';
  const shown = (items: readonly string[]): string[] => [
    ...items.slice(0, SHOWN).map((item) => `    ${inert(item)}`),
    ...(items.length > SHOWN ? [`    and ${items.length - SHOWN} more: --json names them`] : []),
  ];
  const [head, path] = [paint.bold(kind), paint.dim(inert(place))];
  if (inPlace !== undefined) return [`${head}  ${path}`, `  ${inPlace}`];
  return [
    `${head}  ${path}`,
    `  ${created.length} ${verb}${known > 0 ? `, ${known} known already` : ''}`,
    ...shown(created),
    ...(left.length > 0 ? ['  left where it is', ...shown(left.map(({ what, why }) => `${what}: ${why}`))] : []),
  ];
}
