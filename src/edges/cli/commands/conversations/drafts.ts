import type { DraftOutcome } from '../../../../app/drafting/outcome.ts';
import type { StagedCategory, StagedWork } from '../../../../app/drafting/stage.ts';
import { GIT } from '../../../../core/episode/episode.ts';
import type { Draft } from '../../../../core/record/draft.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { chosenSession } from '../../choose-session.ts';
import type { Arguments, Cli, Command, CommandResult, CommandOutput, CommandContext } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';

const MOST_SESSIONS = 100_000;

export const draftsCommand: Command = {
  name: 'drafts',
  about:
    'Drafts records from a session. Without a model, the drafts quote the session: rules that you typed, options that you chose, and limits that were named. With a model, it drafts what triage finds and verifies each draft. An agent can draft by itself between --stage and --staged.',
  positionals: '[SESSION]',
  most: 1,
  options: [
    { name: 'transcript', value: 'F', about: 'read this transcript, which need not be imported' },
    { name: 'all', about: 'with --save: from every session of the project, oldest first' },
    { name: 'save', about: 'save the drafts; a second run saves no duplicates' },
    { name: 'model', value: 'M', about: 'with --save: the model that writes and verifies; auto uses the configured one' },
    { name: 'stage', about: 'write context files for the agent’s own drafters and print where to put drafts and verdicts' },
    { name: 'staged', about: 'verify and save every staged draft that passed' },
    { name: 'draft', value: 'PATH', many: true, about: 'with --staged: only this draft; repeatable' },
  ],
  examples: [
    ['holdfast drafts', 'drafts from the last session of this project'],
    ['holdfast drafts --transcript session.jsonl --save', 'save without a model'],
    ['holdfast drafts --all --save', 'every session of the project, such as after an import'],
    ['holdfast drafts 8fd17d3d --save --model auto', 'written by one model, verified by another'],
    ['holdfast drafts 8fd17d3d --stage --json', 'for an agent: context files, candidates, models, names of drafts'],
    ['holdfast drafts 8fd17d3d --staged', 'for an agent: save what passed'],
  ],
  run: async (cli, args) => {
    const wanted = ['save', 'stage', 'staged'].filter((name) => args.flag(name));
    if (wanted.length > 1) return refuse('USAGE_ERROR', `Use only one of --${wanted.join(' and --')}.`, { hint: 'holdfast drafts --help' });
    if (args.text('model') !== undefined && !args.flag('save')) return refuse('USAGE_ERROR', '--model needs --save.', { hint: 'holdfast drafts --help' });
    if (args.texts('draft').length > 0 && !args.flag('staged')) return refuse('USAGE_ERROR', '--draft needs --staged.', { hint: 'holdfast drafts --help' });
    if (args.flag('all')) return fromEverySession(cli, args);
    return args.flag('staged') ? saveStaged(cli, args) : fromSession(cli, args);
  },
};

async function fromSession(cli: CommandContext, args: Arguments): Promise<CommandResult> {
  const chosen = await chosenSession(cli, args);
  if (!chosen.ok) return chosen;
  const { episode, there } = chosen.value;
  const { memory } = await there.open();
  const drafting = await cli.drafting();
  const id = { session_id: episode.facts.sessionId };
  if (args.flag('stage')) return ok(stagedOutput(await drafting.stage(memory, episode), id, cli));
  if (!args.flag('save')) return ok(shown(drafting.extract(memory, episode), id, cli));
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const word = args.text('model') ?? 'none';
  const outcomes: Result<readonly DraftOutcome[]> =
    word === 'none' ? ok(await drafting.saveExtracted(memory, episode, say)) : await drafting.draft(memory, episode, word, say);
  return outcomes.ok ? ok(outcomesOutput(outcomes.value, lines, id, cli)) : outcomes;
}

