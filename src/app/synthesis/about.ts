import type { PackageManifest } from '../workspace/manifest.ts';
import { nameIn } from '../workspace/manifest.ts';
import { wholeWithin, withoutMarks } from '../../capture/summary/text.ts';
import { isObject } from '../../core/value.ts';
import { masterLine, type Item } from './item.ts';

/** Files in which a project introduces itself, best first. */
export const INTRODUCTIONS = [
  ...['README.md', 'readme.md', 'README.rst', 'README.txt', 'README', 'docs/README.md'],
  ...['PROJECT.md', 'docs/PROJECT.md', '.planning/PROJECT.md', 'memory-bank/projectbrief.md'],
  ...['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md'],
] as const;

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  py: 'Python',
  rs: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  cs: 'C#',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  swift: 'Swift',
  sql: 'SQL',
  sh: 'shell',
  ps1: 'PowerShell',
  lua: 'Lua',
  vue: 'Vue',
  svelte: 'Svelte',
  css: 'CSS',
  html: 'HTML',
};
/** Folders that only contain a project's parts; the layout names their subfolders. */
const PART_FOLDERS = new Set(['apps', 'packages', 'crates', 'services', 'libs', 'modules', 'plugins', 'cmd', 'internal', 'src', 'lib']);
const MOST_LANGUAGES = 4;
const MOST_FOLDERS = 8;
const DESCRIPTION = 320;
const SHORTEST = 30;

const counted = (names: Iterable<string>): (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
};

/** The part of the project that a file belongs to: its top folder, or the folder below a folder of parts. */
function partOf(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const [top, second] = folders;
  if (top === undefined || top.startsWith('.')) return undefined;
  return PART_FOLDERS.has(top) && second !== undefined ? `${top}/${second}` : top;
}

const languageOf = (path: string): string | undefined => LANGUAGES[(path.split('/').at(-1) ?? '').split('.').slice(1).at(-1)?.toLowerCase() ?? ''];

