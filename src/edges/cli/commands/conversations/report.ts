import { catchUp } from '../../../../app/index/catch-up.ts';
import { resolveItem } from '../../../../app/read/resolve.ts';
import { subagentInstructions, type InstructionForm } from '../../../../app/reports/instructions.ts';
import { saveReport } from '../../../../app/reports/save-report.ts';
import type { FileRef } from '../../../../core/ports/store.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, Cli, Command, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';
import { writtenOutput } from '../../present/written.ts';
import { unknownAction } from '../../errors.ts';

const VERBS = ['save', 'consolidate', 'instructions'];
const FORMS = ['template', 'full', 'minimal'] as const;

export const reportCommand: Command = {
  name: 'report',
  about: 'Saves the report of a subagent, and merges reports into analyses and decisions.',
  positionals: 'save TASK|consolidate [ID…]|instructions [TASK]',
  options: [
    { name: 'agent', value: 'TYPE', about: 'with save: the type of the subagent, such as Explore, Plan or Bash' },
    { name: 'agent-id', value: 'ID', about: 'with save: the id of the subagent; a second report with this id is not saved' },
    { name: 'session', value: 'S', about: 'with save: the session of the subagent' },
    { name: 'input', value: 'FILE', about: 'with save: read the report from FILE, or from standard input with -' },
    { name: 'form', value: 'F', choices: FORMS, about: 'the length of the text that report instructions prints' },
  ],
  examples: [
    ['holdfast report save "Security scan" --agent Explore --input - < found.md', 'into subagent/, named by date, time and task'],
    ['holdfast report consolidate', 'every report that was not merged yet'],
    ['holdfast report instructions --form minimal', 'the line to put into a subagent’s prompt'],
  ],
  run: async (cli, args) => {
    const [verb, ...rest] = args.positionals;
    if (verb === 'save') return save(cli, args, rest.join(' '));
    if (verb === 'consolidate') return consolidate(cli, rest);
    if (verb === 'instructions') return instructions(cli, args, rest.join(' '));
    return refuse('USAGE_ERROR', verb === undefined ? 'report needs an action: save, consolidate or instructions.' : unknownAction('report', verb, VERBS), {
      hint: 'holdfast report --help',
    });
  },
};

async function save(cli: Cli, args: Arguments, task: string): Promise<CommandResult> {
  const [input, agentType, agentId, sessionId] = [args.text('input'), args.text('agent'), args.text('agent-id'), args.text('session')];
  if (input === undefined || agentType === undefined)
    return refuse('USAGE_ERROR', 'report save needs --agent and --input.', { hint: 'holdfast report --help' });
  const text = await cli.readInput(input);
  if (!text.ok) return text;
  const { memory } = await cli.open();
  const saved = await saveReport(memory, {
    agentType,
    text: text.value,
    channel: 'command',
    ...(task.trim() !== '' && { task }),
    ...(agentId !== undefined && { agentId }),
    ...(sessionId !== undefined && { sessionId }),
  });
  if (!saved.ok) return saved;
  if (saved.value.status === 'saved') return ok(writtenOutput(saved.value.written, cli.paint, memory));
  return ok({ json: { ok: true, ...saved.value }, lines: [`Not saved: ${saved.value.why}`] });
}

async function consolidate(cli: Cli, ids: readonly string[]): Promise<CommandResult> {
  const { memory } = await cli.open();
  await catchUp(memory);
  const places: FileRef[] = [];
  for (const id of ids) {
    const item = await resolveItem(memory, id);
    if (!item.ok) return item;
    places.push({ root: item.value.root, path: item.value.path });
  }
  const done = await (await cli.drafting()).consolidate(memory, ids.length === 0 ? undefined : places);
  if (!done.ok) return done;
  const lines = done.value.map(({ report: name, into, why }) => `${cli.paint.bold(name)}  ${inert(into.length > 0 ? into.join(', ') : (why ?? ''))}`);
  return ok({ json: { ok: true, reports: done.value }, lines: lines.length === 0 ? ['No reports to merge.'] : lines });
}

async function instructions(cli: Cli, args: Arguments, task: string): Promise<CommandResult> {
  const { memory, project } = await cli.open();
  const form = (args.text('form') ?? 'template') as InstructionForm;
  const text = subagentInstructions(form, project?.privateRoot ?? memory.store.absolute({ root: memory.config.get('storage.root'), path: '' }), task);
  return ok({ json: { ok: true, form, text }, lines: text.split('\n').map(inert) });
}
