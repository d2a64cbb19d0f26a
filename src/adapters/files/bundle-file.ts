import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { refuse, type Result } from '../../core/result.ts';
import { replaceFile } from './durable.ts';
import { packTar, type TarFile, unpackTar } from './tar.ts';

/** Records are text: what is larger packed or unpacked is a mistake or a trap. */
const PACKED_BYTES = 128 * 1024 * 1024;
const UNPACKED_BYTES = 256 * 1024 * 1024;

export const sha256 = (text: string): string => process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');

/** Writes a bundle; the same files make the same bytes. An existing file is replaced whole or not at all. */
export function writeBundleFile(file: string, files: readonly TarFile[]): number {
  const bytes = gzipSync(packTar(files), { level: 9 });
  replaceFile(file, bytes, join(dirname(file), `.${process.pid}.holdfast.tmp`), true);
  return bytes.length;
}

export function readBundleFile(file: string): Result<readonly TarFile[]> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return refuse('NOT_FOUND', `${file} does not exist.`, { missing: true });
  if (!stat.isFile()) return refuse('INPUT_ERROR', `${file} is not a file`);
  if (stat.size > PACKED_BYTES) return refuse('INPUT_ERROR', `${file} is larger than ${PACKED_BYTES / 1024 / 1024} MB`);
  let bytes: Buffer;
  try {
    bytes = gunzipSync(readFileSync(file), { maxOutputLength: UNPACKED_BYTES });
  } catch (cause) {
    const large = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = large ? `it unpacks to more than ${UNPACKED_BYTES / 1024 / 1024} MB` : (cause as Error).message;
    return refuse('INPUT_ERROR', `${file} is not a readable bundle: ${why}`, { hint: 'nothing was imported' });
  }
  return unpackTar(bytes);
}
