import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ok, refuse, type Result } from '../../core/result.ts';
import { replaceFile } from './durable.ts';

/** A minimal tar: regular files in order, without times and owners. Reading refuses everything else. */

export interface TarFile {
  readonly name: string;
  readonly text: string;
}

const BLOCK = 512;
const NAME_BYTES = 100;
const MOST_FILES = 200_000;
const MOST_BYTES = 16 * 1024 * 1024;

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;
const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;

function header(name: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, NAME_BYTES, 'utf8');
  block.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100, 'latin1');
  block.write(' '.repeat(8), 148, 'latin1');
  block.write(`${type}`, 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

const sumOf = (block: Buffer): number => block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

const body = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);

/** The POSIX entry that precedes a file with a long name: the entry's length, a space, `path=`, the name. */
function longName(name: string): Buffer {
  const rest = Buffer.byteLength(` path=${name}\n`);
  let length = rest;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  const record = Buffer.from(`${length} path=${name}\n`);
  return Buffer.concat([header('@PaxHeader', record.length, 'x'), body(record)]);
}

export function packTar(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text);
    const isLong = Buffer.byteLength(name) > NAME_BYTES;
    return [...(isLong ? [longName(name)] : []), header(isLong ? `@long/${name.length}` : name, bytes.length, '0'), body(bytes)];
  });
  return Buffer.concat([...parts, Buffer.alloc(BLOCK * 2)]);
}

const damaged = (message: string): Result<never> =>
  refuse('INPUT_ERROR', `The bundle is damaged or was not written by holdfast: ${message}`, { hint: 'nothing was imported' });

const UNSAFE = /(?:^|\/)\.{0,2}(?:\/|$)|[\\\u0000-\u001f\u007f]|^[A-Za-z]:/;

export function unpackTar(bytes: Buffer): Result<readonly TarFile[]> {
  const files: TarFile[] = [];
  const names = new Set<string>();
  let paxName: string | undefined;
  for (let at = 0; ;) {
    if (at + BLOCK > bytes.length) return damaged('it ends too early');
    const block = bytes.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return bytes.subarray(at).every((byte) => byte === 0) ? ok(files) : damaged('data follows its end');
    const size = numberAt(block, 124, 12);
    if (numberAt(block, 148, 8) !== sumOf(block)) return damaged('the checksum of a header is wrong');
    const type = String.fromCharCode(block[156] ?? 0);
    if (type !== '0' && type !== 'x') return damaged(`it contains something other than plain files (type ${JSON.stringify(type)})`);
    if (size === undefined || size > MOST_BYTES) return damaged('a file in it is too large');
    const data = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (data.length < size) return damaged('it ends too early');
    at += BLOCK + padded(size);
    if (type === 'x') {
      paxName = /^\d+ path=([^\n]+)\n$/.exec(data.toString('utf8'))?.[1];
      if (paxName === undefined) return damaged('a header has an unknown type');
      continue;
    }
    const name =
      paxName ??
      block
        .subarray(0, NAME_BYTES)
        .toString('utf8')
        .replace(/\0[\s\S]*$/, '');
    paxName = undefined;
    if (name === '' || UNSAFE.test(name)) return damaged(`it holds a file named ${JSON.stringify(name)}`);
    if (names.has(name)) return damaged(`it holds ${name} twice`);
    if (names.size >= MOST_FILES) return damaged('it holds too many files');
    const text = data.toString('utf8');
    if (!Buffer.from(text).equals(data)) return damaged(`${name} is not UTF-8`);
    names.add(name);
    files.push({ name, text });
  }
}

function numberAt(block: Buffer, start: number, length: number): number | undefined {
  const digits = /^ *([0-7]+)[\0 ]*$/.exec(block.toString('latin1', start, start + length))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** Records are text: a larger bundle is a mistake or an attack. */
const PACKED_BYTES = 128 * 1024 * 1024;
const UNPACKED_BYTES = 256 * 1024 * 1024;

/** Writes a bundle; the same files make the same bytes. An existing file is replaced whole or not at all. */
export function writeBundleFile(file: string, files: readonly TarFile[]): number {
  const bytes = gzipSync(packTar(files), { level: 9 });
  replaceFile(file, bytes, join(dirname(file), `.${process.pid}.holdfast.tmp`), true);
  return bytes.length;
}

/** Checks the first two bytes: no transcript begins with those of gzip. */
export function isBundleFile(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const handle = openSync(file, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(handle, start, 0, 2, 0) === 2 && start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    closeSync(handle);
  }
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
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = isTooLarge ? `it unpacks to more than ${UNPACKED_BYTES / 1024 / 1024} MB` : (cause as Error).message;
    return refuse('INPUT_ERROR', `${file} is not a readable bundle: ${why}`, { hint: 'nothing was imported' });
  }
  return unpackTar(bytes);
}
