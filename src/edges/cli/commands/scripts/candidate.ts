import { candidateFor, rootAtFolder } from '../../../../app/write/target.ts';
import { ok, refuse } from '../../../../core/result.ts';
import { categoryOption } from '../../record-options.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

export const candidateCommand: Command = {
  name: 'candidate',
  about: 'Finds the active record that new information belongs to, and says whether to create a record or update one.',
  positionals: '',
  most: 0,
  options: [
    { name: 'category', value: 'C', about: 'the category to look in' },
    { name: 'new-info', value: 'TEXT', about: 'the information; - reads standard input' },
    { name: 'root', value: 'DIR', about: 'look only in this folder of records, such as .claude/memory' },
    { name: 'lifecycle-event', value: 'E', about: 'resolved, removed, reversed, superseded or deprecated' },
  ],
  examples: [['holdfast candidate --category decision --new-info "we moved from SQLite to PostgreSQL" --json', 'before drafting']],
  run: async (cli, args) => {
    const category = categoryOption(args, 'candidate');
    const newInfo = args.text('new-info');
    if (!category.ok) return category;
    if (newInfo === undefined) return refuse('USAGE_ERROR', 'candidate needs --new-info.', { hint: 'holdfast candidate --help' });
    const info = newInfo === '-' ? await cli.readInput('-') : ok(newInfo);
    if (!info.ok) return info;
    const { memory } = await cli.open();
    const folder = args.text('root');
    const root = folder === undefined ? ok(undefined) : rootAtFolder(memory, folder);
    if (!root.ok) return root;
    const answer = await candidateFor(memory, category.value, info.value, args.text('lifecycle-event'), root.value);
    if (!answer.ok) return answer;
    const { candidate: found, structural_cud: structural, hints } = answer.value;
    return ok({
      json: answer.value,
      lines: [
        `${cli.paint.bold(structural)}${found ? `  ${inert(found.path)}  ${inert(found.title)}` : ''}`,
        ...hints.map((hint) => `  ${cli.paint.dim(hint)}`),
      ],
    });
  },
};