/** Drafts from all sessions, oldest first, so that later statements win. */
async function fromEverySession(cli: CommandContext, args: Arguments): Promise<CommandResult> {
  if (!args.flag('save') || args.positionals.length > 0 || args.text('transcript') !== undefined)
    return refuse('USAGE_ERROR', '--all needs --save, and takes no session and no transcript.', { hint: 'holdfast drafts --all --save' });
  const { memory } = await cli.open();
  const [drafting, episodes] = [await cli.drafting(), await cli.episodes()];
  const word = args.text('model') ?? 'none';
  const sessions = (await episodes.recent(MOST_SESSIONS, memory.key)).filter(({ facts }) => facts.client !== GIT).toReversed();
  const all: DraftOutcome[] = [];
  const lines: string[] = [];
  for (const [at, { facts }] of sessions.entries()) {
    if (!args.flag('quiet')) cli.progress?.(`Drafting from session ${at + 1} of ${sessions.length}`);
    const found = await episodes.find(facts.sessionId);
    if (!found.ok) {
      lines.push(`${facts.sessionId}: ${found.error.message}`);
      continue;
    }
    const { episode } = found.value;
    const say = (line: string): void => void lines.push(line);
    const outcomes = word === 'none' ? ok(await drafting.saveExtracted(memory, episode, say)) : await drafting.draft(memory, episode, word, say);
    if (!outcomes.ok) return outcomes;
    all.push(...outcomes.value);
  }
  const output = outcomesOutput(
    all.filter(({ status }) => status !== 'nothing'),
    lines,
    { sessions: sessions.length },
    cli,
  );
  return ok({
    ...output,
    lines: [...output.lines, `${plural(sessions.length, 'session')} read. Review what was saved with holdfast inbox.`],
  });
}

async function saveStaged(cli: CommandContext, args: Arguments): Promise<CommandResult> {
  if (args.text('transcript') !== undefined) return refuse('USAGE_ERROR', '--staged reads no transcript.', { hint: 'name the session instead' });
  const [session] = args.positionals;
  const named = session === undefined ? undefined : await (await cli.episodes()).choose({ session });
  // A running session need not be imported: its folder of drafts is found by its id.
  const found = named?.ok ? named.value : undefined;
  const sessionId = found?.episode.facts.sessionId ?? session;
  const { memory } = await (found?.project === undefined ? cli : cli.elsewhere(found.project)).open();
  const lines: string[] = [];
  const paths = args.texts('draft');
  const outcomes = await (
    await cli.drafting()
  ).saveStaged(memory, {
    ...(sessionId !== undefined && { sessionId }),
    ...(paths.length > 0 && { drafts: paths }),
    say: (line) => lines.push(line),
  });
  return outcomes.ok ? ok(outcomesOutput(outcomes.value, lines, sessionId === undefined ? {} : { session_id: sessionId }, cli)) : outcomes;
}

function shown(found: readonly Draft[], id: object, { paint }: Cli): CommandOutput {
  const line = (draft: Draft): string =>
    `${paint.bold(String(draft['category']).padEnd(11))} ${inert(String(draft['title']))}${draft['trust'] === 'quarantined' ? paint.yellow('  quarantined') : ''}`;
  return {
    json: { ok: true, ...id, drafts: found },
    lines: found.length === 0 ? ['Nothing in this session is worth a record.'] : [...found.map(line), paint.dim('Save them with --save.')],
  };
}

function outcomesOutput(outcomes: readonly DraftOutcome[], lines: readonly string[], id: object, { paint }: Cli): CommandOutput {
  const isBad = outcomes.some(({ status }) => status === 'failed');
  const line = ({ category, status, action, justification, id: record, issues }: DraftOutcome): string => {
    const mark = status === 'saved' ? paint.green(action.toLowerCase()) : status === 'failed' ? paint.red('failed') : paint.dim(status);
    const words = status === 'blocked' ? issues.join('; ') : justification;
    return `${mark} ${paint.bold(record === undefined ? category : `${category}/${record}`)}  ${inert(words)}`;
  };
  return {
    json: { ok: !isBad, ...id, outcomes, said: lines },
    lines: outcomes.length === 0 ? ['Nothing to save.'] : outcomes.map(line),
    warnings: outcomes.flatMap(({ category, status, issues, warnings }) => [
      ...warnings,
      ...(status === 'saved' ? issues.map((issue) => `${category}: ${issue}`) : []),
    ]),
    ...(isBad && { exit: 1 }),
  };
}

const stagedJson = (one: StagedCategory): object => ({
  category: one.category,
  score: one.score,
  context_file: one.contextFile,
  model: one.model,
  vetoes: one.vetoes,
  pre_action: one.preAction,
  structural_cud: one.structural,
  ...(one.candidate !== undefined && { candidate: one.candidate }),
  draft_file: one.draftFile,
  verdict_file: one.verdictFile,
});

function stagedOutput(work: StagedWork, id: object, { paint }: Cli): CommandOutput {
  const { folder, categories, verificationModel, parallel, block, warnings } = work;
  return {
    json: { ok: true, ...id, folder, parallel, verification_model: verificationModel, categories: categories.map(stagedJson), triage_data: block },
    lines: categories.length === 0 ? ['Nothing to draft.'] : categories.map((one) => `${paint.bold(one.category.padEnd(16))} ${inert(one.contextFile)}`),
    warnings,
  };
}
