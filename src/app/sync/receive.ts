import { TEXT_CHARACTERS } from '../../core/limits.ts';
import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import type { FileRef, RootName } from '../../core/ports/store.ts';
import type { RemoteVersion, VersionCodec } from '../../core/ports/team/sync.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { checkSource } from '../../render/record.ts';
import { parseStored } from '../index/item.ts';
import { syncedRole } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** A received version that may be written. */
export interface ReceivedText {
  readonly place: FileRef;
  readonly text: string;
  /** Absent for a document. */
  readonly record?: MemoryRecord;
}

/** Characters and names that some system does not accept in a file name. */
const UNSAFE = /[\\:*?"<>|\u0000-\u001f\u007f]/;

/** Checks a text from a server as untrusted input: path, hash, form, secrets. */
export async function checkReceived(memory: Memory, root: RootName, version: RemoteVersion, codec: VersionCodec): Promise<Result<ReceivedText>> {
  const unpacked = codec.unpack(version.body ?? '');
  if (!unpacked.ok) return unpacked;
  const { path, text } = unpacked.value;
  if (UNSAFE.test(path) || codec.idOf(path) !== version.id) return refuse('PATH_ERROR', 'A version from the server has a path that does not match its id.');
  if (codec.hashOf(path, text) !== version.hash) return refuse('VALIDATION_ERROR', `${path} from the server does not match its hash.`);
  const located = await memory.store.locate(root, path);
  if (!located.ok) return located;
  const role = syncedRole(located.value);
  if (located.value.path !== path || role.role === 'other') return refuse('PATH_ERROR', `${path} is not the file of a record or document.`);
  if (text.length > TEXT_CHARACTERS || hasConflictMarkers(text)) return refuse('VALIDATION_ERROR', `${path} from the server is not a readable record.`);
  const clean = redact(text).text;
  if (role.role === 'document') {
    const checked = checkSource(clean);
    if (!checked.ok) return refuse('VALIDATION_ERROR', `${path} from the server is not a readable document: ${checked.error.message}`);
    return ok({ place: located.value, text: clean });
  }
  const parsed = parseStored({ ...located.value, text: clean, hash: '', mtimeMs: memory.now(), size: clean.length }, role.category);
  if (!parsed.ok) return refuse('VALIDATION_ERROR', `${path} from the server is not a readable record: ${parsed.error.message}`);
  return ok({ place: located.value, text: clean, record: parsed.value.record });
}
