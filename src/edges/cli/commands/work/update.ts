import { updateAfterSession } from '../../../../app/hierarchy/after-session.ts';
import type { Hierarchy } from '../../../../app/hierarchy/hierarchy.ts';
import { type SessionNotes, summaryText } from '../../../../app/hierarchy/summary.ts';
import { shouldUpdate, type Updated, updateMemory } from '../../../../app/hierarchy/update.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, Cli, Command, Outcome, Said } from '../../command.ts';
import { inert } from '../../paint.ts';

export const updateCommand: Command = {
  name: 'update',
  about:
    'Puts what a session did on top of MEMORY.md: what is given here, or the summary that was kept of it. The text before is in MEMORY.md.bak; what no longer fits moves to a session log.',
  positionals: '[SESSION]',
  most: 1,
  options: [
    { name: 'decision', value: 'D', many: true, about: 'a key decision, with its reason; may be given again' },
    { name: 'file', value: 'F', many: true, about: 'a file that was modified; may be given again' },
    { name: 'pattern', value: 'P', many: true, about: 'a pattern that was established; may be given again' },
    { name: 'issue', value: 'I', many: true, about: 'an issue or a note; may be given again' },
    { name: 'done', value: 'T', many: true, about: 'a finished task, kept in the session log; may be given again' },
    { name: 'auto', about: 'as the end of a session would: only with enough finished tasks, and where autoUpdate allows it' },
    { name: 'significant', about: 'with --auto: however few tasks there were' },
  ],
  examples: [
    ['holdfast update --decision "Use JWT: no session store" --file src/auth.ts --done "Auth module"', 'said by hand'],
    ['holdfast update --auto --done "T1" --done "T2" --significant --decision "Split the API"', 'as a script at the end of a session'],
  ],
  run: async (cli, args) => {
    const session = args.positionals[0];
    const hierarchy = await cli.hierarchy();
    const notes = notesOf(args);
    if (Object.values(notes).some((items) => items.length > 0)) return byHand(cli, args, hierarchy, notes, session);
    if (session === undefined)
      return refuse('USAGE_ERROR', 'update with what? Name a session that has a summary, or say what it did', { hint: 'holdfast update --help' });
    const done = await updateAfterSession(hierarchy.memory, hierarchy.file, { actor: 'command', sessionId: session, force: !args.flag('auto') });
    if (done.updated) return ok(said(cli, done.update));
    if ('missing' in done) return refuse('NOT_FOUND', done.because, { missing: true, hint: `holdfast summarize ${session} makes one` });
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

async function byHand(cli: Cli, args: Arguments, { memory, file }: Hierarchy, notes: Required<SessionNotes>, session: string | undefined): Promise<Outcome> {
  if (args.flag('auto')) {
    const off = (['enabled', 'autoUpdate'] as const).find((key) => !memory.config.get(key));
    if (off !== undefined) return ok(notUpdated(`${off} is false`));
    const [tasks, threshold] = [notes.taskSummaries.length, file.settings.updateThreshold];
    if (!shouldUpdate(tasks, args.flag('significant'), threshold)) return ok(notUpdated(`${tasks} finished tasks, and updateThreshold is ${threshold}`));
  }
  const summary = summaryText(notes, cli.now());
  const done = await updateMemory(file, { actor: 'command', summary, tasks: notes.taskSummaries, ...(session !== undefined && { sessionId: session }) });
  return ok(said(cli, done));
}

const notUpdated = (because: string): Said => ({ json: { ok: true, updated: false, because }, lines: [`not updated: ${because}`] });

function said({ paint }: Cli, done: Updated): Said {
  return {
    json: { ok: true, updated: true, ...done },
    lines: [
      `${paint.green('updated')} ${inert(done.file)}  ${paint.dim(`${done.characters} characters`)}`,
      ...done.logs.map((log) => `  ${paint.dim(inert(log))}`),
      ...done.notices.map((notice) => `  ${inert(notice)}`),
    ],
    warnings: done.redactions.length === 0 ? [] : [`kept from the disk: ${done.redactions.join(', ')}`],
  };
}
