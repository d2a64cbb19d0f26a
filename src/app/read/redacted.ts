import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import type { Memory } from '../memory/memory.ts';

/** A file without the secrets in it. Files that were indexed as they are now and had none need not be searched again. */
export async function readRedacted({ store, index }: Pick<Memory, 'store' | 'index'>, { root, path }: FileRef): Promise<StoredFile | undefined> {
  const file = await store.read({ root, path });
  if (!file) return undefined;
  const known = index.file({ root, path });
  if (known?.mtimeMs === file.mtimeMs && known.size === file.size && known.problem === undefined && known.secrets === undefined) return file;
  return { root, path, mtimeMs: file.mtimeMs, size: file.size, hash: file.hash, text: await redacted(file.text) };
}

/** A text without its secrets. Loaded when first used: most prompts are answered from files that have none. */
export const redacted = async (text: string): Promise<string> => (await import('../../core/redact/text.ts')).redact(text).text;
