import { type BundleExportOptions, bundlesOf } from '../../../../app/bundle/bundles.ts';
import { SCOPES, type BundleScope } from '../../../../app/bundle/manifest.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';

export const exportCommand: Command = {
  name: 'export',
  about:
    'Exports records and documents to one file: a gzipped tar with a manifest, versions and hashes. --scope user includes your settings, --scope all also conversations. Import it elsewhere with `import`.',
  positionals: 'FILE',
  most: 1,
  options: [
    { name: 'scope', value: 'S', choices: SCOPES, about: 'export this project (default), your user memory, or everything' },
    { name: 'conversations', value: 'yes|no', choices: ['yes', 'no'], about: 'include conversations (default: yes with --scope all, else no)' },
  ],
  examples: [
    ['holdfast export webshop.tar.gz', 'this project'],
    ['holdfast export me.tar.gz --scope user', 'your user memory'],
    ['holdfast export everything.tar.gz --scope all', 'to move to another machine'],
  ],
  run: async (cli, args) => {
    const [file] = args.positionals;
    if (file === undefined) return refuse('USAGE_ERROR', 'export needs a file name.', { hint: 'holdfast export --help' });
    const word = args.text('conversations');
    return packTo(cli, file, (args.text('scope') ?? 'project') as BundleScope, word === undefined ? {} : { conversations: word === 'yes' });
  },
};

/** Writes a bundle and reports its contents. */
export async function packTo(cli: Cli, file: string, scope: BundleScope, options: BundleExportOptions = {}): Promise<CommandResult> {
  const done = await bundlesOf(await cli.bundleHost()).export(file, scope, options);
  if (!done.ok) return done;
  const { file: written, bytes, records, documents, conversations, settings, projects, warnings } = done.value;
  return ok({
    json: { ok: true, ...done.value },
    lines: [
      `${cli.paint.green('exported')} ${inert(written)}  ${cli.paint.dim(`${bytes} bytes`)}`,
      `  ${[`${plural(records, 'record')} and ${plural(documents, 'document')}`, ...(conversations > 0 ? [plural(conversations, 'conversation')] : []), ...(settings > 0 ? ['settings'] : [])].join(', ')}${projects.length > 0 ? ` of ${projects.map(inert).join(', ')}` : ''}`,
    ],
    warnings,
  });
}
