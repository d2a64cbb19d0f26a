import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { temporaryFolder } from '../../scratch.ts';

export interface Sandbox {
  readonly folder: string;
  path(...names: string[]): string;
  /** Runs the real git, free of the machine's own settings. */
  git(where: string, ...words: string[]): string;
  write(path: string, text: string | Uint8Array): string;
  /** A repository with one commit. */
  repository(name: string): string;
}

/** A folder of its own, gone when the tests of the file are done. */
export function sandbox(): Sandbox {
  const folder = realpathSync(mkdtempSync(join(temporaryFolder(), 'holdfast-git-')));
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  // The user's git configuration says which repositories are safe.
  vi.stubEnv('HOME', folder);
  const path = (...names: string[]): string => join(folder, ...names);
  const settings = ['user.name=Test', 'user.email=test@example.org', 'init.defaultBranch=main', 'protocol.file.allow=always', 'commit.gpgSign=false'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const git = (where: string, ...words: string[]): string =>
    execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...words], {
      cwd: where,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const write = (file: string, text: string | Uint8Array): string => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const repository = (name: string): string => {
    const top = path(name);
    mkdirSync(top, { recursive: true });
    git(top, 'init', '--quiet');
    write(join(top, 'src', 'a.txt'), `${name}\n`);
    git(top, 'add', '.');
    git(top, 'commit', '--quiet', '-m', `Start ${name}`);
    return top;
  };
  return { folder, path, git, write, repository };
}