/** A sentence, which may be shorter than other prose. */
const SENTENCE = /^\p{L}\S*(?:\s+\S+){2,}[.!]$/u;
const NOT_PROSE = /^(?:[#>|<!\-*+=~]|``|(?:that|this|these|it|note|warning)\b|\[!|\[\]|\d+[.)]\s|:::|@|https?:)/;

/** The introduction of a README: its title and the first prose below it. */
export function leadOf(text: string): { readonly title?: string; readonly lead?: string } {
  const body = text
    .replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '');
  const title = /^#\s+(.+?)\s*$/m.exec(body)?.[1] ?? /^(\S.*)\r?\n=+\s*$/m.exec(body)?.[1];
  const lead = body
    .split(/\r?\n\s*\r?\n/)
    .map((block) => withoutMarks(block.replaceAll(/!?\[!?\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|<[^>]{1,300}>/g, ' ')).trim())
    .find((block) => (block.length > SHORTEST || SENTENCE.test(block)) && !NOT_PROSE.test(block) && /\s/.test(block) && /\p{L}{3}/u.test(block));
  return { ...(title !== undefined && { title: withoutMarks(title.replaceAll(/<[^>]{1,300}>/g, ' ')) }), ...(lead !== undefined && { lead }) };
}

function described(manifest: PackageManifest): string | undefined {
  if (!manifest.file.endsWith('.json')) return /^description\s*=\s*["']([^"']+)["']/m.exec(manifest.text)?.[1];
  try {
    const value: unknown = JSON.parse(manifest.text);
    return isObject(value) && typeof value['description'] === 'string' && value['description'] !== '' ? value['description'] : undefined;
  } catch {
    return undefined;
  }
}

/** Lines in agents' instructions that address the agent and do not describe the project. */
const FOR_AGENTS =
  /^This file (?:provides|contains|gives|is)\b|\bguidance (?:to|for) (?:Claude|AI|agents?|coding)|\b(?:guidelines|conventions|instructions|workflows)\b/i;

const unmarked = (text: string): string => text.replaceAll(/[`*_]/g, '').toLowerCase();

function introduction(files: readonly PackageManifest[]): Item | undefined {
  const item = (text: string, ref: string): Item => ({ section: 'status', text: masterLine(text, DESCRIPTION + 80), ref, at: 0, topics: [], files: [] });
  const manifests = files.filter(({ file }) => /\.(?:json|toml|mod)$/.test(file));
  const name = manifests.flatMap((manifest) => nameIn(manifest) ?? [])[0];
  const facts = manifests.flatMap((manifest) => {
    const text = described(manifest);
    return text === undefined ? [] : [{ file: manifest.file, text }];
  })[0];
  for (const fileName of INTRODUCTIONS) {
    const file = files.find(({ file: path }) => path === fileName);
    if (file === undefined) continue;
    const { title, lead } = leadOf(FOR_AGENTS.test(leadOf(file.text).lead ?? '') ? file.text.replace(leadOf(file.text).lead ?? '', '') : file.text);
    const isOwnTitle = title !== undefined && !/^(?:claude|agents?|readme)(?:\.md)?$|instructions|guidelines/i.test(title);
    const projectName = isOwnTitle ? title : name;
    if (lead !== undefined && !FOR_AGENTS.test(lead))
      return item(
        `${projectName === undefined || unmarked(lead).startsWith(unmarked(projectName)) ? '' : `${projectName}: `}${wholeWithin(lead, DESCRIPTION).replace(/(?<=[.!?])\s+[^.!?]*:$/, '')}`,
        fileName,
      );
  }
  if (facts !== undefined) return item(`${name === undefined ? '' : `${name}: `}${facts.text}`, facts.file);
  return name === undefined ? undefined : item(`The project is called ${name}`, manifests[0]?.file ?? '');
}

const SEEN_IN_SESSIONS = ' that the sessions touched';

interface ProjectFiles {
  readonly introductions: readonly PackageManifest[];
  readonly files: readonly string[];
  /** The folder, if it is not on this machine. */
  readonly absent?: string;
}

/** An overview of the project: its introduction, languages, layout and commands. */
export function aboutProject({ introductions, files, absent }: ProjectFiles): Item[] {
  const line = (text: string): Item => ({ section: 'status', text: masterLine(text, DESCRIPTION), ref: '', at: 0, topics: [], files: [] });
  const intro =
    introduction(introductions) ??
    (absent === undefined ? undefined : line(`${absent.split('/').at(-1) ?? absent}: its folder is not on this machine, and no session read its README`));
  const code = files.filter((path) => languageOf(path) !== undefined);
  const languages = counted(code.flatMap((path) => languageOf(path) ?? [])).slice(0, MOST_LANGUAGES);
  const folders = counted(files.flatMap((path) => partOf(path) ?? [])).slice(0, MOST_FOLDERS);
  const seenNote = absent === undefined ? '' : SEEN_IN_SESSIONS;
  const plural = (count: number): string => (count === 1 ? 'file' : 'files');
  return [
    ...(intro === undefined ? [] : [intro]),
    ...(languages.length === 0 ? [] : [line(`Code: ${languages.map(([name, count]) => `${count} ${name}`).join(', ')} ${plural(code.length)}${seenNote}`)]),
    ...(folders.length < 2 ? [] : [line(`Layout: ${folders.map(([name, count]) => `${name} (${count} ${plural(count)})`).join(', ')}`)]),
    ...scripts(introductions).map((text) => line(text)),
  ];
}

const RUNNERS = ['vitest', 'jest', 'mocha', 'playwright', '@playwright/test'];

/** The scripts and test runners that package.json names. */
function scripts(files: readonly PackageManifest[]): string[] {
  const manifest = files.find(({ file }) => file === 'package.json');
  if (manifest === undefined) return [];
  try {
    const value = JSON.parse(manifest.text) as Record<string, Record<string, unknown> | undefined>;
    const names = Object.keys(value['scripts'] ?? {}).slice(0, 8);
    const runners = RUNNERS.filter((name) => value['devDependencies']?.[name] !== undefined);
    const parts = [...(names.length > 0 ? [`scripts ${names.join(', ')}`] : []), ...(runners.length > 0 ? [`tests with ${runners.join(', ')}`] : [])];
    return parts.length === 0 ? [] : [`package.json: ${parts.join('; ')}`];
  } catch {
    return [];
  }
}
