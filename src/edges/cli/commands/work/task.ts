import { changeWork, readWork, type Work } from '../../../../app/work/work.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Command, CommandResult, CommandContext } from '../../command.ts';
import { withShownTimes } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { unknownAction } from '../../errors.ts';

const COMPLETED = 5;

const numbered = (items: Work['steps']): string[] =>
  items.map(({ text, ticked }, at) => inert(withShownTimes(`  ${at + 1}. ${ticked === undefined ? '' : ticked ? '[x] ' : '[ ] '}${text}`)));

function workOutput(cli: CommandContext, work: Result<Work>): CommandResult {
  if (!work.ok) return work;
  const { task, steps, blockers, completed } = work.value;
  const { paint } = cli;
  return ok({
    json: {
      ok: true,
      task: task ?? null,
      steps: steps.map(({ text, ticked }) => ({ text, done: ticked === true })),
      blockers: blockers.map(({ text }) => text),
      completed: completed.map(({ text }) => text),
    },
    lines: [
      `${paint.bold('Task')}      ${task === undefined ? 'none' : inert(task)}`,
      ...(steps.length === 0 ? [] : [paint.bold(`Progress  ${steps.filter(({ ticked }) => ticked).length}/${steps.length}`), ...numbered(steps)]),
      ...(blockers.length === 0 ? [] : [paint.bold('Blockers'), ...numbered(blockers)]),
      ...(completed.length === 0
        ? []
        : [paint.dim('Completed'), ...completed.slice(0, COMPLETED).map(({ text }) => paint.dim(inert(withShownTimes(`  ${text}`))))]),
    ],
  });
}

export const taskCommand: Command = {
  name: 'task',
  about: 'Sets the current task (context/current-task.md); without a text, shows task, progress and blockers.',
  positionals: '[TEXT…]',
  options: [
    { name: 'done', about: 'finish the task: move it and its finished steps to progress/completed.md' },
    { name: 'drop', about: 'drop the task' },
  ],
  examples: [
    ['holdfast task "Fix the checkout"', 'the next session starts with it'],
    ['holdfast task --done', 'finish the task'],
  ],
  run: async (cli, args) => {
    const { memory } = await cli.open();
    const text = args.positionals.join(' ');
    const [done, drop] = [args.flag('done'), args.flag('drop')];
    if ((done || drop) && text !== '') return refuse('USAGE_ERROR', '--done and --drop take no text.', { hint: 'end the task first, then set the next one' });
    if (done || drop) return workOutput(cli, await changeWork(memory, { ended: done ? 'done' : 'dropped' }, { actor: cli.actor }));
    return workOutput(cli, text === '' ? ok(await readWork(memory)) : await changeWork(memory, { task: text }, { actor: cli.actor }));
  },
};

export const progressCommand: Command = {
  name: 'progress',
  about: 'Adds, finishes or drops steps of the task (progress/active.md); without an action, lists them.',
  positionals: '[add TEXT…|done STEP|drop STEP]',
  options: [],
  examples: [
    ['holdfast progress add "Write the test" "Make it pass"', 'two steps'],
    ['holdfast progress "Write the test"', 'a quoted text of several words needs no "add"'],
    ['holdfast progress done 1', 'by number or by part of its text'],
  ],
  run: async (cli, args) => {
    const { memory } = await cli.open();
    const [verb, ...rest] = args.positionals;
    if (verb === undefined) return workOutput(cli, ok(await readWork(memory)));
    if (verb.includes(' ')) return workOutput(cli, await changeWork(memory, { steps: args.positionals }, { actor: cli.actor }));
    if (verb !== 'add' && verb !== 'done' && verb !== 'drop')
      return refuse('USAGE_ERROR', unknownAction('progress', verb, ['add', 'done', 'drop']), { hint: 'holdfast progress --help' });
    if (rest.length === 0)
      return refuse('USAGE_ERROR', verb === 'add' ? 'progress add needs a text.' : `progress ${verb} needs a step, by number or by part of its text.`, {
        hint: 'holdfast progress --help',
      });
    if (verb === 'add') return workOutput(cli, await changeWork(memory, { steps: rest }, { actor: cli.actor }));
    return workOutput(cli, await changeWork(memory, { [verb === 'done' ? 'finished' : 'dropped']: [rest.join(' ')] }, { actor: cli.actor }));
  },
};

export const blockCommand: Command = {
  name: 'block',
  about: 'Records a blocker (context/blockers.md).',
  positionals: 'TEXT…',
  options: [],
  examples: [['holdfast block "Waiting for the key of the payment service"', 'every session sees it until it is resolved']],
  run: async (cli, args) => {
    const { memory } = await cli.open();
    return workOutput(cli, await changeWork(memory, { blocker: args.positionals.join(' ') }, { actor: cli.actor }));
  },
};

export const unblockCommand: Command = {
  name: 'unblock',
  about: 'Resolves a blocker, named by its number or part of its text.',
  positionals: 'BLOCKER',
  options: [],
  examples: [['holdfast unblock 1', 'it moves to progress/completed.md']],
  run: async (cli, args) => {
    if (args.positionals.length === 0)
      return refuse('USAGE_ERROR', 'unblock needs a blocker, by number or by part of its text.', { hint: 'holdfast task lists the blockers' });
    const { memory } = await cli.open();
    return workOutput(cli, await changeWork(memory, { resolved: args.positionals.join(' ') }, { actor: cli.actor }));
  },
};
