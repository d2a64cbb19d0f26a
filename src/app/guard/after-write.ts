import type { FileRef } from '../../core/ports/store.ts';
import { isQuarantined, trustFrom } from '../../core/trust/trust.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { parseStored } from '../index/item.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import { journalName, type Writing } from '../write/transaction.ts';
import type { GuardVerdict } from './guard.ts';

/** The verdict on a file that was written without the writer. An invalid record is set aside, never deleted. */
export type DirectWriteVerdict = GuardVerdict & { readonly setAside?: string };

export async function checkWritten(memory: Memory, place: FileRef): Promise<DirectWriteVerdict> {
  const role = roleOf(place);
  if (place.path === 'memory-config.json' || role.role === 'document') return { permission: 'none' };
  if (role.role === 'other') return { permission: 'deny', reason: `${place.path} is not a file of the memory; records are saved with holdfast save` };
  const stored = await memory.store.read(place);
  if (!stored) return { permission: 'none' };
  const parsed = parseStored(stored, role.category);
  const problem = !parsed.ok
    ? parsed.error.message
    : parsed.value.record.category === role.category
      ? undefined
      : `its category is ${parsed.value.record.category}, but it is in the folder of ${role.category}`;
  if (problem === undefined) return { permission: 'none', reason: `${place.path} was written directly; next time use holdfast write` };
  return {
    permission: 'deny',
    reason: `${place.path} is not a valid record: ${problem}`,
    setAside: `${place.path}.invalid.${Math.floor(memory.now() / 1000)}`,
  };
}

/** Sets aside an invalid record that an agent wrote directly; quarantines a valid one. Returns a line for the agent. */
export async function handleDirectWrite(memory: Memory, write: Writing, { root, path }: FileRef): Promise<string | undefined> {
  const { reason = '', setAside } = await checkWritten(memory, { root, path });
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
