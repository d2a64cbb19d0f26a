import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import type { Memory } from '../memory/memory.ts';

/** A file without its secrets. A file that is unchanged since it was indexed without any is not searched again. */
export async function readRedacted({ store, index }: Pick<Memory, 'store' | 'index'>, { root, path }: FileRef): Promise<StoredFile | undefined> {
  const file = await store.read({ root, path });
  if (!file) return undefined;
  const known = index.file({ root, path });
  if (known?.mtimeMs === file.mtimeMs && known.size === file.size && known.problem === undefined && known.secrets === undefined) return file;
  return { root, path, mtimeMs: file.mtimeMs, size: file.size, hash: file.hash, text: await redacted(file.text) };
}

/** A text without its secrets. The code is loaded when first used, because most files have none. */
export const redacted = async (text: string): Promise<string> => (await import('../../core/redact/text.ts')).redact(text).text;
