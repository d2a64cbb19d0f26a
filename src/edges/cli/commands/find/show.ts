import { show as readItem, type Shown } from '../../../../app/read/show.ts';
import { ok, refuse } from '../../../../core/result.ts';
import { isQuarantined, QUARANTINED } from '../../../../core/trust/trust.ts';
import type { Arguments, Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { withholds, WITH_QUARANTINED } from '../../record-options.ts';

const options = [{ name: 'user', about: 'read your user memory, not the project' }, WITH_QUARANTINED] as const;

const jsonOf = ({ item, record, text, hash, file, stale }: Shown): object => ({
  ok: true,
  kind: item.kind,
  id: item.category ? `${item.category}/${item.id}` : item.id,
  title: item.title,
  file,
  hash,
  ...(record ? { record } : { text }),
  ...(stale.length > 0 && { stale }),
  ...(isQuarantined(item.trust) && { note: QUARANTINED }),
});

const staleNote = ({ stale, item }: Shown): string[] => [
  ...(isQuarantined(item.trust) ? [`${item.id}: ${QUARANTINED}`] : []),
  ...(stale.length === 0 ? [] : [`${item.id} may be out of date. Files changed since it was written: ${stale.join(', ')}`]),
];

async function readAll(cli: Cli, args: Arguments) {
  const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
  const shown: Shown[] = [];
  for (const id of args.positionals) {
    const one = await readItem(memory, id);
    if (!one.ok) return one;
    if (isQuarantined(one.value.item.trust) && withholds(cli, args))
      return refuse('SECURITY_ERROR', `${id} is ${QUARANTINED}`, { hint: 'read it in a terminal of your own, or add --quarantined' });
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
    const shown = await readAll(cli, args);
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
    const shown = await readAll(cli, args);
    if (!shown.ok) return shown;
    return ok({
      json: { ok: true, records: shown.value.map(jsonOf) },
      lines: shown.value.flatMap((one) => [cli.paint.dim(inert(one.file)), inert(one.text).trimEnd(), '']),
      warnings: shown.value.flatMap(staleNote),
    });
  },
};
