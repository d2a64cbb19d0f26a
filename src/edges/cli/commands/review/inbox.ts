import { inboxNamed, listInbox, type InboxItem } from '../../../../app/inbox/inbox.ts';
import { acceptEdited, acceptRecords, mergeRecords, rejectRecords } from '../../../../app/inbox/review.ts';
import { recordSource, type SourceLine } from '../../../../app/inbox/source.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import type { SkillProposal } from '../../../../app/skills/proposals.ts';
import { redactionNotes } from '../../../../app/write/redaction-note.ts';
import type { Written } from '../../../../app/write/written.ts';
import { unmergedFiles } from '../../../../app/write/merge-conflicts.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { isQuarantined, QUARANTINED, trustFrom } from '../../../../core/trust/trust.ts';
import type { Arguments, Cli, Command, CommandContext, CommandResult, Paint } from '../../command.ts';
import { unknownAction } from '../../errors.ts';
import { shownTime } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { withholds, WITH_QUARANTINED } from '../../record-options.ts';
import { declined, writtenOutput } from '../../present/written.ts';
import { HOW_TO_PROMOTE, proposalJson, proposalLine, proposalsOf } from './promote.ts';

const ACTIONS = ['accept', 'reject', 'edit', 'merge'] as const;
type InboxAction = (typeof ACTIONS)[number];
const LIMIT = 20;
const UNCONFIRMED = 'unconfirmed';

export const inboxCommand: Command = {
  name: 'inbox',
  about:
    'Lists what was saved automatically and what is quarantined, newest first, with the lines it came from. On a terminal it asks for each: accept, edit, reject or merge. Agents get waiting records labelled as unconfirmed, and no quarantined ones. It also proposes to make skills of runbooks that agents keep using.',
  positionals: '[accept|reject|edit|merge] [ID…]',
  options: [
    { name: 'accept', value: 'ID', many: true, about: 'confirm a record; repeatable' },
    { name: 'reject', value: 'ID', many: true, about: 'retire a record; repeatable' },
    { name: 'edit', value: 'ID', about: 'correct a record in your editor and confirm it' },
    { name: 'merge', value: 'A B', about: 'join record B into record A and confirm it' },
    { name: 'all', about: 'with accept or reject: every record that waits; alone: list all' },
    { name: 'old', about: 'only records that an earlier version drafted without a model' },
    { name: 'input', value: 'FILE', about: 'with edit: read the new text from FILE, or from standard input with -' },
    { name: 'limit', value: 'N', about: `maximum number of records (default ${LIMIT})` },
    { name: 'yes', about: 'do not ask before accepting or rejecting everything' },
    { name: 'user', about: 'review your user memory, not the project' },
    WITH_QUARANTINED,
  ],
  examples: [
    ['holdfast inbox', 'go through it key by key on a terminal; elsewhere list it'],
    ['holdfast inbox accept d4f7 c2ab', 'confirm two records'],
    ['holdfast inbox --reject d4f7', 'the same as inbox reject d4f7; holdfast undo brings it back'],
    ['holdfast inbox merge d4f7 d9k2', 'join the second into the first'],
    ['holdfast inbox reject --old --yes', 'reject everything that an earlier version drafted without a model'],
  ],
  run: async (cli, args) => {
    const request = requestOf(args);
    if (!request.ok) return request;
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    if (request.value.action) return runAction(cli, memory, args, request.value.action, request.value.ids);
    const limit = args.number('limit', { min: 1 });
    if (!limit.ok) return limit;
    const waiting = (await listInbox(memory)).filter(({ old }) => old || !args.flag('old'));
    const skills = args.flag('user') || args.flag('old') ? [] : await proposalsOf(cli, memory);
    if (cli.caller === 'person' && !args.flag('json') && waiting.length + skills.length > 0) {
      const { reviewByKeys } = await import('./inbox-keys.ts');
      return reviewByKeys(cli, memory, waiting, skills, args.flag('all') ? undefined : limit.value);
    }
    const shown = await listOutput(cli, waiting, skills, args.flag('all') ? waiting.length : (limit.value ?? LIMIT), withholds(cli, args));
    const conflicts = await conflictNotes(memory);
    const isOnlyConflicts = conflicts.length > 0 && waiting.length + skills.length === 0;
    return shown.ok ? ok({ ...shown.value, ...(isOnlyConflicts && { lines: ['Nothing else waits for review.'] }), warnings: conflicts }) : shown;
  },
};

