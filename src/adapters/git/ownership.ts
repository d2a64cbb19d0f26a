import { join } from 'node:path';
import { parseGitConfig } from './config.ts';
import { real } from './gitfile.ts';
import { statOf, gitFileText } from './read.ts';

const homeOf = (): string => process.getBuiltinModule('node:os').homedir();

/** Values of one key in the machine's and the user's own git configuration, never in a repository's. */
function userValues(section: string, key: string): readonly string[] {
  const home = homeOf();
  return ['/etc/gitconfig', join(home, '.config', 'git', 'config'), join(home, '.gitconfig')]
    .flatMap((file) => parseGitConfig(gitFileText(file) ?? ''))
    .filter((line) => line.section === section && line.subsection === '' && line.key === key)
    .map((line) => line.value);
}

function isDeclaredSafe(folder: string): boolean {
  const values = userValues('safe', 'directory');
  // An empty value takes back those before it.
  return values.slice(values.lastIndexOf('') + 1).some((value) => {
    if (value === '*') return true;
    const path = value.replace(/^~(?=\/)/, homeOf());
    return path.endsWith('/*') ? folder.startsWith(`${real(path.slice(0, -2))}/`) : real(path) === folder;
  });
}

/**
 * Whether all paths belong to the user who runs this, as git demands before it uses a repository: else whoever may write
 * to a folder above ours could put a repository there. `safe.directory` in the user's configuration excuses `folder`.
 */
export function isTrustedOwner(folder: string, ...paths: readonly string[]): boolean {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  const isOthers = (path: string): boolean => (statOf(path)?.uid ?? user) !== user;
  return ![folder, ...paths].some(isOthers) || isDeclaredSafe(folder);
}

/** Whether the user's configuration lets a bare repository be found by merely being in it. */
export const allowsBare = (): boolean => userValues('safe', 'barerepository').at(-1)?.toLowerCase() !== 'explicit';
