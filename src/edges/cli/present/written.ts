import type { Memory } from '../../../app/memory/memory.ts';
import { shortId } from '../../../app/read/resolve.ts';
import { recordName } from '../../../app/recall/entry.ts';
import { redactionNotes } from '../../../app/write/redaction-note.ts';
import { announcementLines, type Written } from '../../../app/write/written.ts';
import { ok } from '../../../core/result.ts';
import type { Paint, CommandOutput, CommandResult } from '../command.ts';
import { inert } from '../paint.ts';
import type { FileWithText } from '../../../core/ports/text-sweep.ts';

/** The result of a write as JSON and as text. */
export function writtenOutput(written: Written, paint: Paint, memory: Memory): CommandOutput {
  const { status, record, place, file, hash, redactions, reason, retired, renamedFrom, warnings } = written;
  const [name, short] = [recordName(record), shortId(memory, record)];
  return {
    json: {
      ok: true,
      status,
      id: name,
      short_id: short,
      category: record.category,
      title: record.title,
      target: place.path,
      root: place.root,
      file,
      hash,
      times_updated: record.times_updated ?? 0,
      ...(reason !== undefined && { reason }),
      ...(retired && { retired }),
      ...(renamedFrom !== undefined && { renamed_from: renamedFrom }),
      ...(redactions.length > 0 && { redactions }),
      ...(warnings.length > 0 && { warnings }),
    },
    lines: [
      ...announcementLines(written).map(inert),
      `${paint.green(status.replaceAll('_', ' '))} ${paint.bold(name)} ${paint.dim(`(${short})`)}  ${inert(record.title)}`,
      `  ${paint.dim(inert(file))}`,
    ],
    warnings: [...warnings, ...redactionNotes(redactions)],
  };
}

/** The user declined: no error, but exit code 1 shows a script that nothing happened. */
export const declined = (message: string): CommandResult => ok({ json: { ok: false, message }, lines: [message], exit: 1 });

const OWNERS: Readonly<Record<FileWithText['owner'], string>> = {
  memory: 'a record or document of yours says the same; forget or edit it too',
  holdfast: 'another process may still use it; run the command again when your sessions have ended',
  client: 'a file of your client; --transcripts takes the text out of it too',
};

/** Files that still contain the text, each with a way to remove it. */
export const heldLines = (held: readonly FileWithText[]): readonly string[] => held.map(({ file, owner }) => `still in ${inert(file)}: ${OWNERS[owner]}`);

export const heldJson = ({ file, owner, sentences }: FileWithText): unknown => ({ file, owner, sentences: sentences.length });
