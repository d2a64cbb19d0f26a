import type { ImportAsked, Imported, MergedPart } from '../../../../app/bundle/bundles.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Outcome } from '../../command.ts';
import { inert } from '../../paint.ts';

/** Merges bundles, one after the other. */
export async function importBundles(cli: Cli, files: readonly string[], asked: ImportAsked = {}): Promise<Outcome> {
  if (files.length === 0) return refuse('USAGE_ERROR', 'import which bundle?', { hint: 'name the file that holdfast export made' });
  const bundles = await cli.bundles();
  const done: Imported[] = [];
  for (const file of files) {
    const one = await bundles.import(file, asked);
    if (!one.ok) return one;
    done.push(one.value);
  }
  const parts = done.flatMap((one) => one.parts);
  return ok({ json: { ok: true, bundles: done }, lines: parts.flatMap((part) => lines(cli, part)), warnings: parts.flatMap(warnings) });
}

const nameOf = ({ project }: MergedPart): string => (project === undefined ? 'your own memory' : inert(project));

const lines = ({ paint }: Cli, part: MergedPart): string[] => [
  `${paint.bold(nameOf(part))}${part.was === undefined ? '' : ` (was ${inert(part.was)})`}: ${part.created.length} new, ${part.updated.length} updated, ${part.unchanged.length} unchanged, ${part.kept.length} newer or removed here, ${part.conflicts.length} in conflict`,
  ...(part.messages === undefined ? [] : [`  ${part.messages} new messages of its conversations`]),
  ...(part.settings ? [`  settings: ${part.settings.taken.length} taken up, ${part.settings.kept.length} set otherwise here and left so`] : []),
  ...(part.settings && part.settings.refused.length > 0
    ? [`  not taken from a bundle: ${part.settings.refused.map(inert).join(', ')}; set what you want with holdfast config set`]
    : []),
  ...part.conflicts.map(({ ours, theirs }) => `  ${paint.yellow('conflict')} ${inert(ours)} stays; theirs is ${inert(theirs)}`),
  ...(part.conflicts.length === 0 ? [] : [`  ${paint.dim(`holdfast doctor${part.project === undefined ? ' --user' : ''} says how to settle this`)}`]),
];

const warnings = (part: MergedPart): string[] => [
  ...(part.redactions === 0 ? [] : [`${nameOf(part)}: secrets in ${part.redactions} files were kept from the disk`]),
  ...(part.offered ? [`${nameOf(part)}: there are settings in the bundle; --settings takes up what is not set here`] : []),
];
