import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownFile, ownText } from '../../../../src/adapters/files/outside/own.ts';
import { readOutside } from '../../../../src/adapters/files/outside/read.ts';
import { filesOutside } from '../../../../src/adapters/files/outside/walk.ts';
import { removeOutside, writeOutside } from '../../../../src/adapters/files/outside/write.ts';
import { scratch } from '../../../scratch.ts';

const LIMIT = 100;

/** A folder that is asked for, and one beside it with something precious. */
function places() {
  const base = scratch();
  const [folder, beside] = [path.join(base, 'project'), path.join(base, 'beside')];
  fs.mkdirSync(path.join(folder, 'inner'), { recursive: true });
  fs.mkdirSync(beside);
  fs.writeFileSync(path.join(beside, 'precious'), 'precious');
  return { folder, beside, precious: path.join(beside, 'precious') };
}

describe('a file in a folder of others', () => {
  it('is read as it is', () => {
    const { folder } = places();
    fs.writeFileSync(path.join(folder, 'inner', 'a'), 'hällo');
    expect(readOutside(folder, 'inner/a', LIMIT)).toMatchObject({ ok: true, value: { bytes: Buffer.from('hällo') } });
    expect(readOutside(folder, 'inner/none', LIMIT)).toMatchObject({ ok: false, error: { missing: true } });
    expect(readOutside(folder, 'none/none', LIMIT)).toMatchObject({ ok: false, error: { missing: true } });
    expect(readOutside(path.join(folder, 'gone'), 'a', LIMIT)).toMatchObject({ ok: false, error: { missing: true } });
  });

  it('is read to the limit and not beyond', () => {
    const { folder } = places();
    fs.writeFileSync(path.join(folder, 'a'), 'x'.repeat(LIMIT));
    expect(readOutside(folder, 'a', LIMIT).ok).toBe(true);
    fs.appendFileSync(path.join(folder, 'a'), 'x');
    expect(readOutside(folder, 'a', LIMIT)).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR', message: expect.stringContaining('is larger than') } });
  });

  it.runIf(fs.existsSync('/proc/self/stat'))('that says it has no size is read to the limit too', () => {
    expect(readOutside('/proc/self', 'stat', 10_000)).toMatchObject({ ok: true, value: { bytes: expect.objectContaining({}) } });
    expect(readOutside('/proc/self', 'smaps', 100)).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR' } });
  });

  it('is not read for longer than it may take', () => {
    const { folder } = places();
    fs.writeFileSync(path.join(folder, 'a'), 'x');
    expect(readOutside(folder, 'a', LIMIT, -1)).toMatchObject({ ok: false, error: { code: 'READ_ERROR', message: expect.stringContaining('takes too long') } });
  });

  it.each(['../beside/precious', 'inner/../../beside/precious', '/etc/passwd', '', '.', '..', 'inner/', 'a\0b', '..\\beside\\precious'])(
    'is not looked for at %j',
    (name) => {
      const { folder, precious } = places();
      expect(readOutside(folder, name, LIMIT)).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
      expect(writeOutside(folder, name, 'x')).toMatchObject({ ok: false });
      expect(removeOutside(folder, name)).toMatchObject({ ok: false });
      expect(fs.readFileSync(precious, 'utf8')).toBe('precious');
    },
  );

  it.each<[string, (at: ReturnType<typeof places>) => string]>([
    ['a link', ({ folder, precious }) => (fs.symlinkSync(precious, path.join(folder, 'a')), 'a')],
    ['a link inside the folder', ({ folder }) => (fs.symlinkSync('inner', path.join(folder, 'a')), 'a')],
    ['a link to nothing', ({ folder, beside }) => (fs.symlinkSync(path.join(beside, 'new'), path.join(folder, 'a')), 'a')],
    ['a link to itself', ({ folder }) => (fs.symlinkSync('a', path.join(folder, 'a')), 'a')],
    ['behind a link', ({ folder, beside }) => (fs.symlinkSync(beside, path.join(folder, 'a')), 'a/precious')],
    ['far behind a link', ({ folder, beside }) => (fs.symlinkSync(path.dirname(beside), path.join(folder, 'inner', 'a')), 'inner/a/beside/precious')],
  ])('that is %s is neither read, written nor removed', (_what, plant) => {
    const there = places();
    const name = plant(there);
    for (const done of [readOutside(there.folder, name, LIMIT), writeOutside(there.folder, name, 'x'), removeOutside(there.folder, name)]) {
      expect(done).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR', message: expect.stringContaining('is a symbolic link') } });
    }
    expect([fs.readFileSync(there.precious, 'utf8'), fs.readdirSync(there.beside)]).toEqual(['precious', ['precious']]);
  });

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file])],
  ])('that is %s is neither read nor replaced', (_what, make) => {
    const { folder } = places();
    make(path.join(folder, 'a'));
    const { ino } = fs.lstatSync(path.join(folder, 'a'));
    expect(readOutside(folder, 'a', LIMIT)).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR' } });
    expect(writeOutside(folder, 'a', 'x')).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR' } });
    expect(fs.lstatSync(path.join(folder, 'a')).ino).toBe(ino);
  });
});

