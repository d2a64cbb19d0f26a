import { createRecord } from '../../../../app/write/create.ts';
import { roleOf } from '../../../../app/memory/layout.ts';
import { moveRecord, type StatusAction } from '../../../../app/write/status.ts';
import { placeOfTarget } from '../../../../app/write/target.ts';
import { updateRecord } from '../../../../app/write/update.ts';
import { parseDraft, type Draft } from '../../../../core/record/draft.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { categoryOption, rootFor } from '../../record-options.ts';
import type { Arguments, Cli, Command } from '../../command.ts';
import { writtenOutput } from '../../present/written.ts';

const ACTIONS = ['create', 'update', 'delete', 'retire', 'archive', 'unarchive', 'restore'] as const;

export const writeCommand: Command = {
  name: 'write',
  about: 'Creates, updates or moves one record. Reads the draft from a file or standard input, never from the command line.',
  positionals: '',
  most: 0,
  options: [
    { name: 'action', value: 'A', choices: ACTIONS, about: 'what to do' },
    { name: 'category', value: 'C', about: 'with create and update: the category of the record' },
    { name: 'target', value: 'PATH', about: 'the file of the record, such as decisions/use-sqlite.md' },
    { name: 'input', value: 'FILE', about: 'with create and update: read the draft as JSON from FILE, or from standard input with -' },
    { name: 'hash', value: 'MD5', about: 'with update: the MD5 of the file when it was read; exits with 3 if the file has changed' },
    { name: 'reason', value: 'R', about: 'with delete, retire and archive: the reason' },
    { name: 'shared', about: 'the target is in the repository' },
    { name: 'user', about: 'the target is in your user memory' },
  ],
  examples: [
    ['holdfast write --action create --category decision --target decisions/use-sqlite.md --input draft.json', 'a new record from a draft'],
    [
      'holdfast write --action update --target decisions/use-sqlite.md --input - --hash 9e107d9d372bb6826bd81d3542a419d6 < draft.json',
      'refused if the file has changed since',
    ],
    ['holdfast write --action delete --target decisions/use-sqlite.md --reason "moved on"', 'retire a record'],
  ],
  run: async (cli, args) => {
    const [action, target] = [args.text('action') as (typeof ACTIONS)[number] | undefined, args.text('target')];
    if (action === undefined || target === undefined) return refuse('USAGE_ERROR', 'write needs --action and --target.', { hint: 'holdfast write --help' });
    const actor = cli.actor === 'shell' ? cli.actor : 'write';
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const root = rootFor(memory, args);
    if (!root.ok) return root;
    const place = await placeOfTarget(memory, target, root.value);
    if (!place.ok) return place;
    const category = categoryOption(args, action);
    if (!category.ok && (action === 'create' || args.text('category') !== undefined)) return category;
    const role = roleOf(place.value);
    if (category.ok && role.role === 'record' && role.category !== category.value)
      return refuse('VALIDATION_ERROR', `${place.value.path} is in the folder of ${role.category}, not of ${category.value}.`, {
        hint: `use --category ${role.category}`,
      });
    if (action === 'create' || action === 'update') {
      const draft = await draftOf(cli, args);
      if (!draft.ok) return draft;
      const hash = args.text('hash');
      const written =
        category.ok && action === 'create'
          ? await createRecord(memory, { category: category.value, draft: draft.value, root: place.value.root, target: place.value.path, actor })
          : await updateRecord(memory, { place: place.value, draft: draft.value, actor, ...(hash !== undefined && { hash }) });
      return written.ok ? ok(writtenOutput(written.value, cli.paint, memory)) : written;
    }
    const reason = args.text('reason');
    const move: StatusAction = action === 'delete' ? 'retire' : action;
    const moved = await moveRecord(memory, move, place.value, { actor, ...(reason !== undefined && { reason }) });
    return moved.ok ? ok(writtenOutput(moved.value, cli.paint, memory)) : moved;
  },
};

async function draftOf(cli: Cli, args: Arguments): Promise<Result<Draft>> {
  const input = args.text('input');
  if (input === undefined)
    return refuse('USAGE_ERROR', `${args.text('action')} needs --input.`, { hint: 'name a file with the draft as JSON, or - for standard input' });
  if (input.replaceAll('\\', '/').split('/').includes('..'))
    return refuse('SECURITY_ERROR', `The path of the draft, ${JSON.stringify(input)}, contains "..".`, { hint: 'use a path without ".."' });
  const read = await cli.readInput(input);
  return read.ok ? parseDraft(read.value) : read;
}
