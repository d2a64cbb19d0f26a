import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileStaging } from '../../../src/adapters/files/staging.ts';
import { scratch } from '../../scratch.ts';

const NAME = '.memory-draft-decision-1.json';
const mode = (file: string): number => fs.statSync(file).mode & 0o777;

describe('private staging', () => {
  it('is made for its user alone', async () => {
    const folder = path.join(scratch(), 'holdfast', 'staging');
    const staging = new FileStaging(folder, true);
    const put = await staging.put(NAME, 'hello');
    expect(put).toEqual({ ok: true, value: path.join(folder, NAME) });
    expect([mode(folder), mode(path.join(folder, NAME))]).toEqual([0o700, 0o600]);
    expect(await staging.read(path.join(folder, NAME))).toEqual({ ok: true, value: 'hello' });
    expect(await staging.list()).toEqual([path.join(folder, NAME)]);
    await staging.put(NAME, 'again');
    expect(fs.readFileSync(path.join(folder, NAME), 'utf8')).toBe('again');
    await staging.remove(path.join(folder, NAME));
    expect(await staging.list()).toEqual([]);
  });

  it.each([
    [0o755, true],
    [0o711, true],
    [0o775, false],
    [0o777, false],
    [0o1777, false],
  ])('keeps the mode %o of a folder that was there, and is used only where no other user can write: %s', async (open, used) => {
    const folder = scratch();
    fs.chmodSync(folder, open);
    expect(await new FileStaging(folder, true).put(NAME, 'x')).toMatchObject(used ? { ok: true } : { ok: false, error: { code: 'SECURITY_ERROR' } });
    expect(fs.statSync(folder).mode & 0o7777).toBe(open);
  });

  it('is not a link to somewhere else', async () => {
    const base = scratch();
    fs.mkdirSync(path.join(base, 'elsewhere'));
    fs.symlinkSync(path.join(base, 'elsewhere'), path.join(base, 'staging'));
    expect(await new FileStaging(path.join(base, 'staging'), true).put(NAME, 'x')).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR' } });
    expect(fs.readdirSync(path.join(base, 'elsewhere'))).toEqual([]);
  });
});

describe('a staged file', () => {
  it('is not written through a link, nor under a path', async () => {
    const folder = scratch();
    fs.writeFileSync(path.join(folder, 'victim'), 'precious');
    fs.symlinkSync(path.join(folder, 'victim'), path.join(folder, NAME));
    const staging = new FileStaging(folder, false);
    expect(await staging.put(NAME, 'x')).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR' } });
    expect(fs.readFileSync(path.join(folder, 'victim'), 'utf8')).toBe('precious');
    expect(await staging.put('../outside', 'x')).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR' } });
  });

  it.each<[string, (file: string, folder: string) => void]>([
    ['a link', (file, folder) => fs.symlinkSync(path.join(folder, 'other'), file)],
    ['a second name of another file', (file, folder) => fs.linkSync(path.join(folder, 'other'), file)],
    ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file])],
    ['a folder', (file) => fs.mkdirSync(file)],
  ])('that is %s is not read', async (_what, make) => {
    const folder = scratch();
    fs.writeFileSync(path.join(folder, 'other'), '{}');
    make(path.join(folder, NAME), folder);
    expect(await new FileStaging(folder, false).read(path.join(folder, NAME))).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR' } });
  });

  it('is not read from outside, by whatever way', async () => {
    const base = scratch();
    const folder = path.join(base, 'staging');
    fs.mkdirSync(folder);
    fs.mkdirSync(path.join(base, 'elsewhere'));
    fs.writeFileSync(path.join(base, 'elsewhere', NAME), '{}');
    fs.symlinkSync(path.join(base, 'elsewhere'), path.join(folder, 'inner'));
    const staging = new FileStaging(folder, false);
    for (const file of [path.join(base, 'elsewhere', NAME), path.join(folder, 'inner', NAME)]) {
      expect(await staging.read(file)).toMatchObject({ ok: false, error: { code: 'SECURITY_ERROR' } });
    }
  });

  it('that is missing or too large is refused', async () => {
    const folder = scratch();
    const staging = new FileStaging(folder, false);
    expect(await staging.read(path.join(folder, NAME))).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR', missing: true } });
    fs.writeFileSync(path.join(folder, NAME), 'x'.repeat(1024 * 1024 + 1));
    expect(await staging.read(path.join(folder, NAME))).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR' } });
  });
});

it('a folder that is named and does not exist is not made', async () => {
  const folder = path.join(scratch(), 'gone');
  expect(await new FileStaging(folder, false).put(NAME, 'x')).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
  expect(await new FileStaging(folder, false).list()).toEqual([]);
});
