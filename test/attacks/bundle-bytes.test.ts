import fs from 'node:fs';
import path from 'node:path';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readBundleFile } from '../../src/adapters/files/tar.ts';
import { packTar } from '../../src/adapters/files/tar.ts';
import { scratch } from '../scratch.ts';
import { attack } from './attack.ts';

const PLAIN = packTar([
  { name: 'manifest.json', text: '{}' },
  { name: 'user/a.md', text: 'x' },
]);

/** One entry with any bytes as its name, any type and any size in its header. */
function entry({ name = 'a', type = '0', size = '00000000001', data = 'x', prefix = '' }): Buffer {
  const bytes = Buffer.alloc(512 * 2 + 1024);
  bytes.write(name, 0, 100, 'latin1');
  bytes.write('0000600\x000000000\x000000000\x00', 100, 'latin1');
  bytes.write(size, 124, 12, 'latin1');
  bytes.write('00000000000\x00', 136, 'latin1');
  bytes.write(type, 156, 1, 'latin1');
  bytes.write('target', 157, 'latin1');
  bytes.write('ustar\x0000', 257, 'latin1');
  bytes.write(prefix, 345, 155, 'latin1');
  bytes.write(data, 512, 'latin1');
  const sum = bytes.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\x00 `, 148, 'latin1');
  return bytes;
}

const long = (name: string): Buffer => {
  const record = `${` path=${name}\n`.length + 3} path=${name}\n`;
  return Buffer.concat([
    entry({ name: '@PaxHeader', type: 'x', size: record.length.toString(8).padStart(11, '0'), data: record }).subarray(0, 1024),
    entry({}),
  ]);
};

const isRead = (bytes: Buffer): boolean => {
  const file = path.join(scratch(), 'b.tar.gz');
  fs.writeFileSync(file, bytes);
  return readBundleFile(file).ok;
};
const refused = (bytes: Buffer): void => expect(isRead(bytes)).toBe(false);

it('reads the bundles that the attacks below are made from', () => {
  expect([gzipSync(PLAIN), gzipSync(entry({})), gzipSync(long('b'))].map(isRead)).toEqual([true, true, true]);
});

attack(
  'bundle',
  'a name that leads elsewhere',
  [
    ...['../x', '..', '.', './x', 'a/../x', 'a/./x', 'a//x', '/x', '/', 'a/', 'a/..', '..\\x', 'a\\b', 'C:x', 'c:/x', '\\\\host\\x'],
    ...['a\nb', 'a\rb', 'a\tb', '\x1b[2J', 'a\x7f', '\x01', 'a\x00/../../x'.replace('\x00', '\x0b'), '../'.repeat(30), 'a/../../../../etc/passwd', ''],
  ].map((name) => [JSON.stringify(name), name] as const),
  (name) => {
    refused(gzipSync(entry({ name })));
    if (name !== '' && !name.includes('\n')) refused(gzipSync(long(name)));
  },
);

attack(
  'bundle',
  'an entry that is no plain file',
  [...'123456789ABDEFGHIKLMNSVXgx\0'].map((type) => [JSON.stringify(type), type] as const),
  (type) => refused(gzipSync(entry({ type }))),
);

attack(
  'bundle',
  'a header that lies',
  [
    ['a size that is negative', entry({ size: '-0000000001' })],
    ['a size that is no number', entry({ size: 'zzzzzzzzzzz' })],
    ['a size that is hexadecimal', entry({ size: '0x000000001' })],
    ['a size in base 256', entry({ size: '\x80\0\0\0\0\0\0\0\0\0\x01' })],
    ['a size of 8 GB', entry({ size: '77777777777' })],
    ['a size of 16 MB and one byte', entry({ size: '00100000001' })],
    ['a size beyond the end', entry({ size: '00000100000' })],
    ['no size', entry({ size: '\0'.repeat(11) })],
    ['a name in two parts', Buffer.from(entry({ prefix: '../../..' })).fill(0, 0, 1)],
    ['a sum that is wrong', Buffer.from(entry({})).fill(0x37, 148, 150)],
    ['a name twice', Buffer.concat([entry({}).subarray(0, 1024), entry({})])],
    ['more after the end', Buffer.concat([PLAIN, PLAIN])],
    ['bytes that are no UTF-8', entry({ data: '\xff' })],
    ['a long name that never comes', Buffer.concat([long('b').subarray(0, 1024), Buffer.alloc(1024)]).subarray(0, 1100)],
    ['a header of another kind', entry({ type: 'x', data: '9 size=99\n', size: '00000000012' })],
    ['a long name with a line break', long('a\nb')],
    ['a long name of 20,000 parts up', long('../'.repeat(150))],
  ].map(([label, bytes]) => [label as string, bytes as Buffer] as const),
  (bytes) => refused(gzipSync(bytes)),
);

const whole = gzipSync(PLAIN);
attack(
  'bundle',
  'bytes that are cut, damaged, or of another kind',
  [
    ...[0, 1, 2, 9, 10, 11, 18, 20, 40].map((length) => [`gzip cut to ${length} bytes`, whole.subarray(0, length)] as const),
    ...[1, 4, 8, 9].map((less) => [`gzip without its last ${less} bytes`, whole.subarray(0, -less)] as const),
    ...[511, 512, 513, 1023, 1024, 1025, 1536, 2048].map((length) => [`tar cut to ${length} bytes`, gzipSync(PLAIN.subarray(0, length))] as const),
    ['the tar itself', PLAIN],
    ['zlib', deflateSync(PLAIN)],
    ['raw deflate', deflateRawSync(PLAIN)],
    ['zip', Buffer.from('PK\x03\x04' + 'x'.repeat(100), 'latin1')],
    ['gzip in gzip', gzipSync(whole)],
    ['a text', Buffer.from('{"format":"holdfast-bundle"}')],
    ['a sum that is wrong', Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8, 0xff)])],
    ['a flipped bit', Buffer.from(whole).fill((whole[20] ?? 0) ^ 1, 20, 21)],
  ].map(([label, bytes]) => [label as string, bytes as Buffer] as const),
  refused,
);

attack('bundle', 'a file that unpacks without end', [['300 MB of nothing', 300]] as const, (megabytes) =>
  refused(gzipSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 1 })),
);