describe('writing', () => {
  it.each([0o600, 0o640, 0o644, 0o440, 0o755])('keeps the mode %o of the file, and of the folder', (mode) => {
    const { folder } = places();
    const file = path.join(folder, 'a');
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, mode);
    fs.chmodSync(folder, 0o751);
    expect(writeOutside(folder, 'a', 'new').ok).toBe(true);
    expect([fs.readFileSync(file, 'utf8'), fs.statSync(file).mode & 0o777, fs.statSync(folder).mode & 0o7777]).toEqual(['new', mode, 0o751]);
    expect(fs.readdirSync(folder)).toEqual(['a', 'inner']);
  });

  it('makes the folders on the way, and gives a new file the mode that was asked for', () => {
    const { folder } = places();
    expect(writeOutside(folder, 'x/y/z', 'new', 0o600).ok).toBe(true);
    expect([fs.readFileSync(path.join(folder, 'x/y/z'), 'utf8'), fs.statSync(path.join(folder, 'x/y/z')).mode & 0o777]).toEqual(['new', 0o600]);
    expect(['x', 'x/y'].map((name) => fs.statSync(path.join(folder, name)).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(writeOutside(path.join(folder, 'open'), 'z', 'new', 0o644).ok).toBe(true);
    expect(fs.statSync(path.join(folder, 'open')).mode & 0o777).toBe(0o755);
  });

  it('leaves alone what stands under the name of its temporary file', () => {
    const { folder, precious } = places();
    for (const attempt of [0, 1]) fs.symlinkSync(precious, path.join(folder, `.a.${process.pid}-${attempt}.holdfast.tmp`));
    expect(writeOutside(folder, 'a', 'new').ok).toBe(true);
    expect([fs.readFileSync(path.join(folder, 'a'), 'utf8'), fs.readFileSync(precious, 'utf8')]).toEqual(['new', 'precious']);
  });
});

describe('a walk', () => {
  it('passes over links and what is no file, in order and to a limit', () => {
    const { folder, beside } = places();
    for (const name of ['b', 'a', 'inner/c', '.hidden']) fs.writeFileSync(path.join(folder, name), '');
    fs.symlinkSync(beside, path.join(folder, 'link'));
    fs.symlinkSync(path.join(beside, 'precious'), path.join(folder, 'file-link'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect([...filesOutside(folder)]).toEqual(['.hidden', 'a', 'b', 'inner/c']);
    expect([...filesOutside(folder, 'inner')]).toEqual(['inner/c']);
    expect([...filesOutside(folder, 'link')]).toEqual([]);
    expect([...filesOutside(folder, '', { enters: () => false })]).toEqual(['.hidden', 'a', 'b']);
    expect([...filesOutside(folder, '', { most: 3 })].length).toBeLessThanOrEqual(3);
    expect([...filesOutside(folder, '', { withinMs: -1 })]).toEqual([]);
    expect([...filesOutside(path.join(folder, 'none'))]).toEqual([]);
  });
});

describe('a file of the user’s own', () => {
  it('is found behind a link of the user', () => {
    const { folder, beside, precious } = places();
    fs.symlinkSync(precious, path.join(folder, 'settings.json'));
    expect(ownText(path.join(folder, 'settings.json'), LIMIT)).toMatchObject({ text: 'precious' });
    expect(ownFile(path.join(folder, 'settings.json'))).toEqual({ ok: true, value: { folder: beside, path: 'precious' } });
  });

  it.runIf(process.getuid?.() === 0)('is not found behind a link of another user', () => {
    const { folder, precious } = places();
    const link = path.join(folder, 'settings.json');
    fs.symlinkSync(precious, link);
    fs.lchownSync(link, 12_345, 12_345);
    expect(ownText(link, LIMIT)).toBeUndefined();
  });
});
