import { catchUp } from '../../../../app/index/catch-up.ts';
import { resolveItem, unreadable } from '../../../../app/read/resolve.ts';
import { cutToOneLine } from '../../../../app/read/shared-findings.ts';
import { mergeConflicts, type MergeReport, type UnmergedFile } from '../../../../app/write/merge-conflicts.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command, Paint } from '../../command.ts';
import { inert } from '../../paint.ts';

export const mergeCommand: Command = {
  name: 'merge',
  about: 'Joins the two versions of records in which git left conflict markers, field by field; exits with 1 while a field needs your choice.',
  positionals: '[ID]',
  most: 1,
  options: [
    { name: 'ours', about: 'where both branches changed a field, keep the value of the branch you are on' },
    { name: 'theirs', about: 'where both branches changed a field, keep the value of the branch that is merged' },
    { name: 'user', about: 'merge in your user memory, not the project' },
  ],
  examples: [
    ['holdfast merge', 'resolve what it can; then git add .claude/memory and git commit'],
    ['holdfast merge use-sqlite --theirs', 'resolve one record'],
  ],
  run: async (cli, args) => {
    const [name] = args.positionals;
    if (args.flag('ours') && args.flag('theirs')) return refuse('USAGE_ERROR', 'Use only one of --ours and --theirs.', { hint: 'holdfast merge --help' });
    const prefer = args.flag('ours') ? 'ours' : args.flag('theirs') ? 'theirs' : undefined;
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    await catchUp(memory);
    const only = name === undefined ? undefined : unreadable(memory, name);
    if (name !== undefined && !only) {
      const item = await resolveItem(memory, name);
      return item.ok ? refuse('USAGE_ERROR', `${item.value.path} has no conflict.`, { hint: 'holdfast doctor lists files that have one' }) : item;
    }
    const report = await mergeConflicts(memory, { actor: cli.actor }, prefer, only);
    return ok({
      json: {
        ok: report.open.length === 0,
        merged: report.merged.map(({ place, ...rest }) => ({ path: place.path, root: place.root, ...rest })),
        open: report.open.map(({ place, ...rest }) => ({ path: place.path, root: place.root, ...rest })),
      },
      lines: linesOf(report, cli.paint),
      exit: report.open.length === 0 ? 0 : 1,
    });
  },
};

function linesOf({ merged, open }: MergeReport, paint: Paint): string[] {
  if (merged.length + open.length === 0) return ['No file has conflict markers.'];
  return [
    ...merged.flatMap(({ file, beside }) => [
      `${paint.green('merged')} ${inert(file)}`,
      ...(beside === undefined ? [] : [`  two records had this name; the other one is now ${inert(beside)}`]),
    ]),
    ...open.flatMap((file) => conflictLines(file, paint)),
    ...(merged.length > 0 ? [paint.dim('Run git add on the files above; holdfast undo restores the markers.')] : []),
  ];
}

const conflictLines = ({ file, conflicts, broken }: UnmergedFile, paint: Paint): string[] => [
  `${paint.red('conflict')} ${inert(file)}`,
  ...(broken === undefined ? [] : [`  ${inert(broken)}: remove them in an editor`]),
  ...conflicts.flatMap(({ field, ours, theirs }) => [
    `  ${paint.bold(inert(field))}`,
    `    ours:   ${inert(cutToOneLine(ours, 2_000))}`,
    `    theirs: ${inert(cutToOneLine(theirs, 2_000))}`,
  ]),
  ...(broken === undefined ? [paint.dim('  keep one of them with --ours or --theirs')] : []),
];
