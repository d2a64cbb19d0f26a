import { rollback as putBack } from '../../../../app/hierarchy/rollback.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

export const rollbackCommand: Command = {
  name: 'rollback',
  about: 'Puts MEMORY.md back as it was before the last update, from MEMORY.md.bak. The two change places: a second rollback takes the first one back.',
  positionals: '',
  most: 0,
  options: [],
  examples: [['holdfast rollback', 'the last update did no good']],
  run: async (cli) => {
    const { file } = await cli.hierarchy();
    const done = await putBack(file, { actor: 'command' });
    if (!done.ok) return done;
    return ok({ json: { ok: true, ...done.value }, lines: [`${cli.paint.green('rolled back')} ${inert(done.value.file)}`] });
  },
};
