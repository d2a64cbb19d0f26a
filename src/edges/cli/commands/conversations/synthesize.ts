import { masterPlace, synthesize as makeMaster, type Synthesized } from '../../../../app/synthesis/synthesize.ts';
import { ok, type Result } from '../../../../core/result.ts';
import type { Cli, Command, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';

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
    { name: 'dry-run', about: 'only show the result' },
    { name: 'import', value: 'add|remove', choices: ['add', 'remove'], about: 'add the line that loads master.md to CLAUDE.md, or remove it' },
  ],
  examples: [
    ['holdfast synthesize', 'add the summaries since the last time, and show what changed'],
    ['holdfast synthesize --full', 'start over from everything'],
    ['holdfast synthesize --scope frontend', 'a master file for one part of the project'],
    ['holdfast synthesize --import add', 'Claude Code loads it at every start, which costs its tokens each time'],
  ],
  run: async (cli, args): Promise<CommandResult> => {
    const { memory, project } = await cli.open();
    const scope = args.text('scope');
    const wish = args.text('import');
    if (wish === 'add' || wish === 'remove') return changeLine(cli, memory.store.absolute(masterPlace(memory, scope)), project?.home, wish);
    const model = args.text('model') ?? 'none';
    const drafting = model === 'none' ? undefined : await cli.drafting();
    const made = await makeMaster(memory, {
      actor: 'command',
      state: await cli.projectState(),
      full: args.flag('full'),
      dryRun: args.flag('dry-run'),
      ...(scope !== undefined && { scope }),
      ...(drafting && { rewrite: (asked) => drafting.ask(memory, model, asked) }),
    });
    if (!made.ok) return made;
    return ok({ json: { ok: true, ...made.value }, lines: lines(made.value, cli), warnings: made.value.warnings });
  },
};

async function changeLine(cli: Cli, file: string, home: string | undefined, wish: 'add' | 'remove'): Promise<Result<{ json: object; lines: string[] }>> {
  const made = await cli.masterImport(file, wish);
  if (!made.ok) return made;
  const changed = made.value;
  const said = wish === 'add' ? (changed.changed ? 'loads' : 'loaded already') : changed.changed ? 'no longer loads' : 'did not load';
  return ok({ json: { ok: true, ...changed, master: file, home }, lines: [`${inert(changed.file)} ${said} ${inert(file)}`] });
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function lines(made: Synthesized, { paint }: Cli): string[] {
  const painted = made.diff
    .split('\n')
    .map((row) => (/^\+(?!\+\+)/.test(row) ? paint.green(inert(row)) : /^-(?!--)/.test(row) ? paint.red(inert(row)) : inert(row)));
  const sources = `${plural(made.conversations, 'conversation')} (${made.fresh} new), ${plural(made.docs, 'document')}`;
  const shown = made.status === 'planned' ? inert(made.text).trimEnd().split('\n') : made.diff === '' ? [] : painted;
  return [
    ...shown,
    `${paint.bold(made.status)} ${inert(made.file)}`,
    `  from ${sources}${made.pruned > 0 ? `; ${made.pruned} older items left out` : ''}`,
    ...(made.drift.length > 0 ? [`  ${plural(made.drift.length, 'statement')} no longer match${made.drift.length === 1 ? 'es' : ''} the code`] : []),
  ];
}
