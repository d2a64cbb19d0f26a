import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import { redact } from '../../core/redact/text.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { parseStored } from '../index/item.ts';
import { roleOf } from '../memory/layout.ts';

/** The text of a file without its secrets, for files that leave the memory: a record among them can still be read as one. */
export function textWithoutSecrets(file: StoredFile): string {
  const { text, redactions: found } = redact(file.text);
  const role = roleOf(file);
  if (role.role !== 'record') return text;
  const parsed = parseStored(file, role.category);
  if (!parsed.ok || (found.length === 0 && parsed.value.secrets.length === 0)) return text;
  const { record, layout } = parsed.value;
  return withoutSecrets(file, renderRecordFile(file.path, record, layout)) ?? renderRecordFile(file.path, record);
}

/** Text that a person added beside a record's fields stays, unless redacting it makes the file unreadable. */
function withoutSecrets(place: FileRef, rendered: string): string | undefined {
  const { text } = redact(rendered);
  const role = roleOf(place);
  if (role.role !== 'record') return text;
  const again = parseStored({ ...place, text, hash: '', mtimeMs: 0, size: text.length }, role.category);
  return again.ok && again.value.secrets.length === 0 ? text : undefined;
}
