import { redactionNotes } from '../../../../app/write/redaction-note.ts';
import { show } from '../../../../app/read/show.ts';
import { recordName } from '../../../../app/recall/entry.ts';
import { replaceText } from '../../../../app/write/edit.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Command, EditorResult } from '../../command.ts';
import { inert } from '../../paint.ts';

export const editCommand: Command = {
  name: 'edit',
  about: 'Opens a record or document in your editor ($VISUAL, $EDITOR) and saves your changes.',
  positionals: 'ID',
  most: 1,
  options: [
    { name: 'input', value: 'FILE', about: 'read the new text from FILE, or from standard input with -, without an editor' },
    { name: 'user', about: 'edit your user memory, not the project' },
  ],
  examples: [
    ['holdfast edit use-sqlite', 'in your editor'],
    ['holdfast show use-sqlite | sed s/MySQL/SQLite/ | holdfast edit use-sqlite --input -', 'from a pipe'],
  ],
  run: async (cli, args) => {
    const [id] = args.positionals;
    if (id === undefined) return refuse('USAGE_ERROR', 'edit needs the id of a record or document.', { hint: 'holdfast edit --help' });
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const shown = await show(memory, id);
    if (!shown.ok) return shown;
    const { item, text, hash } = shown.value;
    const input = args.text('input');
    const name = item.path.slice(item.path.lastIndexOf('/') + 1);
    const changed: Result<(Partial<EditorResult> & Pick<EditorResult, 'text'>) | undefined> =
      input === undefined ? await cli.edit(name, text) : await read(cli.readInput(input));
    if (!changed.ok) return changed;
    if (!changed.value) return ok({ json: { ok: true, status: 'unchanged', id: recordName(item) }, lines: ['No changes.'] });
    const edited = await replaceText(memory, { root: item.root, path: item.path }, changed.value.text, hash, { actor: cli.actor });
    if (!edited.ok)
      return changed.value.tempFile === undefined
        ? edited
        : refuse(edited.error.code, edited.error.message, { ...edited.error, hint: `your text is in ${changed.value.tempFile}` });
    changed.value.discard?.();
    const { status, file, hash: next, redactions, warnings } = edited.value;
    return ok({
      json: { ok: true, status, id: recordName(item), file, hash: next, ...(redactions.length > 0 && { redactions }) },
      lines: [`${cli.paint.green(status)} ${cli.paint.bold(inert(recordName(item)))}`, `  ${cli.paint.dim(inert(file))}`],
      warnings: [...warnings, ...redactionNotes(redactions)],
    });
  },
};

async function read(input: Promise<Result<string>>): Promise<Result<{ readonly text: string }>> {
  const text = await input;
  return text.ok ? ok({ text: text.value }) : text;
}
