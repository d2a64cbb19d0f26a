import { catchUp } from '../../../../app/index/catch-up.ts';
import { resolveItem } from '../../../../app/read/resolve.ts';
import { forgetForGood } from '../../../../app/write/forget.ts';
import type { ItemFacts } from '../../../../core/ports/index.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, Command, CommandContext, CommandResult, OpenMemory } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { declined, heldJson, heldLines } from '../../present/written.ts';
import { moveRecords } from './status-commands.ts';

const idOf = ({ category, id, path }: ItemFacts): string => (category === undefined ? path : `${category}/${id}`);

async function retireAll(cli: CommandContext, { memory }: OpenMemory, items: readonly ItemFacts[], reason: string): Promise<CommandResult> {
  const retired = await moveRecords(
    cli,
    memory,
    'retire',
    items.map(({ root, path }) => ({ root, path })),
    { actor: cli.actor, reason },
  );
  if (!retired.ok) return retired;
  const days = memory.config.get('delete.grace_period_days');
  return ok({
    ...retired.value,
    lines: [...retired.value.lines, `holdfast gc removes it for good after ${plural(days, 'day')}, holdfast forget ID --now at once`],
  });
}

const isShared = ({ root }: ItemFacts): boolean => root === 'shared';

async function forgetNow(cli: CommandContext, { memory }: OpenMemory, items: readonly ItemFacts[], args: Arguments): Promise<CommandResult> {
  const names = items.map(idOf);
  if (cli.caller === 'agent')
    return refuse('SECURITY_ERROR', 'Only a person can remove a record for good.', {
      hint: `run holdfast forget ${names.join(' ')} --now in a terminal of your own`,
    });
  const isAgreed = args.flag('yes') || args.flag('json');
  const shown = [
    `This removes ${names.map(inert).join(', ')} for good: file, versions, journal, index, and its sentences in archived conversations.`,
    'Undo cannot restore it.',
  ];
  if (!isAgreed && cli.caller !== 'person') return refuse('USAGE_ERROR', 'Nothing was forgotten.', { hint: 'add --yes, or run it in a terminal' });
  if (!isAgreed && !(await (await cli.setup()).confirm(shown.join('\n'), 'Forget for good?'))) return declined('Nothing was forgotten.');
  const { sentences, checked, versions, left } = await forgetForGood(memory, items, { actor: 'command', transcripts: args.flag('transcripts') });
  const warnings = [...heldLines(left), ...(items.some(isShared) ? ["the history of the project's repository still contains it: git keeps every commit"] : [])];
  return ok({
    json: { ok: left.length === 0, forgotten: names, sentences, versions, files_checked: checked, found: left.length, left: left.map(heldJson) },
    lines: [
      `${cli.paint.green('forgotten')} ${names.map(inert).join(', ')}; it cannot be restored`,
      `  searched ${plural(checked, 'file')} for ${plural(sentences, 'sentence')} of it: found in ${left.length}`,
    ],
    warnings,
    exit: left.length === 0 ? 0 : 1,
  });
}

export const forgetCommand: Command = {
  name: 'forget',
  about:
    'Takes a record out of use; gc removes it after the grace period. With --now, removes it for good: its file, versions, journal and index entries, and its sentences in the archived conversations, drafts and logs of every project. Then searches the home and names every file that still contains some of it.',
  positionals: 'ID…',
  options: [
    { name: 'now', about: 'remove it for good at once; asks first' },
    { name: 'transcripts', about: "with --now: also remove its sentences from the client's own transcripts" },
    { name: 'reason', value: 'R', about: 'the reason, saved with the record until it is removed' },
    { name: 'yes', about: 'do not ask' },
    { name: 'user', about: 'forget a record of your user memory' },
  ],
  examples: [
    ['holdfast forget use-sqlite', 'out of use now, removed after the grace period'],
    ['holdfast forget use-sqlite --now --yes', 'removed for good; exit code 1 if a file still contains its text'],
  ],
  run: async (cli, args) => {
    if (args.positionals.length === 0) return refuse('USAGE_ERROR', 'forget needs the id of a record.', { hint: 'holdfast forget --help' });
    const opened = await cli.open(args.flag('user') ? 'user' : 'project');
    await catchUp(opened.memory);
    const items: ItemFacts[] = [];
    for (const id of args.positionals) {
      const item = await resolveItem(opened.memory, id);
      if (!item.ok) return item;
      if (item.value.kind !== 'record') return refuse('PATH_ERROR', `${item.value.path} is a document, not a record.`, { hint: 'edit or delete its file' });
      items.push(item.value);
    }
    return args.flag('now') ? forgetNow(cli, opened, items, args) : retireAll(cli, opened, items, args.text('reason') ?? 'forgotten');
  },
};
