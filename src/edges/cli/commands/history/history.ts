import { diffOf, logOf, type LogLine } from '../../../../app/history/log.ts';
import { undo as takeBack } from '../../../../app/history/undo.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command, Paint } from '../../command.ts';
import { inert } from '../../paint.ts';

const USER = { name: 'user', about: 'use your user memory, not the project' } as const;
const LIMIT = 20;

const logLine = ({ seq, at, op, group, id, path, actor, reason, undone }: LogLine, paint: Paint): string =>
  `${paint.bold(String(seq).padStart(5))} ${at} ${op.padEnd(9)} ${inert(id ?? path)}${reason ? paint.dim(`  ${inert(reason)}`) : ''}${paint.dim(`  by ${actor}${group === String(seq) ? '' : `, part of ${group}`}`)}${undone ? paint.yellow('  undone') : ''}`;

export const logCommand: Command = {
  name: 'log',
  about: 'Lists every write, newest first; with an id, the writes of one record or document.',
  positionals: '[ID]',
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
      lines: entries.value.length === 0 ? ['No writes yet.'] : entries.value.map((entry) => logLine(entry, cli.paint)),
    });
  },
};

export const diffCommand: Command = {
  name: 'diff',
  about: 'Shows what a write changed: the last write of the record, or the one with the number VERSION in holdfast log.',
  positionals: 'ID [VERSION]',
  most: 2,
  options: [USER],
  examples: [['holdfast diff use-sqlite 42', 'what write 42 changed']],
  run: async (cli, args) => {
    const [id, version] = args.positionals;
    if (id === undefined) return refuse('USAGE_ERROR', 'diff needs the id of a record or document.', { hint: 'holdfast log lists the writes' });
    if (version !== undefined && !/^\d+$/.test(version))
      return refuse('USAGE_ERROR', `Invalid number of a write: ${JSON.stringify(version)}.`, { hint: `holdfast log ${id} lists the writes` });
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const found = await diffOf(memory, id, version === undefined ? undefined : Number(version));
    if (!found.ok) return found;
    const { paint } = cli;
    const painted = inert(found.value.text)
      .trimEnd()
      .split('\n')
      .map((line) => (/^\+(?!\+\+)/.test(line) ? paint.green(line) : /^-(?!--)/.test(line) ? paint.red(line) : line));
    return ok({ json: { ok: true, ...found.value }, lines: painted });
  },
};

export const undoCommand: Command = {
  name: 'undo',
  about: 'Undoes the last N actions (default 1), newest first. It never overwrites a later change.',
  positionals: '[N]',
  most: 1,
  options: [{ name: 'action', value: 'G', about: 'undo one action by its number in holdfast log; undoing an undo is a redo' }, USER],
  examples: [
    ['holdfast undo', 'the last action'],
    ['holdfast undo 3', 'the last three actions'],
    ['holdfast undo --action 42', 'action 42, if its files have not changed since'],
  ],
  run: async (cli, args) => {
    const [count = '1'] = args.positionals;
    if (!/^[1-9]\d*$/.test(count)) return refuse('USAGE_ERROR', `Invalid number of actions: ${JSON.stringify(count)}.`);
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const group = args.text('action');
    const done = await takeBack(memory, { actor: cli.actor, count: Number(count), ...(group !== undefined && { group }) });
    if (!done.ok) return done;
    return ok({
      json: { ok: true, undone: done.value },
      lines: done.value.flatMap(({ group: action, entries }) => [
        `${cli.paint.green('undone')} action ${action}`,
        ...entries.map(({ path, op, outcome }) => `  ${outcome} ${inert(path)} (${op})`),
      ]),
    });
  },
};
