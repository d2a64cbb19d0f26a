import { rebuild as make } from '../../../../app/read/rebuild.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';

export const rebuildCommand: Command = {
  name: 'rebuild',
  about: 'Makes the index, _index.md, _index-archive.md and index.md again from the files.',
  positionals: '',
  most: 0,
  options: [{ name: 'user', about: 'of your own memory' }],
  examples: [['holdfast rebuild', 'after files were changed in bulk, or when doctor says so']],
  run: async (cli, args) => {
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const { records, decisions, analyses, contextFiles, reports, unreadable } = await make(memory, 'command');
    return ok({
      json: { ok: true, entries: records, decisions, analyses, context_files: contextFiles, subagent_outputs: reports, unreadable },
      lines: [
        `Index rebuilt. Found ${decisions} decisions, ${analyses} analyses, ${contextFiles} context files, ${reports} subagent outputs.`,
        `${records} records in all.`,
      ],
      warnings: unreadable.map(({ path, problem }) => `${path} cannot be read and was left alone: ${problem}`),
    });
  },
};
