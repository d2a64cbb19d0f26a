import { redactionNotes } from '../../../app/write/redaction-note.ts';
import type { Written } from '../../../app/write/written.ts';
import type { Paint, CommandOutput } from '../command.ts';
import { inert } from '../paint.ts';

/** The result of a write as JSON and as text. */
export function writtenOutput(written: Written, paint: Paint): CommandOutput {
  const { status, record, place, file, hash, redactions, reason, retired, renamedFrom, warnings } = written;
  return {
    json: {
      ok: true,
      status,
      id: record.id,
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
    lines: [`${paint.green(status)} ${paint.bold(`${record.category}/${record.id}`)}  ${inert(record.title)}`, `  ${paint.dim(inert(file))}`],
    warnings: [...warnings, ...redactionNotes(redactions)],
  };
}
