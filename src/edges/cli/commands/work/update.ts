import { updateAfterSession } from '../../../../app/memory-files/after-session.ts';
import type { Hierarchy } from '../../../../app/memory-files/layers.ts';
import { type SessionNotes, summaryText } from '../../../../app/memory-files/session-notes.ts';
import { shouldUpdate, type Updated, updateMemory } from '../../../../app/memory-files/update.ts';
import { redactionNotes } from '../../../../app/write/redaction-note.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, Cli, Command, CommandResult, CommandOutput } from '../../command.ts';
import { inert } from '../../paint.ts';

export const updateCommand: Command = {
  name: 'update',
  about:
    'Adds what a session did to the top of MEMORY.md: the given items, or its saved summary. The previous text is in MEMORY.md.bak; what no longer fits moves to a session log.',
  positionals: '[SESSION]',
  most: 1,
  options: [
    { name: 'decision', value: 'D', many: true, about: 'a key decision, with its reason; repeatable' },
    { name: 'file', value: 'F', many: true, about: 'a modified file; repeatable' },
    { name: 'pattern', value: 'P', many: true, about: 'an established pattern; repeatable' },
    { name: 'issue', value: 'I', many: true, about: 'an issue or a note; repeatable' },
    { name: 'done', value: 'T', many: true, about: 'a finished task, saved in the session log; repeatable' },
    { name: 'auto', about: 'update only if enough tasks are finished and autoUpdate is on, as at the end of a session' },
    { name: 'significant', about: 'with --auto: update however few tasks are finished' },
  ],
  examples: [
    ['holdfast update --decision "Use JWT: no session store" --file src/auth.ts --done "Auth module"', 'with given items'],
    ['holdfast update --auto --done "T1" --done "T2" --significant --decision "Split the API"', 'for a script at the end of a session'],
  ],
  run: async (cli, args) => {
    const session = args.positionals[0];
    const hierarchy = await cli.hierarchy();
    const notes = notesOf(args);
    if (Object.values(notes).some((items) => items.length > 0)) return updateFromOptions(cli, args, hierarchy, notes, session);
    if (session === undefined)
      return refuse('USAGE_ERROR', 'update needs a session with a saved summary, or at least one item such as --decision.', { hint: 'holdfast update --help' });
    const done = await updateAfterSession(hierarchy.memory, hierarchy.file, { actor: cli.actor, sessionId: session, force: !args.flag('auto') });
    if (done.updated) return ok(updateOutput(cli, done.update));
    if ('missing' in done) return refuse('NOT_FOUND', done.because, { missing: true, hint: `save one with holdfast summarize ${session}` });
    return ok(notUpdated(done.because));
  },
};

const notesOf = (args: Arguments): Required<SessionNotes> => ({
  taskSummaries: args.texts('done'),
  filesModified: args.texts('file'),
  decisions: args.texts('decision'),
  patterns: args.texts('pattern'),
  issues: args.texts('issue'),
});

async function updateFromOptions(
  cli: Cli,
  args: Arguments,
  { memory, file }: Hierarchy,
  notes: Required<SessionNotes>,
  session: string | undefined,
): Promise<CommandResult> {
  if (args.flag('auto')) {
    const disabledBy = (['enabled', 'autoUpdate'] as const).find((key) => !memory.config.get(key));
    if (disabledBy !== undefined) return ok(notUpdated(`${disabledBy} is false`));
    const [tasks, threshold] = [notes.taskSummaries.length, file.settings.updateThreshold];
    if (!shouldUpdate(tasks, args.flag('significant'), threshold)) return ok(notUpdated(`${tasks} finished tasks, updateThreshold is ${threshold}`));
  }
  const summary = summaryText(notes, cli.now());
  const done = await updateMemory(file, { actor: cli.actor, summary, tasks: notes.taskSummaries, ...(session !== undefined && { sessionId: session }) });
  return ok(updateOutput(cli, done));
}

const notUpdated = (because: string): CommandOutput => ({ json: { ok: true, updated: false, because }, lines: [`Not updated: ${because}`] });

function updateOutput({ paint }: Cli, done: Updated): CommandOutput {
  return {
    json: { ok: true, updated: true, ...done },
    lines: [
      `${paint.green('updated')} ${inert(done.file)}  ${paint.dim(`${done.characters} characters`)}`,
      ...done.logs.map((log) => `  ${paint.dim(inert(log))}`),
      ...done.notices.map((notice) => `  ${inert(notice)}`),
    ],
    warnings: redactionNotes(done.redactions.map((kind) => ({ kind, field: 'text' }))),
  };
}
