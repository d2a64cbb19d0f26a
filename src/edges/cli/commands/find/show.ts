import { show as read, type Shown } from '../../../../app/read/show.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';

const options = [{ name: 'user', about: 'read your user memory, not the project' }] as const;

const jsonOf = ({ item, record, text, hash, file, stale }: Shown): object => ({
  ok: true,
  kind: item.kind,
  id: item.category ? `${item.category}/${item.id}` : item.id,
  title: item.title,
  file,
  hash,
  ...(record ? { record } : { text }),
  ...(stale.length > 0 && { stale }),
});

const staleNote = ({ stale, item }: Shown): string[] =>
  stale.length === 0 ? [] : [`${item.id} may be out of date. Files changed since it was written: ${stale.join(', ')}`];

async function readAll(cli: Cli, ids: readonly string[], user: boolean) {
  const { memory } = await cli.open(user ? 'user' : 'project');
  const shown: Shown[] = [];
  for (const id of ids) {
    const one = await read(memory, id);
    if (!one.ok) return one;
    shown.push(one.value);
  }
  return ok(shown);
}

export const showCommand: Command = {
  name: 'show',
  about: 'Prints a record or document as it is in its file; with --json, the record itself.',
  positionals: 'ID',
  most: 1,
  options,
  examples: [
    ['holdfast show use-sqlite', 'by its id'],
    ['holdfast show decision/use-sqlite --json', 'the record as JSON, with the hash an update needs'],
  ],
  run: async (cli, args) => {
    if (args.positionals.length === 0) return refuse('USAGE_ERROR', 'show needs the id of a record or document.', { hint: 'holdfast show --help' });
    const shown = await readAll(cli, args.positionals, args.flag('user'));
    if (!shown.ok) return shown;
    const [one] = shown.value as [Shown];
    return ok({ json: jsonOf(one), lines: [inert(one.text).trimEnd()], warnings: staleNote(one) });
  },
};

export const getCommand: Command = {
  name: 'get',
  about: 'Prints records and documents in full, one after the other.',
  positionals: 'ID…',
  options,
  examples: [['holdfast get use-sqlite rate-limit --json', 'the full text of two hits']],
  run: async (cli, args) => {
    if (args.positionals.length === 0) return refuse('USAGE_ERROR', 'get needs at least one id.', { hint: 'holdfast get --help' });
    const shown = await readAll(cli, args.positionals, args.flag('user'));
    if (!shown.ok) return shown;
    return ok({
      json: { ok: true, records: shown.value.map(jsonOf) },
      lines: shown.value.flatMap((one) => [cli.paint.dim(inert(one.file)), inert(one.text).trimEnd(), '']),
      warnings: shown.value.flatMap(staleNote),
    });
  },
};
