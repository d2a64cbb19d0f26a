import type { FileRef } from '../../core/ports/store.ts';
import { isQuarantined, trustFrom } from '../../core/trust/trust.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { parseStored } from '../index/item.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import { journalName, type Writing } from '../write/transaction.ts';
import type { GuardVerdict } from './guard.ts';

/** Judges a file that was written past the guard. An invalid record is set aside, never deleted. */
export type AfterWrite = GuardVerdict & { readonly setAside?: string };

export async function judgeWritten(memory: Memory, place: FileRef): Promise<AfterWrite> {
  const role = roleOf(place);
  if (place.path === 'memory-config.json' || role.role === 'document') return { permission: 'none' };
  if (role.role === 'other') return { permission: 'deny', reason: `${place.path} is not a file of the memory; records are saved with holdfast save` };
  const stored = await memory.store.read(place);
  if (!stored) return { permission: 'none' };
  const parsed = parseStored(stored, role.category);
  const wrong = !parsed.ok
    ? parsed.error.message
    : parsed.value.record.category === role.category
      ? undefined
      : `it says that it is a ${parsed.value.record.category} and lies in the folder of ${role.category}`;
  if (wrong === undefined) return { permission: 'none', reason: `${place.path} was written directly; next time use holdfast write` };
  return {
    permission: 'deny',
    reason: `${place.path} is not a valid record: ${wrong}`,
    setAside: `${place.path}.invalid.${Math.floor(memory.now() / 1000)}`,
  };
}

/** Settles a record that an agent wrote past the writer: an invalid one is set aside, another quarantined. Returns what to tell the agent. */
export async function settleWritten(memory: Memory, write: Writing, { root, path }: FileRef): Promise<string | undefined> {
  const { reason = '', setAside } = await judgeWritten(memory, { root, path });
  const stored = await memory.store.read({ root, path });
  if (setAside !== undefined && stored) {
    await write.apply({ root, path: setAside, text: stored.text, op: 'rename', from: path });
    await write.apply({ root, path, op: 'rename' });
    return `${reason}. It was set aside as ${setAside}.`;
  }
  const current = await currentRecord(memory, { root, path });
  if (!current.ok || isQuarantined(current.value.record.trust)) return undefined;
  const { record, asWritten, layout } = current.value;
  const text = renderRecordFile(path, { ...asWritten, trust: trustFrom('agent-file-write') }, layout);
  await write.apply({ root, path, text, op: 'update', ...journalName(record) });
  return `${path} was written past Holdfast and is quarantined.`;
}
