import type { TextFile } from '../../core/ports/client-files.ts';
import { ok, type Result } from '../../core/result.ts';

/** Whether a line of a client's instructions imports a file: `@path` or `@import path`. */
const loads = (line: string, targets: readonly string[]): boolean => targets.some((target) => [`@${target}`, `@import ${target}`].includes(line.trim()));

/** Appends the line that imports the master, unless it is there. */
function withImport(text: string, target: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (text.split(/\r?\n/).some((line) => loads(line, [target]))) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}@${target}${eol}`;
}

/** Removes the import lines and changes no other byte. */
const withoutImport = (text: string, targets: readonly string[]): string =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).filter((line) => !loads(line, targets)).join('');

export interface ImportChange {
  readonly file: string;
  readonly changed: boolean;
  /** The master is outside the project, so Claude Code asks before it loads the file. */
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

/** Paths by which instructions may refer to the master: relative to the project, relative to the home, or absolute. */
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
 * Adds or removes the line that imports the master. A master in the project is imported in CLAUDE.md; any other in
 * CLAUDE.local.md, because a path of this machine must not be committed.
 */
export function changeImport(places: ImportPlaces, master: string, action: 'add' | 'remove'): Result<ImportChange> {
  const names = namesOf(master, places);
  const external = names.inside === undefined;
  if (action === 'add') return change(external ? places.local : places.shared, (text) => withImport(text, names.inside ?? names.outside), external);
  const changes = [places.shared, places.local].map((file) => change(file, (text) => withoutImport(text, names.all), external));
  const failed = changes.find((one) => !one.ok);
  return failed ?? changes.find((one) => one.ok && one.value.changed) ?? (changes[external ? 1 : 0] as Result<ImportChange>);
}
