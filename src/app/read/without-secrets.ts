import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import { redact } from '../../core/redact/text.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { parseStored } from '../index/item.ts';
import { roleOf } from '../memory/layout.ts';

/** The text of a file without its secrets, for export; a record stays a valid record. */
export function textWithoutSecrets(file: StoredFile): string {
  const { text, redactions: found } = redact(file.text);
  const role = roleOf(file);
  if (role.role !== 'record') return text;
  const parsed = parseStored(file, role.category);
  if (!parsed.ok || (found.length === 0 && parsed.value.secrets.length === 0)) return text;
  const { record, layout } = parsed.value;
  return redactedIfReadable(file, renderRecordFile(file.path, record, layout)) ?? renderRecordFile(file.path, record);
}

/** The redacted file with text that a person added beside the fields; undefined if redacting makes it unreadable. */
function redactedIfReadable(place: FileRef, rendered: string): string | undefined {
  const { text } = redact(rendered);
  const role = roleOf(place);
  if (role.role !== 'record') return text;
  const again = parseStored({ ...place, text, hash: '', mtimeMs: 0, size: text.length }, role.category);
  return again.ok && again.value.secrets.length === 0 ? text : undefined;
}
