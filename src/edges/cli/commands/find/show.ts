import { conversationNamed, type NamedConversation } from '../../../../app/episodes/named-conversation.ts';
import { show as readItem, type Shown } from '../../../../app/read/show.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { isQuarantined, QUARANTINED } from '../../../../core/trust/trust.ts';
import type { Arguments, Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { withholds, WITH_QUARANTINED } from '../../record-options.ts';

const options = [{ name: 'user', about: 'read your user memory, not the project' }, WITH_QUARANTINED] as const;

interface Opened {
  readonly json: object;
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
}

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

async function readOne(cli: Cli, args: Arguments, id: string): Promise<Result<Shown>> {
  const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
  const one = await readItem(memory, id);
  if (one.ok && isQuarantined(one.value.item.trust) && withholds(cli, args))
    return refuse('SECURITY_ERROR', `${id} is ${QUARANTINED}`, { hint: 'read it in a terminal of your own, or add --quarantined' });
  return one;
}

/** A record or document, otherwise a message or session. */
async function readAny(cli: Cli, args: Arguments, id: string): Promise<Result<Opened>> {
  const one = await readOne(cli, args, id);
  if (one.ok)
    return ok({ json: jsonOf(one.value), lines: [cli.paint.dim(inert(one.value.file)), inert(one.value.text).trimEnd(), ''], warnings: staleNote(one.value) });
  if (one.error.missing !== true || args.flag('user')) return one;
  const conversation = await conversationNamed(await cli.episodes(), id);
  if (!conversation.ok) return conversation.error.code === 'NOT_FOUND' ? one : conversation;
  return ok({ json: conversationJson(conversation.value), lines: [...conversation.value.lines.map(inert), ''], warnings: [] });
}

const conversationJson = ({ kind, id, found, lines }: NamedConversation): object => ({
  ok: true,
  kind,
  id,
  session_id: found.session.facts.sessionId,
  project: found.project,
  title: found.session.facts.title ?? '',
  text: lines.join('\n').trimEnd(),
});

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
    const shown = await readOne(cli, args, args.positionals[0] ?? '');
    if (!shown.ok) return shown;
    return ok({ json: jsonOf(shown.value), lines: [inert(shown.value.text).trimEnd()], warnings: staleNote(shown.value) });
  },
};

export const getCommand: Command = {
  name: 'get',
  about: 'Prints records, documents, messages and sessions, one after the other. A message comes with those around it, a session as its steps.',
  positionals: 'ID…',
  options,
  examples: [['holdfast get use-sqlite rate-limit --json', 'the full text of two hits']],
  run: async (cli, args) => {
    if (args.positionals.length === 0) return refuse('USAGE_ERROR', 'get needs at least one id.', { hint: 'holdfast get --help' });
    const opened: Opened[] = [];
    for (const id of args.positionals) {
      const one = await readAny(cli, args, id);
      if (!one.ok) return one;
      opened.push(one.value);
    }
    return ok({
      json: { ok: true, records: opened.map(({ json }) => json) },
      lines: opened.flatMap(({ lines }) => lines),
      warnings: opened.flatMap(({ warnings }) => warnings),
    });
  },
};
