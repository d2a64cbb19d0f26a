import type { FileRef } from '../../core/ports/store.ts';
import { isQuarantined, trustFrom } from '../../core/trust/trust.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { refresh } from '../index/refresh.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import { namedBy, writing } from '../write/transaction.ts';

/** A command that names the memory may have edited any file in place; other writes show in a folder's time. */
const NAMES_MEMORY = /\bmemory\b|\.claude|\bprojects\b|holdfast/i;

const look = (memory: Memory, command: string): Promise<void> => refresh(memory, NAMES_MEMORY.test(command) ? 'all' : 'sweep');

/** Before an agent's shell runs: journals manual edits, so that they count as the user's. */
export async function adoptManualEdits(memory: Memory, command: string): Promise<void> {
  await look(memory, command);
  if (memory.index.unjournaled().length > 0) await writing(memory, { actor: 'hand' }, async () => {});
}

/** After it has run: quarantines records that it wrote past the writer. Returns their paths. */
export async function quarantineShellWrites(memory: Memory, command: string): Promise<readonly string[]> {
  await look(memory, command);
  const written: readonly FileRef[] = memory.index.unjournaled().filter((file) => roleOf(file).role === 'record');
  if (written.length === 0) return [];
  const held: string[] = [];
  await writing(memory, { actor: 'shell', reason: 'written by the shell of an agent' }, async (write) => {
    for (const { root, path } of written) {
      const current = await currentRecord(memory, { root, path });
      if (!current.ok || isQuarantined(current.value.record.trust)) continue;
      const record = { ...current.value.asWritten, trust: trustFrom('agent-file-write') };
      await write.apply({ root, path, text: renderRecordFile(path, record, current.value.layout), op: 'update', ...namedBy(current.value.record) });
      held.push(path);
    }
  });
  return held;
}