/** The action is a word or an option; ids follow either. */
function requestOf(args: Arguments): Result<{ readonly action?: InboxAction; readonly ids: readonly string[] }> {
  const options = ACTIONS.filter((action) => args.texts(action).length > 0);
  const [word, ...rest] = args.positionals;
  if (options.length > 1) return refuse('USAGE_ERROR', `Use only one of --${options[0]} and --${options[1]}.`, { hint: 'holdfast inbox --help' });
  const [option] = options;
  // In `--reject --all`, the parser takes `--all` as the value.
  if (option) return ok({ action: option, ids: [...args.texts(option), ...args.positionals].filter((id) => id !== '--all' && id !== '--old') });
  if (word === undefined) return ok({ ids: [] });
  const action = ACTIONS.find((one) => one === word);
  return action ? ok({ action, ids: rest }) : refuse('USAGE_ERROR', unknownAction('inbox', word, ACTIONS), { hint: 'holdfast inbox --help' });
}

const hasFlag = (args: Arguments, name: 'all' | 'old'): boolean => args.flag(name) || ACTIONS.some((action) => args.texts(action).includes(`--${name}`));

async function runAction(cli: CommandContext, memory: Memory, args: Arguments, action: InboxAction, ids: readonly string[]): Promise<CommandResult> {
  const [all, old] = [hasFlag(args, 'all'), hasFlag(args, 'old')];
  if ((all || old) && (ids.length > 0 || action === 'edit' || action === 'merge'))
    return refuse('USAGE_ERROR', '--all and --old go with accept or reject, without ids.', { hint: 'holdfast inbox --help' });
  if (!all && !old && ids.length === 0)
    return refuse('USAGE_ERROR', `inbox ${action} needs the id of a record.`, { hint: 'holdfast inbox lists the records that wait' });
  const chosen = all || old ? ok((await listInbox(memory)).filter((one) => all || one.old)) : await inboxNamed(memory, ids);
  if (!chosen.ok) return chosen;
  const items = chosen.value;
  const author = { actor: cli.actor };
  if (action === 'edit')
    return items.length === 1 ? editInInbox(cli, memory, items[0] as InboxItem, args.text('input')) : refuse('USAGE_ERROR', 'inbox edit takes one id.');
  if (action === 'merge') {
    const [into, from] = items;
    return into && from && items.length === 2
      ? reviewOutput(cli.paint, memory, await mergeRecords(memory, [into, from], author))
      : refuse('USAGE_ERROR', 'inbox merge takes two ids.');
  }
  if (items.length === 0) return ok({ json: { ok: true, records: [] }, lines: ['Nothing waits for review.'] });
  const verb = action === 'accept' ? 'Accept' : 'Reject';
  if (items.length > 1 && (all || old) && !args.flag('yes') && cli.caller === 'person') {
    const shown = items.map(({ shortId, record }) => `  ${shortId}  ${inert(record.title)}`).join('\n');
    if (!(await (await cli.setup()).confirm(shown, `${verb} these ${items.length}?`))) return declined('Nothing was changed.');
  }
  return reviewOutput(cli.paint, memory, await (action === 'accept' ? acceptRecords : rejectRecords)(memory, items, author));
}

/** Opens the text in the editor, or reads it from a file, and confirms the record with it. */
export async function editInInbox(cli: Cli, memory: Memory, entry: InboxItem, input?: string): Promise<CommandResult> {
  const { path } = entry.item;
  const file = await memory.store.read(entry.item);
  if (!file) return refuse('NOT_FOUND', `${path} was deleted.`, { missing: true });
  const inputText = input === undefined ? undefined : await cli.readInput(input);
  if (inputText && !inputText.ok) return inputText;
  const opened = inputText
    ? ok({ text: inputText.value, tempFile: undefined, discard: undefined })
    : await cli.edit(path.slice(path.lastIndexOf('/') + 1), file.text);
  if (!opened.ok) return opened;
  // Leaving the editor without a change does not confirm the record.
  if (!opened.value) return refuse('INPUT_ERROR', `Nothing was changed, and ${entry.shortId} still waits.`, { hint: `holdfast inbox accept ${entry.shortId}` });
  const { text, tempFile, discard } = opened.value;
  const saved = await acceptEdited(memory, entry, text, file.hash, { actor: cli.actor });
  if (!saved.ok) return tempFile === undefined ? saved : refuse(saved.error.code, saved.error.message, { ...saved.error, hint: `your text is in ${tempFile}` });
  discard?.();
  return reviewOutput(cli.paint, memory, ok([saved.value]), redactionNotes(saved.value.redactions));
}

