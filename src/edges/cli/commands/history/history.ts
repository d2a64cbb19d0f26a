import { diffOf, logOf, type Diff, type LogLine } from '../../../../app/history/log.ts';
import { plannedUndo, undo as undoActions, type PlannedUndo, type UndoOptions } from '../../../../app/history/undo.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { shortName } from '../../../../app/read/resolve.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Arguments, Cli, Command, CommandResult, Paint } from '../../command.ts';
import { shownTime } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { diffLines } from '../../present/format.ts';
import { declined } from '../../present/written.ts';

const USER = { name: 'user', about: 'use your user memory, not the project' } as const;
const LIMIT = 20;
const NAMES_SHOWN = 5;

/** A record by its short id and title, a document by its name. */
const entryName = ({ id, path, title }: Pick<LogLine, 'id' | 'path' | 'title'>, memory: Memory): string =>
  inert(id === undefined ? path : title === undefined || title === id ? shortName(memory, id) : `${shortName(memory, id)}  ${title}`);

/** The number of an action, which `undo` takes; the parts of one action share it. */
const logLine = (line: LogLine, memory: Memory, paint: Paint): string => {
  const { at, op, group, actor, reason, undone } = line;
  return [
    paint.bold(`#${group}`.padStart(6)),
    shownTime(at),
    op.padEnd(9),
    entryName(line, memory),
    ...(reason ? [paint.dim(` ${inert(reason)}`)] : []),
    paint.dim(` by ${actor}`),
    ...(undone ? [paint.yellow(' undone')] : []),
  ].join(' ');
};

export const logCommand: Command = {
  name: 'log',
  about: 'Lists every write, newest first; with an id, the writes of one record or document; with a number, the writes of one action.',
  positionals: "[ID|'#ACTION']",
  most: 1,
  options: [{ name: 'limit', value: 'N', about: `maximum number of writes (default ${LIMIT})` }, USER],
  examples: [
    ['holdfast log', 'the latest writes in this project'],
    ['holdfast log use-sqlite --json', 'the history of one record, one JSON document per line'],
  ],
  run: async (cli, args) => {
    const limit = args.number('limit', { min: 1 });
    if (!limit.ok) return limit;
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const entries = await logOf(memory, args.positionals[0], limit.value ?? LIMIT);
    if (!entries.ok) return entries;
    return ok({
      json: entries.value,
      stream: true,
      lines: entries.value.length === 0 ? ['No writes yet.'] : entries.value.map((entry) => logLine(entry, memory, cli.paint)),
    });
  },
};

