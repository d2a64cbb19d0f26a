import type { FileRef } from '../../core/ports/store.ts';
import { refresh } from '../index/refresh.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** A command that names the memory may have edited any file in place; other writes show in a folder's time. */
const NAMES_MEMORY = /\bmemory\b|\.claude|\bprojects\b|holdfast/i;

/** The writer checks records, which takes longer to load than most commands take to judge: it comes in where something was written past it. */
const writer = async () => ({ ...(await import('../write/transaction.ts')), ...(await import('./after-write.ts')) });

const look = (memory: Memory, command: string): Promise<void> => refresh(memory, NAMES_MEMORY.test(command) ? 'all' : 'sweep');

/** Before an agent's shell runs: journals manual edits, so that they count as the user's. */
export async function adoptManualEdits(memory: Memory, command: string): Promise<void> {
  await look(memory, command);
  if (memory.index.unjournaled().length > 0) await (await writer()).writing(memory, { actor: 'hand' }, async () => {});
}

/** After it has run: settles records that it wrote past the writer. Returns what to tell the agent. */
export async function settleShellWrites(memory: Memory, command: string): Promise<readonly string[]> {
  await look(memory, command);
  return settleFiles(
    memory,
    memory.index.unjournaled().filter((file) => roleOf(file).role === 'record'),
  );
}

/** After a tool has written one file: the same for that file. */
export const settleFile = (memory: Memory, file: FileRef): Promise<readonly string[]> => settleFiles(memory, roleOf(file).role === 'record' ? [file] : []);

async function settleFiles(memory: Memory, files: readonly FileRef[]): Promise<readonly string[]> {
  const lines: string[] = [];
  if (files.length === 0) return lines;
  const { writing, settleWritten } = await writer();
  await writing(memory, { actor: 'shell', reason: 'written by an agent past the writer' }, async (write) => {
    for (const file of files) lines.push(...[await settleWritten(memory, write, file)].filter((line) => line !== undefined));
  });
  return lines;
}
