import { migrate, type MigrationReport, type MigratedSource } from '../../../../app/migrate/migrate.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { registerProject } from '../../../../app/workspace/workspace.ts';
import { ok } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';

const SHOWN = 8;

export const migrateCommand: Command = {
  name: 'migrate',
  about:
    'Imports memories from other tools and layouts: Infinite Memory 1.2, a tree named by hash, _memory/, auto memory, claude-mem; with PATH also knowledge graphs and basic-memory notes. Originals are never changed; one undo reverts it.',
  positionals: '[PATH…]',
  options: [{ name: 'dry-run', about: 'only show what would be imported' }],
  examples: [
    ['holdfast migrate --dry-run', 'what would be imported for this project'],
    ['holdfast migrate', 'import it; a second run finds nothing new'],
    ['holdfast migrate ~/graph/memory.jsonl', 'the knowledge graph of server-memory'],
    ['holdfast migrate ~/basic-memory', 'the notes of basic-memory, into this project'],
  ],
  run: async (cli, args) => {
    const foreign = await cli.foreign(args.positionals);
    if (!foreign.ok) return foreign;
    const { memory, project } = await cli.open();
    const dryRun = args.flag('dry-run');
    const showProgress = args.flag('quiet') ? undefined : cli.progress;
    const onProgress = (done: number, total: number): void => showProgress?.(`${done} of ${total}`);
    const done = await migrate(memory, foreign.value.sources, { dryRun, onProgress });
    showProgress?.('');
    const isFolderImported = !dryRun && memory.store.roots.includes('folder') && done.sources.some(({ kind }) => kind === 'memory-folder');
    if (isFolderImported) await (await cli.settings()).set('storage.memoryFolder', 'ignore', 'project');
    const hasCreated = !dryRun && done.sources.some(({ created }) => created.length > 0);
    const mapWarnings = hasCreated ? await addToMap(cli, memory, `${project?.shownRoot ?? ''}_index.md`) : [];
    const json = {
      ok: true,
      dry_run: dryRun,
      sources: done.sources.map(({ inPlace, ...source }) => ({ ...source, ...(inPlace !== undefined && { in_place: inPlace }) })),
      redactions: done.redactions,
      hints: foreign.value.hints,
    };
    return ok({
      json,
      lines: [...lines(done, dryRun, cli), ...(isFolderImported ? [FOLDER_IMPORTED] : []), ...foreign.value.hints],
      warnings: [...redactionWarnings(done), ...mapWarnings],
    });
  },
};

/** A project whose memory was imported gets a row on the map of projects. */
async function addToMap(cli: Cli, memory: Memory, index: string): Promise<readonly string[]> {
  const { memory: user } = await cli.open('user');
  const registered = await registerProject(user, { key: memory.key, path: memory.projectPath ?? '', index }, { actor: 'command' });
  return registered.ok ? registered.value.warnings : [`the map of projects was not changed: ${registered.error.message}`];
}

const FOLDER_IMPORTED = '_memory/ is no longer read in place. Read it again with `holdfast config unset storage.memoryFolder`.';

const redactionWarnings = ({ redactions }: MigrationReport): string[] => (redactions > 0 ? [`Redacted before saving: ${plural(redactions, 'secret')}`] : []);

function lines({ sources }: MigrationReport, dryRun: boolean, cli: Cli): string[] {
  if (sources.length === 0) return ['Found nothing to import for this project. Name a file or a folder.'];
  return sources.flatMap((source) => linesOf(source, dryRun, cli));
}

function linesOf({ kind, place, inPlace, created, known, left: notImported }: MigratedSource, dryRun: boolean, { paint }: Cli): string[] {
  const verb = dryRun ? 'would be imported' : 'imported';
  const shown = (items: readonly string[]): string[] => [
    ...items.slice(0, SHOWN).map((item) => `    ${inert(item)}`),
    ...(items.length > SHOWN ? [`    and ${items.length - SHOWN} more: --json names them`] : []),
  ];
  const [head, path] = [paint.bold(kind), paint.dim(inert(place))];
  if (inPlace !== undefined) return [`${head}  ${path}`, `  ${inPlace}`];
  return [
    `${head}  ${path}`,
    `  ${created.length} ${verb}${known > 0 ? `, ${known} already known` : ''}`,
    ...shown(created),
    ...(notImported.length > 0 ? ['  not imported', ...shown(notImported.map(({ what, why }) => `${what}: ${why}`))] : []),
  ];
}
