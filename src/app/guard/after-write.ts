import type { FileRef } from '../../core/ports/store.ts';
import { itemOfFile } from '../index/item.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import type { GuardVerdict } from './guard.ts';

/** What to do about a file written past the guard: an unreadable record is set aside, never deleted. */
export type AfterWrite = GuardVerdict & { readonly setAside?: string };

export async function judgeWritten(memory: Memory, place: FileRef): Promise<AfterWrite> {
  const { role } = roleOf(place);
  if (place.path === 'memory-config.json' || role === 'document') return { permission: 'none' };
  if (role === 'other') return { permission: 'deny', reason: `${place.path} is not a file of the memory; records are saved with holdfast save` };
  const stored = await memory.store.read(place);
  if (!stored) return { permission: 'none' };
  const item = itemOfFile(stored);
  if (item.ok) return { permission: 'none', reason: `${place.path} was written directly; next time use holdfast write` };
  return {
    permission: 'deny',
    reason: `${place.path} is not a valid record: ${item.error.message}`,
    setAside: `${place.path}.invalid.${Math.floor(memory.now() / 1000)}`,
  };
}
