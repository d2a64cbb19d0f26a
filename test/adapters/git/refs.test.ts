import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGitConfig } from '../../../src/adapters/git/config.ts';
import { currentBranch, headCommit, isUnborn, remoteUrl } from '../../../src/adapters/git/refs.ts';
import { findRepository, type Repository } from '../../../src/adapters/git/repository.ts';
import { sandbox } from './sandbox.ts';

const box = sandbox();
const at = (path: string): Repository => findRepository(path) ?? expect.fail(`no repository at ${path}`);

describe('branch and commit', () => {
  it('agree with git: loose, packed, nested names, detached, in a worktree', () => {
    const top = box.repository('refs');
    const agree = (where: string, branch: string | undefined): void => {
      expect(currentBranch(at(where))).toBe(branch);
      expect(headCommit(at(where))).toBe(box.git(where, 'rev-parse', 'HEAD'));
    };
    agree(top, 'main');
    box.git(top, 'switch', '--quiet', '-c', 'feature/deep/name');
    agree(top, 'feature/deep/name');
    box.git(top, 'branch', 'feature/deep/name-longer');
    box.git(top, 'pack-refs', '--all');
    agree(top, 'feature/deep/name');
    box.git(top, 'worktree', 'add', '--quiet', box.path('refs-fix'), '-b', 'fix');
    box.git(box.path('refs-fix'), 'commit', '--quiet', '--allow-empty', '-m', 'More');
    box.git(top, 'pack-refs', '--all');
    agree(box.path('refs-fix'), 'fix');
    box.git(top, 'checkout', '--quiet', '--detach');
    agree(top, undefined);
  });

  it('know a branch before its first commit', () => {
    const top = box.path('unborn');
    box.git(box.folder, 'init', '--quiet', top);
    expect([currentBranch(at(top)), headCommit(at(top)), isUnborn(at(top))]).toEqual(['main', undefined, true]);
  });

  it.each(['ref: ../../../secret', 'ref: refs/../../../secret', 'ref: /etc/passwd', 'ref: refs/heads/..', 'garbage', '', 'ref: refs/heads/.invalid'])(
    'are undefined for the HEAD %j',
    (head) => {
      const top = box.repository('hostile');
      box.write(box.path('secret'), `${'a'.repeat(40)}\n`);
      box.write(join(top, '.git', 'HEAD'), head);
      expect([currentBranch(at(top)), headCommit(at(top))]).toEqual([undefined, undefined]);
      rmSync(top, { recursive: true });
    },
  );

  it('end on refs that point to each other', () => {
    const top = box.repository('circle');
    box.write(join(top, '.git', 'refs', 'heads', 'main'), 'ref: refs/heads/main\n');
    expect(headCommit(at(top))).toBeUndefined();
  });
});

describe('remote', () => {
  it('is origin, else the first, else none', () => {
    const top = box.repository('remotes');
    expect(remoteUrl(at(top))).toBeUndefined();
    box.git(top, 'remote', 'add', 'upstream', 'https://host/up/app.git');
    expect(remoteUrl(at(top))).toBe('https://host/up/app.git');
    box.git(top, 'remote', 'add', 'origin', 'git@host:me/app.git');
    expect(remoteUrl(at(top))).toBe('git@host:me/app.git');
    box.git(top, 'worktree', 'add', '--quiet', box.path('remotes-fix'));
    expect(remoteUrl(at(box.path('remotes-fix')))).toBe('git@host:me/app.git');
  });
});

describe('git config files', () => {
  it('are read as git reads them', () => {
    const text = [
      '# comment',
      '[core] bare = false',
      '\tWorkTree = "a b" ; note',
      '[Remote "Or\\"igin"]',
      '  URL = https://host/a#b',
      '  url = "x;y"  z ',
      '  fetch',
      '  pushurl = one \\',
      'two',
      '[a "b"] c = "tab\\there\\\\" ',
      '  empty =',
    ].join('\n');
    const file = box.write(box.path('config'), text);
    const ours = parseGitConfig(text).map(({ section, subsection, key, value }) => [[section, subsection, key].filter(Boolean).join('.'), value]);
    const theirs = box
      .git(box.folder, 'config', '--file', file, '--null', '--list')
      .split('\0')
      .filter(Boolean)
      .map((line) => [line.split('\n', 1)[0], line.includes('\n') ? line.slice(line.indexOf('\n') + 1) : 'true']);
    expect(ours).toEqual(theirs);
    expect(ours).toHaveLength(8);
  });

  it('are read around what is broken', () => {
    expect(parseGitConfig('[broken\n = nothing\n[remote "origin"]\n\turl = a\n\u0000\n')).toEqual([
      { section: 'remote', subsection: 'origin', key: 'url', value: 'a' },
    ]);
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void parseGitConfig(`[remote "x"]\n${text}`)));
  });
});
