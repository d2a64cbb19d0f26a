import { summarizeAll, unsummarized } from '../../../../app/episodes/summarize-all.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { adoptMaster, plannedMaster } from '../../../../app/synthesis/adopt.ts';
import type { CheckoutState } from '../../../../app/synthesis/gather.ts';
import { checkoutFromSessions } from '../../../../app/synthesis/seen-project.ts';
import { masterPlace, synthesize as makeMaster, type SynthesisResult } from '../../../../app/synthesis/synthesize.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Arguments, Cli, Command, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';
import { diffLines, plural } from '../../present/format.ts';

export const synthesizeCommand: Command = {
  name: 'synthesize',
  about:
    'Writes master.md: what all sessions, records, documents and commits say about the project, by theme, and which statements no longer match the code. Adds what is new; --full starts over.',
  positionals: '',
  most: 0,
  options: [
    { name: 'full', about: 'use all summaries, not only those newer than master.md' },
    { name: 'scope', value: 'NAME', about: 'only a part of the project, a folder or a tag, in a master file of its own' },
    {
      name: 'model',
      value: 'M',
      about: 'the model that writes it: none (the default: sorts and shortens the summaries), auto (the configured model) or a model name',
    },
    {
      name: 'from',
      value: 'FILE',
      about: 'save this file as master.md, or standard input with -: a text that you or the synthesize agent wrote; shows it and asks on a terminal',
    },
    { name: 'yes', short: 'y', about: 'with --from: save without asking' },
    { name: 'dry-run', about: 'only show the result' },
    {
      name: 'import',
      value: 'add|remove',
      choices: ['add', 'remove'],
      about: 'add or remove the line in CLAUDE.md that loads master.md at every start (in CLAUDE.local.md if master.md lies outside the project)',
    },
  ],
  examples: [
    ['holdfast synthesize', 'add the summaries since the last time, and show what changed'],
    ['holdfast synthesize --full', 'start over from everything'],
    ['holdfast synthesize --scope frontend', 'a master file for one part of the project'],
    ['holdfast synthesize --from reviewed.md', 'a text of your own or of the synthesize agent becomes master.md; undo brings the old one back'],
    ['holdfast synthesize --import add', 'Claude Code loads it at every start, which costs its tokens each time'],
  ],
  run: async (cli, args): Promise<CommandResult> => {
    const { memory, project } = await cli.open();
    const scope = args.text('scope');
    const lineChange = args.text('import');
    if (lineChange === 'add' || lineChange === 'remove')
      return changeImportLine(cli, memory.store.absolute(masterPlace(memory, scope)), project?.home, lineChange);
    const from = args.text('from');
    if (from !== undefined) return adopt(cli, memory, from, args);
    const without = scope === undefined ? await offerSummaries(cli, memory, args) : undefined;
    const model = args.text('model') ?? 'none';
    const drafting = model === 'none' ? undefined : await cli.drafting();
    const made = await makeMaster(memory, {
      actor: cli.actor,
      state: await stateOf(cli, memory.key),
      full: args.flag('full'),
      dryRun: args.flag('dry-run'),
      ...(scope !== undefined && { scope }),
      ...(drafting && { rewrite: (request) => drafting.ask(memory, model, request) }),
    });
    if (!made.ok) return without === undefined ? made : { ok: false, error: { ...made.error, hint: without.line } };
    return ok({
      json: { ok: true, ...made.value, ...(without && { without_summary: without.count }) },
      lines: [...lines(made.value, cli), ...(without ? [`  ${without.line}`] : [])],
      warnings: made.value.warnings,
    });
  },
};

