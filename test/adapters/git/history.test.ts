import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobHash } from '../../../src/adapters/git/refs.ts';
import { type Commit, firstCommit, readCommits } from '../../../src/adapters/git/history.ts';
import { findRepository, type Repository } from '../../../src/adapters/git/repository.ts';
import { sandbox } from './sandbox.ts';

const box = sandbox();
const at = (path: string): Repository => findRepository(path) ?? expect.fail(`no repository at ${path}`);
const commits = async (path: string, query = {}): Promise<readonly Commit[]> => {
  const outcome = await readCommits(at(path), query, process.env);
  return outcome.ok ? outcome.value : expect.fail(outcome.error.message);
};

describe('blobHash', () => {
  it('is what git makes of the same bytes', () => {
    const top = box.repository('blobs');
    const contents = [Buffer.alloc(0), Buffer.from('a\n'), Buffer.from('Ünïcödé\r\n'), Buffer.alloc(3 * 1024 * 1024 + 7, 'xyz\0')];
    for (const [n, content] of contents.entries()) {
      const file = box.write(join(top, `f${n}`), content);
      expect(blobHash(file)).toBe(box.git(top, 'hash-object', '--no-filters', file));
    }
    symlinkSync('src/a.txt', join(top, 'link'));
    box.git(top, 'add', 'link');
    expect(blobHash(join(top, 'link'))).toBe(box.git(top, 'rev-parse', ':link'));
    expect(blobHash(join(top, 'src', 'a.txt'))).toBe(box.git(top, 'rev-parse', 'HEAD:src/a.txt'));
  });

  it('is 64 digits in a repository of the newer kind', () => {
    const top = box.path('sha256');
    box.git(box.folder, 'init', '--quiet', '--object-format=sha256', top);
    const file = box.write(join(top, 'a'), 'a\n');
    expect(blobHash(file, 'sha256')).toBe(box.git(top, 'hash-object', file));
  });

  it('is undefined for what is no file', () => {
    expect(blobHash(box.path('nowhere'))).toBeUndefined();
    expect(blobHash(box.folder)).toBeUndefined();
  });
});

describe('readCommits', () => {
  it('gives the commits of the branch, newest first, with their words and files', async () => {
    const top = box.repository('history');
    box.write(join(top, 'd d', 'ü "x".txt'), 'b');
    box.write(join(top, 'z'), 'b');
    box.git(top, 'add', '.');
    box.git(top, 'commit', '--quiet', '-m', 'Use a\tqueue\n\nBecause the // worker\nwas lost.\n\nSecond paragraph', '--date=2026-01-01T00:00:00+0200');
    box.git(top, 'commit', '--quiet', '--allow-empty', '-m', 'Nothing');
    const [empty, queue, start, ...rest] = await commits(top);
    expect(rest).toEqual([]);
    expect(empty).toMatchObject({ subject: 'Nothing', body: '', files: [], merge: false, id: box.git(top, 'rev-parse', 'HEAD') });
    expect(queue).toMatchObject({ subject: 'Use a\tqueue', body: 'Because the // worker\nwas lost.\n\nSecond paragraph', files: ['d d/ü "x".txt', 'z'] });
    expect(start).toMatchObject({ subject: 'Start history', files: ['src/a.txt'] });
    expect(queue?.at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  });

  it('takes a limit, times and paths, which are never patterns or options', async () => {
    const top = box.repository('asked');
    box.write(join(top, '*.txt'), 'star');
    box.git(top, 'add', '.');
    box.git(top, 'commit', '--quiet', '-m', 'Star');
    expect((await commits(top, { limit: 1 })).map(({ subject }) => subject)).toEqual(['Star']);
    expect((await commits(top, { paths: ['*.txt'] })).map(({ subject }) => subject)).toEqual(['Star']);
    expect((await commits(top, { paths: ['src/a.txt', '--all'] })).map(({ subject }) => subject)).toEqual(['Start asked']);
    const made = Date.parse((await commits(top))[0]?.at ?? '');
    expect(await commits(top, { since: made + 60_000 })).toEqual([]);
    expect(await commits(top, { until: made - 60_000 })).toEqual([]);
    expect(await commits(top, { since: made - 60_000, until: made + 60_000 })).toHaveLength(2);
  });

  it('marks merges', async () => {
    const top = box.repository('merged');
    box.git(top, 'switch', '--quiet', '-c', 'side');
    box.git(top, 'commit', '--quiet', '--allow-empty', '-m', 'Side');
    box.git(top, 'switch', '--quiet', 'main');
    box.git(top, 'merge', '--quiet', '--no-ff', 'side', '-m', 'Merge');
    expect((await commits(top)).filter(({ merge }) => merge).map(({ subject }) => subject)).toEqual(['Merge']);
    expect(await commits(top)).toHaveLength(3);
  });

  it('is empty before the first commit, and says what is wrong with a broken repository', async () => {
    const top = box.path('fresh');
    box.git(box.folder, 'init', '--quiet', top);
    expect(await commits(top)).toEqual([]);
    const broken = box.repository('broken');
    writeFileSync(join(broken, '.git', 'config'), '[broken');
    expect(await commits(broken), 'the configuration is never read').toHaveLength(1);
    writeFileSync(join(broken, '.git', 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`);
    expect(await readCommits(at(broken), {}, process.env)).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } });
  });

  it('runs no program that the repository names', async () => {
    const top = box.repository('wicked');
    const marker = box.path('ran');
    const program = box.write(box.path('program.sh'), `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(program, 0o755);
    const signed = box
      .git(top, 'cat-file', 'commit', 'HEAD')
      .replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n');
    const commit = box.git(top, 'hash-object', '-t', 'commit', '-w', box.write(box.path('signed'), `${signed}\n`));
    box.git(top, 'update-ref', 'refs/heads/main', commit);
    const traps = { 'log.showSignature': 'true', 'gpg.program': program, 'core.fsmonitor': program, 'core.pager': program, 'diff.external': program };
    for (const [name, value] of Object.entries(traps)) box.git(top, 'config', name, value);
    box.git(top, 'log');
    expect(existsSync(marker), 'the trap works').toBe(true);
    rmSync(marker);
    expect(await commits(top)).toHaveLength(1);
    expect(firstCommit(at(top), process.env)).toBe(commit);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('firstCommit', () => {
  it('is the same in every clone, unless it is shallow', () => {
    const top = box.repository('first');
    const root = box.git(top, 'rev-parse', 'HEAD');
    appendFileSync(join(top, 'src', 'a.txt'), 'more');
    box.git(top, 'commit', '--quiet', '-am', 'More');
    box.git(box.folder, 'clone', '--quiet', top, 'first-clone');
    box.git(box.folder, 'clone', '--quiet', '--depth=1', `file://${top}`, 'first-shallow');
    expect(firstCommit(at(top), process.env)).toBe(root);
    expect(firstCommit(at(box.path('first-clone')), process.env)).toBe(root);
    expect(firstCommit(at(box.path('first-shallow')), process.env)).toBeUndefined();
    mkdirSync(box.path('first-none'));
    box.git(box.path('first-none'), 'init', '--quiet');
    expect(firstCommit(at(box.path('first-none')), process.env)).toBeUndefined();
  });
});
