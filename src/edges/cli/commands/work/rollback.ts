import { rollback } from '../../../../app/memory-files/memory-file.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

export const rollbackCommand: Command = {
  name: 'rollback',
  about: 'Restores MEMORY.md from MEMORY.md.bak, as it was before the last update. The files are swapped, so a second rollback undoes the first.',
  positionals: '',
  most: 0,
  options: [],
  examples: [['holdfast rollback', 'undo the last update of MEMORY.md']],
  run: async (cli) => {
    const { file } = await cli.hierarchy();
    const restored = await rollback(file, { actor: cli.actor });
    if (!restored.ok) return restored;
    return ok({ json: { ok: true, ...restored.value }, lines: [`${cli.paint.green('rolled back')} ${inert(restored.value.file)}`] });
  },
};
