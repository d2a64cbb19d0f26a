import { type BundleImport, type BundleImportOptions, bundlesOf, type MergedPart } from '../../../../app/bundle/bundles.ts';
import { ok, refuse } from '../../../../core/result.ts';
import { mayConfirm } from '../../../../core/trust/trust.ts';
import type { Cli, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';

/** Merges bundles, one after the other. */
export async function importBundles(cli: Cli, files: readonly string[], options: BundleImportOptions = {}): Promise<CommandResult> {
  if (files.length === 0) return refuse('USAGE_ERROR', 'import --format bundle needs a file.', { hint: 'name a file written by holdfast export' });
  if (!mayConfirm(cli.actor))
    return refuse('SECURITY_ERROR', 'Only a person imports a bundle, and this is the shell of an agent.', {
      hint: 'its records would keep the trust they claim; run holdfast import in a terminal of your own',
    });
  const bundles = bundlesOf(await cli.bundleHost());
  const done: BundleImport[] = [];
  for (const file of files) {
    const one = await bundles.import(file, options);
    if (!one.ok) return one;
    done.push(one.value);
  }
  const parts = done.flatMap((one) => one.parts);
  return ok({ json: { ok: true, bundles: done }, lines: parts.flatMap((part) => lines(cli, part)), warnings: parts.flatMap(warnings) });
}

const nameOf = ({ project }: MergedPart): string => (project === undefined ? 'your user memory' : inert(project));

const lines = ({ paint }: Cli, part: MergedPart): string[] => [
  `${paint.bold(nameOf(part))}${part.was === undefined ? '' : ` (was ${inert(part.was)})`}: ${part.created.length} new, ${part.updated.length} updated, ${part.unchanged.length} unchanged, ${part.kept.length} newer or removed here, ${part.conflicts.length} in conflict`,
  ...(part.messages === undefined ? [] : [`  ${part.messages} new messages in conversations`]),
  ...(part.settings ? [`  settings: ${part.settings.taken.length} imported, ${part.settings.kept.length} kept because they are set here`] : []),
  ...(part.settings && part.settings.refused.length > 0
    ? [`  not imported from a bundle: ${part.settings.refused.map(inert).join(', ')}; set them yourself with holdfast config set`]
    : []),
  ...part.conflicts.map(({ ours, theirs }) => `  ${paint.yellow('conflict')} kept ${inert(ours)}; saved the imported version as ${inert(theirs)}`),
  ...(part.conflicts.length === 0 ? [] : [`  ${paint.dim(`holdfast doctor${part.project === undefined ? ' --user' : ''} shows how to resolve this`)}`]),
];

const warnings = (part: MergedPart): string[] => [
  ...(part.redactions === 0 ? [] : [`${nameOf(part)}: redacted secrets in ${part.redactions} files before saving`]),
  ...(part.offered ? [`${nameOf(part)}: the bundle contains settings. Import those that are not set here with --settings.`] : []),
];
