import { catchUp } from '../../../../app/index/catch-up.ts';
import { resolveItem, shortId } from '../../../../app/read/resolve.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import type { Author } from '../../../../app/write/transaction.ts';
import { moveRecord, type StatusAction } from '../../../../app/write/status.ts';
import type { FileRef } from '../../../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Arguments, Cli, Command, CommandOutput, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';
import { writtenOutput } from '../../present/written.ts';

interface StatusCommand {
  readonly action: StatusAction;
  readonly about: string;
  readonly example: readonly [line: string, about: string];
  readonly takesReason?: boolean;
  /** Whether `--list` shows the records in this status. */
  readonly lists?: true;
}

const USER = { name: 'user', about: 'change your user memory, not the project' } as const;

const LIST = { name: 'list', about: 'list the archived records, newest first' } as const;

const statusCommand = ({ action, about, example, takesReason, lists }: StatusCommand): Command => ({
  name: action,
  about,
  positionals: lists ? '[ID…]' : 'ID…',
  options: [...(takesReason ? [{ name: 'reason', value: 'R', about: 'the reason, saved with the record' }] : []), ...(lists ? [LIST] : []), USER],
  examples: [[`holdfast ${action} ${example[0]}`, example[1]], ...(lists ? [[`holdfast ${action} --list`, 'list the archived records'] as const] : [])],
  run: async (cli, args) => {
    if (lists && args.flag('list')) return listArchived(cli, args);
    if (args.positionals.length === 0) return refuse('USAGE_ERROR', `${action} needs the id of a record.`, { hint: `holdfast ${action} --help` });
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    await catchUp(memory);
    // Find all records before changing the first, so that a misspelt id changes nothing.
    const places: FileRef[] = [];
    for (const id of args.positionals) {
      const item = await resolveItem(memory, id);
      if (!item.ok) return item;
      places.push({ root: item.value.root, path: item.value.path });
    }
    const reason = args.text('reason');
    return moveRecords(cli, memory, action, places, { actor: cli.actor, ...(reason !== undefined && { reason }) });
  },
});

/** Changes the status of records, one after the other. */
export async function moveRecords(cli: Cli, memory: Memory, action: StatusAction, places: readonly FileRef[], author: Author): Promise<Result<CommandOutput>> {
  const outputs: CommandOutput[] = [];
  for (const place of places) {
    const moved = await moveRecord(memory, action, place, author);
    if (!moved.ok) return moved;
    outputs.push(writtenOutput(moved.value, cli.paint, memory));
  }
  return ok({
    json: outputs.length === 1 ? outputs[0]?.json : { ok: true, records: outputs.map(({ json }) => json) },
    lines: outputs.flatMap(({ lines }) => lines),
    warnings: outputs.flatMap(({ warnings }) => warnings ?? []),
  });
}

async function listArchived(cli: Cli, args: Arguments): Promise<CommandResult> {
  if (args.positionals.length > 0) return refuse('USAGE_ERROR', '--list takes no id.', { hint: 'holdfast archive --help' });
  const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
  await catchUp(memory);
  const filter = { kind: 'record', status: 'archived' } as const;
  const records = memory.index.recent(filter, memory.index.count(filter)).map(({ id, category, title, root, path, writtenAt }) => ({
    id: `${category}/${id}`,
    short_id: shortId(memory, { id, ...(category && { category }) }),
    title,
    root,
    path,
    updated_at: writtenAt,
  }));
  return ok({
    json: { ok: true, records },
    lines:
      records.length === 0
        ? ['No archived records.']
        : records.map(({ short_id: short, id, title }) => `${cli.paint.bold(short)}  ${inert(title)}  ${cli.paint.dim(inert(id))}`),
  });
}

export const retireCommand = statusCommand({
  action: 'retire',
  about: 'Takes a record out of use. You can restore it until gc deletes it after the grace period.',
  example: ['use-sqlite --reason "moved to PostgreSQL"', 'holdfast restore use-sqlite brings it back'],
  takesReason: true,
});
export const restoreCommand = statusCommand({ action: 'restore', about: 'Brings a retired record back into use.', example: ['use-sqlite', 'by its id'] });
export const archiveCommand = statusCommand({
  action: 'archive',
  about: 'Takes a record out of use but keeps it for good.',
  example: ['use-sqlite --reason history', 'holdfast unarchive use-sqlite brings it back'],
  takesReason: true,
  lists: true,
});
export const unarchiveCommand = statusCommand({ action: 'unarchive', about: 'Brings an archived record back into use.', example: ['use-sqlite', 'by its id'] });
export const confirmCommand = statusCommand({
  action: 'confirm',
  about: 'Confirms that a record is true, so that agents may see it.',
  example: ['use-sqlite', 'by its id; a short id such as d4f7 works too'],
});
