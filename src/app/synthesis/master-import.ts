import type { TextFile } from '../../core/ports/client-files.ts';
import { ok, type Result } from '../../core/result.ts';

/** The line with which a client's instructions load a file: `@path`, or `@import path` as some write it. */
const loads = (line: string, targets: readonly string[]): boolean => targets.some((target) => [`@${target}`, `@import ${target}`].includes(line.trim()));

/** The instructions with the line that loads the master at their end; the same text when it is there. */
function withImport(text: string, target: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (text.split(/\r?\n/).some((line) => loads(line, [target]))) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}@${target}${eol}`;
}

/** The instructions without those lines; every other byte stays. */
const withoutImport = (text: string, targets: readonly string[]): string =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).filter((line) => !loads(line, targets)).join('');

export interface ImportChange {
  readonly file: string;
  readonly changed: boolean;
  /** The master lies outside the project: Claude Code asks before it loads such a file. */
  readonly external: boolean;
}

export interface ImportPlaces {
  /** CLAUDE.md, which is committed. */
  readonly shared: TextFile;
  /** CLAUDE.local.md, which is the user's own. */
  readonly local: TextFile;
  readonly worktree: string;
  readonly userHome: string;
}

/** How instructions may name the master: from the project, from the user's folder, or in full. */
function namesOf(
  master: string,
  { worktree, userHome }: ImportPlaces,
): { readonly inside?: string; readonly outside: string; readonly all: readonly string[] } {
  const below = (folder: string): string | undefined => (master.startsWith(`${folder}/`) ? master.slice(folder.length + 1) : undefined);
  const [inside, home] = [below(worktree), below(userHome)];
  const outside = home === undefined ? master : `~/${home}`;
  return { ...(inside !== undefined && { inside }), outside, all: [...(inside === undefined ? [] : [inside, `./${inside}`]), outside, master] };
}

function change(file: TextFile, next: (text: string) => string, external: boolean): Result<ImportChange> {
  const read = file.read();
  if (!read.ok) return read;
  const text = next(read.value);
  const changed = text !== read.value;
  const saved = !changed ? ok(undefined) : text.trim() === '' ? file.remove() : file.write(text);
  return saved.ok ? ok({ file: file.path, changed, external }) : saved;
}

/**
 * Adds or removes the line of a client's instructions that loads the master. A master in the project is named from there in CLAUDE.md; any other is named in
 * CLAUDE.local.md, because a path of this machine does not belong into a file that is committed.
 */
export function changeImport(places: ImportPlaces, master: string, action: 'add' | 'remove'): Result<ImportChange> {
  const names = namesOf(master, places);
  const external = names.inside === undefined;
  if (action === 'add') return change(external ? places.local : places.shared, (text) => withImport(text, names.inside ?? names.outside), external);
  const changes = [places.shared, places.local].map((file) => change(file, (text) => withoutImport(text, names.all), external));
  const failed = changes.find((one) => !one.ok);
  return failed ?? changes.find((one) => one.ok && one.value.changed) ?? (changes[external ? 1 : 0] as Result<ImportChange>);
}
