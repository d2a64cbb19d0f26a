import { type GuardedFolders, guardWrite } from './guard.ts';

/** Commands that change all files they name, and those that change only the last one. */
const CHANGES_ALL_NAMED = /^(?:tee|touch|rm|rmdir|unlink|mv|truncate|dd|shred|sed|perl)$/;
const CHANGES_LAST_NAMED = /^(?:cp|ln|install|rsync)$/;
/** `sed` and `perl` only print without this option. */
const IN_PLACE = /^(?:-\w*i|--in-place)/;
const COMMAND_PREFIX = /^(?:sudo|env|command|nohup|time|then|do|else|\w+=\S*)$/;
/** A redirection with its target, a separator of commands, or a word. */
const WORD = /(?:\d*>{1,2}[|&]?|<+)\s*(?:"[^"]*"|'[^']*'|[^\s;|&<>()])+|&&|\|\||[;|&\n]|(?:"[^"]*"|'[^']*'|[^\s;|&<>()])+/g;

const unquoted = (word: string): string => word.replaceAll(/["']/g, '');

/** The files that a shell command names and writes. */
export function filesWritten(command: string): readonly string[] {
  const written: string[] = [];
  let words: string[] = [];
  const addWrittenFiles = (): void => {
    const [name = '', ...rest] = words.slice(words.findIndex((word) => !COMMAND_PREFIX.test(word)));
    const files = rest.filter((word) => !/^(?:-|if=)/.test(word)).map((word) => word.replace(/^of=/, ''));
    const tool = name.slice(name.lastIndexOf('/') + 1);
    const isReadOnly = /^(?:sed|perl)$/.test(tool) && !rest.some((word) => IN_PLACE.test(word));
    if (CHANGES_ALL_NAMED.test(tool) && !isReadOnly) written.push(...files);
    else if (CHANGES_LAST_NAMED.test(tool)) written.push(...files.slice(-1));
    words = [];
  };
  for (const [word] of command.matchAll(WORD)) {
    const target = /^\d*>{1,2}[|&]?\s*([^]+)$/.exec(word)?.[1];
    if (word.startsWith('<')) continue;
    if (target !== undefined) written.push(unquoted(target));
    else if (/^(?:&&|\|\||[;|&\n])$/.test(word)) addWrittenFiles();
    else words.push(unquoted(word));
  }
  addWrittenFiles();
  return written;
}

/** Why a shell command may not run, if it writes a file of another project's memory. */
export function denialOfWriteElsewhere(command: string, folders: GuardedFolders): string | undefined {
  const { projects, roots } = folders;
  if (projects === undefined || !command.includes(projects.slice(projects.lastIndexOf('/')))) return undefined;
  const home = projects.split('/').slice(0, -2).join('/');
  const others = { ...folders, roots: [] };
  for (const word of filesWritten(command)) {
    const file = word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, home);
    if (!file.startsWith(`${projects}/`) || roots.some((root) => file === root || file.startsWith(`${root}/`))) continue;
    // A folder is denied if a file in it would be.
    const denied = ['', '/x.md', '/_index.md']
      .map((inside) => guardWrite(file.replace(/\/+$/, '') + inside, others))
      .find(({ permission }) => permission === 'deny');
    if (denied !== undefined) return denied.reason;
  }
  return undefined;
}
