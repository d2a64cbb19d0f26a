import { saveSummary } from '../../../../app/episodes/save-summary.ts';
import { isSynthesisDue, synthesize as makeMaster } from '../../../../app/synthesis/synthesize.ts';
import { ok } from '../../../../core/result.ts';
import { chosenSession } from '../../chosen.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { writtenSaid } from '../../present/written.ts';

export const summarizeCommand: Command = {
  name: 'summarize',
  about: 'Keeps a summary of a session: goal, outcome, what was done and what is open. A session that went on has its summary brought up to date.',
  positionals: '[SESSION]',
  most: 1,
  options: [
    { name: 'transcript', value: 'F', about: 'a transcript that need not be imported' },
    {
      name: 'model',
      value: 'M',
      about:
        'who writes it: none (what was said and done, the default), auto (the model that the settings name), or a model by its name. When the model fails or the daily tokens are spent, it is made without and says so',
    },
    { name: 'dry-run', about: 'only show it' },
  ],
  examples: [
    ['holdfast summarize', 'the last session of this project'],
    ['holdfast summarize 8fd17d3d --dry-run --json', 'the record that would be kept'],
    ['holdfast summarize --transcript session.jsonl', 'into the project it runs in'],
    ['holdfast summarize --model auto', 'in the words of the model that model.drafting and model.name set up'],
  ],
  run: async (cli, args) => {
    const chosen = await chosenSession(cli, args);
    if (!chosen.ok) return chosen;
    const { episode, there } = chosen.value;
    const { memory } = await there.open();
    const made = await (await cli.scribe()).summarize(memory, episode, args.text('model'));
    if (!made.ok) return made;
    const { draft, by, note } = made.value;
    const { sessionId } = episode.facts;
    const more = { session_id: sessionId, by, ...(note !== undefined && { note }) };
    const warnings = note === undefined ? [] : [note];
    if (args.flag('dry-run'))
      return ok({ json: { ok: true, dry_run: true, ...more, record: draft }, lines: [inert(JSON.stringify(draft, undefined, 2))], warnings });
    const written = await saveSummary(memory, sessionId, draft, { actor: 'command' });
    if (!written.ok) return written;
    const said = writtenSaid(written.value, cli.paint);
    const master = (await isSynthesisDue(memory)) ? await makeMaster(memory, { actor: 'command', full: false, state: await there.projectState() }) : undefined;
    return ok({
      ...said,
      json: { ...(said.json as object), ...more, ...(master?.ok && { master: master.value.file }) },
      lines: [...said.lines, ...(master?.ok ? [`  ${master.value.status} ${inert(master.value.file)}, as synthesis.autoAfter says`] : [])],
      warnings: [...warnings, ...(said.warnings ?? [])],
    });
  },
};
