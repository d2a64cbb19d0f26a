import type { FileRef } from '../../core/ports/store.ts';
import { refresh } from '../index/refresh.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** A command that names the memory may edit any file in place; other writes show in the modification time of a folder. */
const NAMES_MEMORY = /\bmemory\b|\.claude|\bprojects\b|holdfast/i;

/** Loaded only after a direct write: the writer checks records, and its code takes longer to load than most commands take to judge. */
const loadWriter = async () => ({ ...(await import('../write/transaction.ts')), ...(await import('./after-write.ts')) });

const indexChanges = (memory: Memory, command: string): Promise<void> => refresh(memory, NAMES_MEMORY.test(command) ? 'all' : 'sweep');

/** Before an agent's shell command: journals manual edits, so that they count as the user's. */
export async function adoptManualEdits(memory: Memory, command: string): Promise<void> {
  await indexChanges(memory, command);
  if (memory.index.unjournaled().length > 0) await (await loadWriter()).writing(memory, { actor: 'hand' }, async () => {});
}

/** After the command: sets aside or quarantines records that it wrote directly. Returns lines for the agent. */
export async function handleShellWrites(memory: Memory, command: string): Promise<readonly string[]> {
  await indexChanges(memory, command);
  return handleDirectWrites(
    memory,
    memory.index.unjournaled().filter((file) => roleOf(file).role === 'record'),
  );
}

/** After a tool has written a file: the same for that file. */
export const handleToolWrite = (memory: Memory, file: FileRef): Promise<readonly string[]> =>
  handleDirectWrites(memory, roleOf(file).role === 'record' ? [file] : []);

async function handleDirectWrites(memory: Memory, files: readonly FileRef[]): Promise<readonly string[]> {
  const lines: string[] = [];
  if (files.length === 0) return lines;
  const { writing, handleDirectWrite } = await loadWriter();
  await writing(memory, { actor: 'shell', reason: 'written by an agent past the writer' }, async (write) => {
    for (const file of files) lines.push(...[await handleDirectWrite(memory, write, file)].filter((line) => line !== undefined));
  });
  return lines;
}