/** Saves a written text as master.md, after a yes on a terminal. */
async function adopt(cli: Cli, memory: Memory, from: string, args: Arguments): Promise<CommandResult> {
  if (cli.caller === 'agent')
    return refuse('SECURITY_ERROR', 'An agent saves a synthesis with memory_save (file: master.md), after the user has seen it and agreed.', {
      hint: 'holdfast synthesize makes the extract',
    });
  const read = await cli.readInput(from);
  if (!read.ok) return read;
  const planned = await plannedMaster(memory, read.value);
  if (!planned.ok) return planned;
  const shown = diffLines(planned.value.diff, cli.paint);
  if (args.flag('dry-run')) return ok({ json: { ok: true, status: 'planned', ...planned.value }, lines: shown });
  if (cli.caller === 'person' && from !== '-' && !args.flag('yes') && !args.flag('json')) {
    if ((await cli.key(shown.join('\n'), 'Save this as master.md? [y]es [n]o', 'yn')) === 'n')
      return ok({ json: { ok: true, status: 'refused' }, lines: ['Not saved.'] });
  }
  const written = await adoptMaster(memory, read.value, { actor: cli.actor });
  if (!written.ok) return written;
  const { status, file, warnings } = written.value;
  return ok({ json: { ok: true, status, file, diff: planned.value.diff }, lines: [...shown, `${cli.paint.bold(status)} ${inert(file)}`], warnings });
}

/** Offers to summarize sessions without a summary. Returns how many are left; undefined if none. */
async function offerSummaries(cli: Cli, memory: Memory, args: Arguments): Promise<{ readonly count: number; readonly line: string } | undefined> {
  const episodes = await cli.episodes();
  const { without, sessions } = await unsummarized(memory, episodes);
  if (without.length === 0) return undefined;
  const lacking = `${without.length} of ${plural(sessions, 'session')} ${without.length === 1 ? 'has' : 'have'} no summary`;
  const canAsk = cli.caller === 'person' && !args.flag('dry-run') && !args.flag('json');
  if (!canAsk || (await cli.key(`${lacking}.`, 'Summarize them first, without a model? [y]es [n]o', 'yn')) === 'n')
    return { count: without.length, line: `${lacking}: holdfast summarize --all makes them.` };
  const onProgress = (done: number, total: number): void => cli.progress?.(`Summarizing session ${done + 1} of ${total}`);
  const { failed } = await summarizeAll(memory, without, { episodes, drafting: await cli.drafting() }, { onProgress });
  return failed.length === 0 ? undefined : { count: failed.length, line: `${plural(failed.length, 'session')} could not be summarized: ${failed[0] ?? ''}` };
}

/** The project as it is on this machine, or as its sessions saw it if its folder is not here. */
async function stateOf(cli: Cli, project: string): Promise<CheckoutState> {
  const state = await cli.projectState();
  return state.absent === undefined ? state : checkoutFromSessions((await cli.episodes()).all(project), state.absent);
}

async function changeImportLine(
  cli: Cli,
  file: string,
  home: string | undefined,
  change: 'add' | 'remove',
): Promise<Result<{ json: object; lines: string[] }>> {
  const result = await cli.masterImport(file, change);
  if (!result.ok) return result;
  const { file: changedFile, changed, external } = result.value;
  const outcome = change === 'add' ? (changed ? 'loads' : 'loaded already') : changed ? 'no longer loads' : 'did not load';
  const notes =
    change === 'add' && external
      ? [
          'Claude Code asks once, at its next start in this project, whether it may load a file from outside the project.',
          'CLAUDE.local.md is personal: keep it out of git. To load master.md without a question, keep it in the project: mkdir _memory, then synthesize again.',
        ]
      : [];
  return ok({
    json: { ok: true, ...result.value, master: file, home },
    lines: [`${inert(changedFile)} ${outcome} ${inert(file)}`, ...notes.map((note) => `  ${note}`)],
  });
}

function lines(made: SynthesisResult, cli: Cli): string[] {
  const { paint } = cli;
  const sources = `${plural(made.conversations, 'conversation')} (${made.fresh} new), ${plural(made.docs, 'document')}`;
  const shown = made.status === 'planned' ? inert(made.text).trimEnd().split('\n') : made.diff === '' ? [] : diffLines(made.diff, paint);
  return [
    ...shown,
    `${paint.bold(made.status)} ${inert(made.file)}`,
    `  from ${sources}${made.pruned > 0 ? `; ${made.pruned} older items left out` : ''}`,
    ...(made.drift.length > 0 ? [`  ${plural(made.drift.length, 'statement')} no longer match${made.drift.length === 1 ? 'es' : ''} the code`] : []),
  ];
}
