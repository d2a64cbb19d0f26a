import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
const NAME = 100;
const PREFIX = { from: 345, to: 500 } as const;
const SIZE = { from: 124, to: 136 } as const;
const TYPE = 156;
const REGULAR = ['0', '\0'];

/** Far more than the pinned packages unpack to. */
const MOST_BYTES = 256 * 1024 * 1024;

const textIn = (block: Buffer, from: number, to: number): string => {
  const bytes = block.subarray(from, to);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
};

/** The wanted files of an npm package. Skips links and long names, which the pinned packages do not have. */
export function filesInTarball(packed: Uint8Array, wanted: ReadonlySet<string>): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(packed, { maxOutputLength: MOST_BYTES });
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= tar.length;) {
    const head = tar.subarray(at, at + BLOCK);
    const size = Number.parseInt(textIn(head, SIZE.from, SIZE.to).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) break;
    const prefix = textIn(head, PREFIX.from, PREFIX.to);
    // Every path in a package begins with one folder, whatever its name.
    const path = `${prefix === '' ? '' : `${prefix}/`}${textIn(head, 0, NAME)}`.replace(/^[^/]*\//, '');
    const body = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (wanted.has(path) && REGULAR.includes(String.fromCharCode(head[TYPE] ?? 0)) && body.length === size) files.set(path, body);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
