import { saveSummary } from '../../../../app/episodes/save-summary.ts';
import { isSynthesisDue, synthesize as makeMaster } from '../../../../app/synthesis/synthesize.ts';
import { ok } from '../../../../core/result.ts';
import { chosenSession } from '../../choose-session.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { writtenOutput } from '../../present/written.ts';

export const summarizeCommand: Command = {
  name: 'summarize',
  about: 'Saves a summary of a session: goal, outcome, what was done and what is open. Updates the summary of a session that has continued.',
  positionals: '[SESSION]',
  most: 1,
  options: [
    { name: 'transcript', value: 'F', about: 'read this transcript, which need not be imported' },
    {
      name: 'model',
      value: 'M',
      about:
        'the model that writes it: none (the default: quotes the session), auto (the configured model) or a model name. If the model fails or the daily token limit is reached, the summary is made without a model and says so',
    },
    { name: 'dry-run', about: 'only show the summary' },
  ],
  examples: [
    ['holdfast summarize', 'the last session of this project'],
    ['holdfast summarize 8fd17d3d --dry-run --json', 'the record that would be saved'],
    ['holdfast summarize --transcript session.jsonl', 'saved in the current project'],
    ['holdfast summarize --model auto', 'written by the model that model.drafting and model.name configure'],
  ],
  run: async (cli, args) => {
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
    if (args.flag('dry-run'))
      return ok({ json: { ok: true, dry_run: true, ...more, record: draft }, lines: [inert(JSON.stringify(draft, undefined, 2))], warnings });
    const written = await saveSummary(memory, sessionId, draft, { actor: 'command' });
    if (!written.ok) return written;
    const said = writtenOutput(written.value, cli.paint, memory);
    const master = (await isSynthesisDue(memory)) ? await makeMaster(memory, { actor: 'capture', full: false, state: await there.projectState() }) : undefined;
    return ok({
      ...said,
      json: { ...(said.json as object), ...more, ...(master?.ok && { master: master.value.file }) },
      lines: [...said.lines, ...(master?.ok ? [`  ${master.value.status} ${inert(master.value.file)} (synthesis.autoAfter)`] : [])],
      warnings: [...warnings, ...(said.warnings ?? []), ...(master && !master.ok ? [master.error.message] : [])],
    });
  },
};
