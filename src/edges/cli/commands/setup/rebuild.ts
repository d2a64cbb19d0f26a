import { rebuild } from '../../../../app/read/rebuild.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';

export const rebuildCommand: Command = {
  name: 'rebuild',
  about: 'Rebuilds the index, _index.md, _index-archive.md and index.md from the files.',
  positionals: '',
  most: 0,
  options: [{ name: 'user', about: 'rebuild your user memory' }],
  examples: [['holdfast rebuild', 'after many manual edits, or if doctor says so']],
  run: async (cli, args) => {
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const { records, decisions, analyses, contextFiles, reports, unreadable } = await rebuild(memory, 'command');
    return ok({
      json: { ok: true, entries: records, decisions, analyses, context_files: contextFiles, subagent_outputs: reports, unreadable },
      lines: [
        `Index rebuilt. Found ${decisions} decisions, ${analyses} analyses, ${contextFiles} context files, ${reports} subagent outputs.`,
        `${records} records in total.`,
      ],
      warnings: unreadable.map(({ path, problem }) => `Skipped ${path}, which cannot be read: ${problem}`),
    });
  },
};
