import { reviewText, summaryFromText } from '../../../../app/episodes/summary-review.ts';
import { saveSummary } from '../../../../app/episodes/save-summary.ts';
import { summarizeAll, unsummarized } from '../../../../app/episodes/summarize-all.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { isSynthesisDue, synthesize as makeMaster } from '../../../../app/synthesis/synthesize.ts';
import type { Draft } from '../../../../core/record/draft.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { trustFrom } from '../../../../core/trust/trust.ts';
import { chosenSession } from '../../choose-session.ts';
import type { Arguments, Cli, Command, CommandContext, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { writtenOutput } from '../../present/written.ts';

export const summarizeCommand: Command = {
  name: 'summarize',
  about:
    'Saves a summary of a session: goal, outcome, what was done and what is open. On a terminal it shows the summary and asks before it saves. Updates the summary of a session that has continued.',
  positionals: '[SESSION]',
  most: 1,
  options: [
    { name: 'all', about: 'summarize every session of the project that has no summary; these count as automatic until you approve them' },
    { name: 'transcript', value: 'F', about: 'read this transcript, which need not be imported' },
    {
      name: 'model',
      value: 'M',
      about:
        'the model that writes it: none (the default: quotes the session), auto (the configured model) or a model name. If the model fails or the daily token limit is reached, the summary is made without a model and says so',
    },
    { name: 'yes', short: 'y', about: 'save without asking' },
    { name: 'dry-run', about: 'only show the summary' },
  ],
  examples: [
    ['holdfast summarize', 'the last session of this project'],
    ['holdfast summarize --all', 'every session without a summary, such as after an import'],
    ['holdfast summarize 8fd17d3d --dry-run --json', 'the record that would be saved'],
    ['holdfast summarize --transcript session.jsonl', 'saved in the current project'],
    ['holdfast summarize --model auto', 'written by the model that model.drafting and model.name configure'],
  ],
  run: async (cli, args) => (args.flag('all') ? everySession(cli, args) : oneSession(cli, args)),
};

async function oneSession(cli: CommandContext, args: Arguments): Promise<CommandResult> {
  const chosen = await chosenSession(cli, args);
  if (!chosen.ok) return chosen;
  const { episode, there } = chosen.value;
  const { memory } = await there.open();
  const made = await (await cli.drafting()).summarize(memory, episode, args.text('model'));
  if (!made.ok) return made;
  const { draft, by, note } = made.value;
  const { sessionId } = episode.facts;
  const more = { session_id: sessionId, by, ...(note !== undefined && { note }) };
  const warnings = note === undefined ? [] : [note];
  if (args.flag('dry-run')) return ok({ json: { ok: true, dry_run: true, ...more, record: draft }, lines: inert(reviewText(draft)).split('\n'), warnings });
  const reviewed = await approved(cli, args, sessionId, draft);
  if (!reviewed.ok) return reviewed;
  if (reviewed.value === undefined) return ok({ json: { ok: true, saved: false, ...more }, lines: ['Not saved.'], warnings });
  const written = await saveSummary(memory, sessionId, reviewed.value, { actor: cli.actor });
  if (!written.ok) return written;
  const output = writtenOutput(written.value, cli.paint, memory);
  const master = await masterIfDue(memory, there);
  return ok({
    ...output,
    json: { ...(output.json as object), ...more, ...(master?.ok && { master: master.value.file }) },
    lines: [...output.lines, ...(master?.ok ? [`  ${master.value.status} ${inert(master.value.file)} (synthesis.autoAfter)`] : [])],
    warnings: [...warnings, ...(output.warnings ?? []), ...(master && !master.ok ? [master.error.message] : [])],
  });
}

const masterIfDue = async (memory: Memory, there: Cli): Promise<Awaited<ReturnType<typeof makeMaster>> | undefined> =>
  (await isSynthesisDue(memory)) ? makeMaster(memory, { actor: 'capture', full: false, state: await there.projectState() }) : undefined;

/** The summary after the user at the terminal has approved or edited it; undefined if they declined. Scripts are not asked. */
async function approved(cli: CommandContext, args: Arguments, sessionId: string, draft: Draft): Promise<Result<Draft | undefined>> {
  const confirmed = (words: Draft): Draft => (cli.caller === 'agent' ? words : { ...words, trust: trustFrom('person') });
  if (cli.caller !== 'person' || args.flag('yes') || args.flag('json')) return ok(args.flag('yes') ? confirmed(draft) : draft);
  const text = reviewText(draft);
  const key = await cli.key(inert(text), 'Save this summary? [y]es [e]dit first [n]o', 'yen');
  if (key === 'n') return ok(undefined);
  if (key === 'y') return ok(confirmed(draft));
  const edited = await cli.edit('summary.md', `${text}\n`);
  if (!edited.ok) return edited;
  if (edited.value === undefined) return ok(confirmed(draft));
  const read = summaryFromText(sessionId, edited.value.text, cli.now());
  if (!read.ok) return read;
  if (read.value === undefined) return refuse('INPUT_ERROR', 'A summary must begin with "# title".', { hint: `your text is in ${edited.value.tempFile}` });
  edited.value.discard?.();
  return ok(confirmed({ ...draft, ...read.value }));
}

async function everySession(cli: CommandContext, args: Arguments): Promise<CommandResult> {
  if (args.positionals.length > 0 || args.text('transcript') !== undefined)
    return refuse('USAGE_ERROR', '--all takes no session and no transcript.', { hint: 'holdfast summarize --help' });
  const { memory } = await cli.open();
  const episodes = await cli.episodes();
  const { without, sessions } = await unsummarized(memory, episodes);
  const question = `${plural(without.length, 'session')} of ${sessions} ${without.length === 1 ? 'has' : 'have'} no summary.`;
  if (without.length === 0 || args.flag('dry-run')) return ok({ json: { ok: true, sessions, without: without.length, saved: 0 }, lines: [question] });
  if (cli.caller === 'person' && !args.flag('yes') && !args.flag('json')) {
    const key = await cli.key(question, 'Summarize them all? They count as automatic until you approve each. [y]es [n]o', 'yn');
    if (key === 'n') return ok({ json: { ok: true, sessions, without: without.length, saved: 0 }, lines: ['Nothing saved.'] });
  }
  const model = args.text('model');
  const made = await summarizeAll(
    memory,
    without,
    { episodes, drafting: await cli.drafting() },
    {
      ...(model !== undefined && { model }),
      ...(cli.progress &&
        !args.flag('quiet') && { onProgress: (done: number, total: number) => cli.progress?.(`Summarizing session ${done + 1} of ${total}`) }),
    },
  );
  return ok({
    json: { ok: made.failed.length === 0, sessions, without: without.length, saved: made.saved, failed: made.failed },
    lines: [`Summarized ${plural(made.saved, 'session')}. Approve one with holdfast summarize SESSION; holdfast synthesize puts them together.`],
    warnings: [...made.notes, ...made.failed],
    ...(made.failed.length > 0 && { exit: 1 }),
  });
}