export function reviewOutput(paint: Paint, memory: Memory, reviewed: Result<readonly Written[]>, notes: readonly string[] = []): CommandResult {
  if (!reviewed.ok) return reviewed;
  const outputs = reviewed.value.map((written) => writtenOutput(written, paint, memory));
  return ok({
    json: { ok: true, records: outputs.map(({ json }) => json) },
    lines: [...outputs.map(({ lines }) => lines[0] ?? ''), paint.dim('holdfast undo takes it back')],
    warnings: [...notes, ...outputs.flatMap(({ warnings }) => warnings ?? [])],
  });
}

/** The lines of the conversation that the record came from; loads nothing if it names no session. */
export const inboxSource = async (cli: Cli, { record }: InboxItem): Promise<readonly SourceLine[]> =>
  record.origin?.session_id === undefined ? [] : recordSource(await cli.episodes(), record);

/** One waiting record as people read it. */
export function inboxLines({ record, shortId, gist, detail, old }: InboxItem, source: readonly SourceLine[], paint: Paint): string[] {
  const labels = [isQuarantined(record.trust) ? QUARANTINED : UNCONFIRMED, ...(old ? ['drafted by an earlier version'] : [])];
  const text = [gist, detail].filter((part) => part !== '' && part !== record.title).join(' ');
  return [
    `${paint.bold(shortId)}  ${record.category}  ${inert(record.title)}  ${paint.dim(shownTime(record.created_at))}  ${paint.yellow(`(${labels.join(', ')})`)}`,
    ...(text === '' ? [] : [`  ${inert(text)}`]),
    ...source.map(({ role, timestamp, text: line }) => paint.dim(`  > ${role}${timestamp === null ? '' : ` ${shownTime(timestamp)}`}: ${inert(line)}`)),
  ];
}

/** Records with two versions to merge, from git or from sync; agents do not get them until then. */
const conflictNotes = async (memory: Memory): Promise<readonly string[]> =>
  (await unmergedFiles(memory)).map(({ place: { path } }) => `${path} was changed on both sides; resolve it with holdfast merge ${path} --ours or --theirs`);

async function listOutput(cli: Cli, waiting: readonly InboxItem[], skills: readonly SkillProposal[], limit: number, withheld: boolean): Promise<CommandResult> {
  const items: object[] = [];
  const lines: string[] = [];
  for (const entry of waiting.slice(0, limit)) {
    const { record, name, shortId, old, gist, item } = entry;
    const hidden = withheld && isQuarantined(record.trust);
    const source = hidden ? [] : await inboxSource(cli, entry);
    const facts = { id: name, short_id: shortId, category: record.category, trust: record.trust ?? trustFrom('capture'), created_at: record.created_at, old };
    items.push({
      ...facts,
      ...(hidden ? { withheld: true } : { title: record.title, text: gist, source }),
      ...(record.origin?.session_id !== undefined && { session_id: record.origin.session_id }),
      file: item.path,
    });
    lines.push(...(hidden ? [`${shortId}  ${record.category}: withheld (${QUARANTINED})`] : inboxLines(entry, source, cli.paint)));
  }
  const old = waiting.filter((entry) => entry.old).length;
  const more = waiting.length - Math.min(limit, waiting.length);
  return ok({
    json: { ok: true, waiting: waiting.length, old, items, skills: skills.map(proposalJson) },
    lines: [
      ...(waiting.length === 0 ? ['Nothing waits for review.'] : lines),
      ...(more > 0 ? [`${more} more; holdfast inbox --all lists them`] : []),
      ...(waiting.length === 0 ? [] : ['', 'holdfast inbox accept ID… | reject ID… | edit ID | merge A B']),
      ...(old === 0
        ? []
        : [`${old} drafted without a model by an earlier version; holdfast inbox reject --old rejects them all, and holdfast undo restores them`]),
      ...(skills.length === 0 ? [] : ['', 'Runbooks that agents keep using:', ...skills.map((one) => proposalLine(one, cli.paint)), HOW_TO_PROMOTE]),
    ],
  });
}