export const diffCommand: Command = {
  name: 'diff',
  about: 'Shows what a write changed: the last write of the record, the one with the number VERSION in holdfast log, or all of an action.',
  positionals: "ID [VERSION]|'#ACTION'",
  most: 2,
  options: [USER],
  examples: [
    ['holdfast diff use-sqlite', 'the last change of a record'],
    ['holdfast diff use-sqlite 42', 'what write 42 changed in it'],
    ["holdfast diff '#42'", 'all that action 42 of holdfast log changed'],
  ],
  run: async (cli, args) => {
    const [id, version] = args.positionals;
    if (id === undefined)
      return refuse('USAGE_ERROR', 'diff needs the id of a record or document, or the number of an action.', { hint: 'holdfast log lists the writes' });
    const number = version?.replace(/^#/, '');
    if (number !== undefined && !/^\d+$/.test(number))
      return refuse('USAGE_ERROR', `Invalid number of a write: ${JSON.stringify(version)}.`, { hint: `holdfast log ${id} lists the writes` });
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    if (/^#\d+$/.test(id)) return actionDiff(cli, memory, id);
    const found = await diffOf(memory, id, number === undefined ? undefined : Number(number));
    return found.ok ? ok({ json: { ok: true, ...found.value }, lines: diffLines(found.value.text.trimEnd(), cli.paint) }) : found;
  },
};

/** The changes of an action, file by file. */
async function actionDiff(cli: Cli, memory: Memory, action: string): Promise<CommandResult> {
  const entries = await logOf(memory, action, Number.MAX_SAFE_INTEGER);
  if (!entries.ok) return entries;
  const files: Diff[] = [];
  for (const { path, seq } of entries.value.toReversed()) {
    const found = await diffOf(memory, path, seq);
    if (!found.ok) return found;
    files.push(found.value);
  }
  return ok({ json: { ok: true, action, files }, lines: files.flatMap((file) => diffLines(file.text.trimEnd(), cli.paint)) });
}

export const undoCommand: Command = {
  name: 'undo',
  about:
    'Undoes the last action, the last N, or the actions whose numbers holdfast log shows. It says what it undoes, asks on a terminal when that is more than one, and never overwrites a later change.',
  positionals: "[N|'#ACTION'…]",
  options: [
    { name: 'action', value: 'G', many: true, about: 'undo one action by its number in holdfast log; undoing an undo is a redo; repeatable' },
    { name: 'yes', about: 'do not ask' },
    USER,
  ],
  examples: [
    ['holdfast undo', 'the last action'],
    ['holdfast undo 3', 'the last three actions'],
    ["holdfast undo '#42'", 'action 42 of holdfast log, if its files have not changed since'],
    ['holdfast undo --action 42', 'the same'],
  ],
  run: async (cli, args) => {
    const request = undoRequest(args);
    if (!request.ok) return request;
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const planned = await plannedUndo(memory, request.value);
    const { count = 1 } = request.value;
    if (count > 1 && planned.length < count)
      return refuse(
        'USAGE_ERROR',
        `${planned.length === 0 ? 'No action is' : `Only ${planned.length} of ${count} actions are`} left to undo; nothing was undone.`,
        {
          hint: `holdfast undo '#${count}' undoes action #${count} of holdfast log`,
        },
      );
    if (planned.length > 1 && cli.caller === 'person' && !args.flag('yes') && !args.flag('json')) {
      const shown = planned.map((action) => actionLine(action, memory)).join('\n');
      if (!(await (await cli.setup()).confirm(shown, `Undo these ${planned.length} actions?`))) return declined('Nothing was undone.');
    }
    const done = await undoActions(memory, { actor: cli.actor, ...request.value });
    if (!done.ok) return done;
    return ok({
      json: { ok: true, undone: done.value },
      lines: done.value.flatMap(({ group, entries }) => [
        `${cli.paint.green('undone')} ${planned.filter((action) => action.group === group).map((action) => actionLine(action, memory))[0] ?? `#${group}`}`,
        ...entries.map(({ path, op, outcome }) => cli.paint.dim(`  ${outcome} ${inert(path)} (${op})`)),
      ]),
    });
  },
};

function undoRequest(args: Arguments): Result<Pick<UndoOptions, 'count' | 'groups'>> {
  const numbers = [...args.positionals.filter((word) => word.startsWith('#')), ...args.texts('action')].map((word) => word.replace(/^#/, ''));
  const [count, ...extra] = args.positionals.filter((word) => !word.startsWith('#'));
  const invalid = numbers.find((word) => !/^[1-9]\d*$/.test(word)) ?? extra[0] ?? (count === undefined || /^[1-9]\d*$/.test(count) ? undefined : count);
  if (invalid !== undefined)
    return refuse('USAGE_ERROR', `Invalid number of actions: ${JSON.stringify(invalid)}.`, { hint: "holdfast log lists actions as #42; undo takes '#42'" });
  if (numbers.length > 0 && count !== undefined) return refuse('USAGE_ERROR', 'Give a number of actions or their numbers, not both.');
  return ok(numbers.length > 0 ? { groups: numbers } : { count: Number(count ?? 1) });
}

/** `#42 create d4f7  Use SQLite`, with the names of everything that the action wrote. */
function actionLine({ group, entries }: PlannedUndo, memory: Memory): string {
  const [first] = entries;
  const undoes = [...new Set(entries.flatMap((entry) => entry.undoes ?? []))];
  const names = [...new Set(entries.map((entry) => entryName(entry, memory)))];
  const rest = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const op = undoes.length > 0 ? `undo of ${undoes.map((number) => `#${number}`).join(', ')}:` : (first?.op ?? '');
  return `#${group} ${op} ${names.slice(0, NAMES_SHOWN).join(', ')}${rest}`;
}
