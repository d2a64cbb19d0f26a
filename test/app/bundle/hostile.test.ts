import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTar, type TarFile, unpackTar } from '../../../src/adapters/files/tar.ts';
import { sha256 } from '../../../src/adapters/process/environment.ts';
import type { BundledFile, BundleManifest } from '../../../src/app/bundle/manifest.ts';
import { filesUnder, scratch } from '../../scratch.ts';
import { must, save } from '../memory.ts';
import { machine, mustRefuse, rewrite } from './machine.ts';

async function bundle(): Promise<string> {
  const one = machine();
  must(await save(one.open().memory, 'decision', { title: 'Use SQLite' }));
  const file = path.join(one.folder, 'a.tar.gz');
  must(await one.export(file, 'project'));
  return file;
}

/** Changes the manifest, and the first file with it. */
const tamper = (file: string, change: (manifest: BundleManifest & { files: BundledFile[] }, entries: TarFile[]) => void): void =>
  rewrite(file, (entries) => {
    const manifest = JSON.parse(entries[0]?.text ?? '') as BundleManifest & { files: BundledFile[] };
    change(manifest, entries);
    return [{ name: 'manifest.json', text: JSON.stringify(manifest) }, ...entries.slice(1)];
  });

/** A file that names itself something else than it was. */
const renamed =
  (to: string, more: object = {}) =>
  (manifest: { files: BundledFile[] }): void => {
    manifest.files[0] = { ...(manifest.files[0] as BundledFile), path: to, ...more };
  };

const withText =
  (text: string) =>
  (manifest: { files: BundledFile[] }, entries: TarFile[]): void => {
    entries[1] = { name: entries[1]?.name ?? '', text };
    manifest.files[0] = { ...(manifest.files[0] as BundledFile), sha256: sha256(text) };
  };

const cases: readonly (readonly [string, (file: string) => void, RegExp])[] = [
  ['a path that climbs out', (file) => tamper(file, renamed('../../../settings.json')), /PATH_ERROR/],
  ['an absolute path', (file) => tamper(file, renamed('/etc/passwd')), /PATH_ERROR/],
  ['a path of Windows', (file) => tamper(file, renamed(String.raw`decisions\..\..\x.md`)), /PATH_ERROR .* not a file name/],
  ['a config', (file) => tamper(file, renamed('memory-config.json')), /PATH_ERROR .* neither a record nor a document/],
  ['a view', (file) => tamper(file, renamed('_index.md')), /PATH_ERROR/],
  ['settings of the client', (file) => tamper(file, renamed('settings.json', { root: 'home', project: undefined })), /PATH_ERROR/],
  ['a shared root', (file) => tamper(file, renamed('decisions/x.md', { root: 'shared' })), /list of files is damaged/],
  [
    'a hash that is wrong',
    (file) => rewrite(file, ([manifest, one, ...rest]) => [manifest as TarFile, { name: one?.name ?? '', text: 'other' }, ...rest]),
    /does not match its hash/,
  ],
  ['a record that is none', (file) => tamper(file, withText('---\nschema_version: [\n---\n')), /VALIDATION_ERROR/],
  [
    'a key that is a path',
    (file) => tamper(file, (manifest) => Object.assign(manifest.projects[0] as object, { key: '../up' })),
    /list of projects is damaged/,
  ],
  ['a file that is missing', (file) => rewrite(file, (entries) => entries.slice(0, 1)), /is missing/],
  ['a file that is not listed', (file) => rewrite(file, (entries) => [...entries, { name: 'evil.sh', text: 'x' }]), /not in its list/],
  ['no manifest', (file) => rewrite(file, (entries) => entries.slice(1)), /no manifest\.json/],
  ['another version', (file) => tamper(file, (manifest) => Object.assign(manifest, { version: 99 })), /version is 99/],
  ['a file cut short', (file) => fs.truncateSync(file, fs.statSync(file).size - 20), /INPUT_ERROR/],
  ['a tar cut short', (file) => fs.writeFileSync(file, gzipSync(gunzipSync(fs.readFileSync(file)).subarray(0, 1_200))), /ends too early/],
  ['no gzip at all', (file) => fs.writeFileSync(file, 'hello'), /INPUT_ERROR/],
  ['a bomb', (file) => fs.writeFileSync(file, gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 })), /unpacks to more than/],
  ['a name that climbs out', (file) => rewrite(file, (entries) => [...entries, { name: '../../x', text: '' }]), /a file named "\.\.\/\.\.\/x"/],
  ['an absolute name', (file) => rewrite(file, (entries) => [...entries, { name: '/etc/x', text: '' }]), /a file named/],
  ['a name twice', (file) => rewrite(file, (entries) => [...entries, entries[1] as TarFile]), /twice/],
];

describe('a hostile bundle', () => {
  it.each(cases)('with %s is refused and nothing is written', async (_what, harm, why) => {
    const file = await bundle();
    harm(file);
    const victim = machine();
    expect(mustRefuse(await victim.import(file))).toMatch(why);
    expect(Object.keys(filesUnder(victim.folder)).filter((name) => /\.(?:md|json)$/.test(name))).toEqual([]);
  });

  it('never reaches through a link in the memory', async () => {
    const file = await bundle();
    const victim = machine();
    const outside = scratch();
    fs.mkdirSync(path.join(victim.home, 'projects', 'webshop'), { recursive: true });
    fs.symlinkSync(outside, path.join(victim.home, 'projects', 'webshop', 'decisions'));
    expect(mustRefuse(await victim.import(file))).toMatch(/PATH_ERROR .* symbolic link/);
    expect(fs.readdirSync(outside)).toEqual([]);
  });
});

describe('tar', () => {
  const link = (type: string): Buffer => {
    const bytes = packTar([{ name: 'a', text: '' }]);
    bytes.write(type, 156, 'latin1');
    bytes.write(' '.repeat(8), 148, 'latin1');
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return bytes;
  };

  it.each(['1', '2', '3', '5', '6', 'L', 'g', '7'])('refuses an entry of type %s', (type) => {
    expect(mustRefuse(unpackTar(link(type)))).toMatch(/other than plain files/);
  });

  it('gives back what was packed, long names and all letters included', () => {
    const name = fc.array(fc.stringMatching(/^[a-zé😀]{1,60}$/u), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
    const files = fc.uniqueArray(fc.record({ name, text: fc.string({ unit: 'grapheme', maxLength: 2_000 }) }), {
      selector: ({ name: one }) => one,
      maxLength: 8,
    });
    fc.assert(
      fc.property(files, (list) => {
        expect(must(unpackTar(packTar(list)))).toEqual(list);
      }),
      { numRuns: 60 },
    );
  });

  it('answers any bytes with files or a refusal', () => {
    const whole = packTar([
      { name: 'a/b.md', text: 'text' },
      { name: 'x'.repeat(150), text: 'more' },
    ]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        expect([true, false]).toContain(unpackTar(bytes).ok);
      }),
      { numRuns: 300 },
    );
  });
});
