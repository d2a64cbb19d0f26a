import { catchUp } from '../../../../app/index/catch-up.ts';
import { resolveItem } from '../../../../app/read/resolve.ts';
import { shareRecord } from '../../../../app/write/save.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { writtenOutput } from '../../present/written.ts';

export const shareCommand: Command = {
  name: 'share',
  about: 'Moves a record into the repository (.claude/memory/), to commit it with the code; --private moves it back.',
  positionals: 'ID',
  most: 1,
  options: [{ name: 'private', about: 'move it back out of the repository' }],
  examples: [['holdfast share use-sqlite', 'then commit .claude/memory/']],
  run: async (cli, args) => {
    const [id] = args.positionals;
    if (id === undefined) return refuse('USAGE_ERROR', 'share needs the id of a record.', { hint: 'holdfast share --help' });
    const { memory } = await cli.open();
    await catchUp(memory);
    const item = await resolveItem(memory, id);
    if (!item.ok) return item;
    const shared = await shareRecord(
      memory,
      { root: item.value.root, path: item.value.path },
      { actor: cli.actor },
      args.flag('private') ? 'private' : 'shared',
    );
    return shared.ok ? ok(writtenOutput(shared.value, cli.paint, memory)) : shared;
  },
};
