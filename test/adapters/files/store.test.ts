import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileStore } from '../../../src/adapters/files/store.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { storeContract } from '../../contract/store.ts';
import { scratch } from '../../scratch.ts';

function open(folder = scratch()): { store: FileStore; folder: string; root: 'private' } {
  const store = new FileStore({
    roots: { private: path.join(folder, 'root') },
    state: path.join(folder, 'state'),
    md5: (bytes) => createHash('md5').update(bytes).digest('hex'),
    now: Date.now,
    openDatabase,
  });
  return { store, folder, root: 'private' };
}

storeContract('FileStore', open);

describe('FileStore', () => {
  const at = (name: string) => ({ root: 'private' as const, path: name });
  const put = (store: FileStore, name: string, text: string) => store.write('test', (session) => session.apply({ ...at(name), text, op: 'write' }));

  it('makes files that only their owner can read', async () => {
    const { store, folder } = open();
    await put(store, 'decisions/a.md', 'one');
    await put(store, 'decisions/a.md', 'two');
    const mode = (file: string): number => fs.statSync(path.join(folder, file)).mode & 0o777;
    expect(mode('root/decisions/a.md')).toBe(0o600);
    expect(mode('root/decisions')).toBe(0o700);
    expect(mode('state/journal')).toBe(0o600);
    expect(mode('state')).toBe(0o700);
    const [version] = fs.readdirSync(path.join(folder, 'state/versions'), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
    expect(mode(`state/versions/${version}`)).toBe(0o600);
  });

  it('clears what a crash left half-written', async () => {
    const { store, folder } = open();
    await put(store, 'a.md', 'a');
    fs.writeFileSync(path.join(folder, 'root/.holdfast.tmp'), 'half');
    expect(await store.hasStrayFiles()).toBe(true);
    await put(store, 'b.md', 'b');
    expect(fs.readdirSync(path.join(folder, 'root'))).toEqual(['a.md', 'b.md']);
  });

  it('loses only the line that a crash tore', async () => {
    const { store, folder } = open();
    await put(store, 'a.md', 'a');
    fs.appendFileSync(path.join(folder, 'state/journal'), '{"seq":2,"at":"20');
    await put(store, 'b.md', 'b');
    expect((await store.journal.entries()).map(({ seq, path: file }) => [seq, file])).toEqual([
      [1, 'a.md'],
      [2, 'b.md'],
    ]);
  });

  it('keeps the bytes of a file that is no UTF-8', async () => {
    const { store, folder } = open();
    fs.mkdirSync(path.join(folder, 'root'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'root/a.md'), Buffer.from([0xff, 0xfe, 0x41]));
    const entry = await put(store, 'a.md', 'new');
    const version = path.join(folder, 'state/versions', entry.before!.slice(0, 2), entry.before!);
    expect(fs.readFileSync(version)).toEqual(Buffer.from([0xff, 0xfe, 0x41]));
  });

  it('names a file by its bytes, whatever its text is taken for', async () => {
    const { store, folder } = open();
    fs.mkdirSync(path.join(folder, 'root'), { recursive: true });
    for (const bytes of [Buffer.from('plain'), Buffer.from('\uFEFFmarked \uFFFD'), Buffer.from([0x61, 0xff, 0xfe, 0x62]), Buffer.alloc(0)]) {
      fs.writeFileSync(path.join(folder, 'root/a.md'), bytes);
      const read = await store.read(at('a.md'));
      expect(read).toMatchObject({ text: bytes.toString('utf8'), size: bytes.length, hash: createHash('md5').update(bytes).digest('hex') });
    }
  });

  it('refuses a folder, a file and a root reached through links that lead outside', async () => {
    const { store, folder } = open();
    const [root, outside] = [path.join(folder, 'root'), path.join(folder, 'outside')];
    fs.mkdirSync(root);
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'x.md'), 'x');
    fs.symlinkSync(outside, path.join(root, 'decisions'));
    fs.symlinkSync(path.join(outside, 'x.md'), path.join(root, 'link.md'));
    for (const target of ['decisions/x.md', 'decisions/new.md', 'link.md'])
      expect(await store.locate('private', target)).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
  });

  it('refuses a name that differs from an existing one in letter case only', async () => {
    const { store } = open();
    await put(store, 'decisions/use-it.md', 'x');
    expect(await store.locate('private', 'decisions/Use-It.md')).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
    expect(await store.locate('private', 'decisions/use-it.md')).toMatchObject({ ok: true });
    // A caller that knows the names in the folder need not have them listed again.
    expect(await store.locate('private', 'decisions/Use-It.md', 'free')).toMatchObject({ ok: true });
  });

  it('tells a full disk, a read-only folder and a file in the way apart, and changes nothing', async () => {
    const { store, folder } = open();
    await put(store, 'decisions/a.md', 'a');
    const journal = fs.readFileSync(path.join(folder, 'state/journal'), 'utf8');
    fs.writeFileSync(path.join(folder, 'root/runbooks'), 'a file');
    await expect(put(store, 'runbooks/b.md', 'b')).rejects.toMatchObject({ code: 'IO_ERROR', message: expect.stringContaining('runbooks') as string });
    expect(fs.readFileSync(path.join(folder, 'state/journal'), 'utf8')).toBe(journal);
    expect(fs.readFileSync(path.join(folder, 'root/runbooks'), 'utf8')).toBe('a file');
  });

  it('gives up on a lock that another holds for too long, and says so', async () => {
    const { store, folder } = open();
    await put(store, 'a.md', 'a');
    const { WriteLock } = await import('../../../src/adapters/files/lock.ts');
    const holder = openDatabase(path.join(folder, 'state/lock.db'));
    holder.exec('BEGIN EXCLUSIVE');
    const lock = new WriteLock(path.join(folder, 'state/lock.db'), openDatabase, 50);
    await expect(lock.hold(async () => 1)).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
    holder.close();
    await expect(lock.hold(async () => 1)).resolves.toBe(1);
    lock.close();
  });
});
