import { isObject } from '../../core/value.ts';
import type { RootName } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

const FORMAT = 'holdfast-bundle';
const VERSION = 1;
export const MANIFEST = 'manifest.json';

export const SCOPES = ['user', 'project', 'all'] as const;
export type BundleScope = (typeof SCOPES)[number];

/** A project with the facts by which another machine recognises it. */
export interface BundledProject {
  readonly key: string;
  readonly identity: string;
  readonly hash: string;
  readonly path: string;
  readonly paths: readonly string[];
  readonly remote?: string;
  readonly firstCommit?: string;
}

export interface BundledFile {
  /** Its name in the bundle: `user/…` or `projects/KEY/…`. */
  readonly name: string;
  /** The project's key; absent for the user's own memory. */
  readonly project?: string;
  readonly root: RootName;
  readonly path: string;
  readonly sha256: string;
  /** MD5 of every version, the current one last; they tell which of two versions is newer without clocks. */
  readonly versions: readonly string[];
}

/** A file beside the memory's own: settings of the user or of a project, or a conversation. */
export interface BundledExtra {
  readonly name: string;
  readonly project?: string;
  readonly sha256: string;
}

export interface BundleManifest {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly created_at: string;
  readonly scope: BundleScope;
  readonly projects: readonly BundledProject[];
  readonly files: readonly BundledFile[];
  readonly settings: readonly BundledExtra[];
  readonly conversations: readonly BundledExtra[];
}

/** A file of a bundle, by its name there. */
export interface BundleFile {
  readonly name: string;
  readonly text: string;
}

export const manifestOf = (
  scope: BundleScope,
  createdAt: string,
  contents: Pick<BundleManifest, 'projects' | 'files' | 'settings' | 'conversations'>,
): BundleManifest => ({
  format: FORMAT,
  version: VERSION,
  created_at: createdAt,
  scope,
  ...contents,
});

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length < 4_096;
const isList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const optional = (value: unknown): boolean => value === undefined || isText(value);
const KEY = /^[a-z0-9][a-z0-9._-]{0,99}$/;

const isProject = (value: unknown): value is BundledProject =>
  isObject(value) &&
  isText(value['key']) &&
  KEY.test(value['key']) &&
  isText(value['identity']) &&
  isText(value['path']) &&
  typeof value['hash'] === 'string' &&
  isList(value['paths']) &&
  optional(value['remote']) &&
  optional(value['firstCommit']);

const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const isExtra = (value: unknown): value is BundledExtra => isObject(value) && isText(value['name']) && optional(value['project']) && isHash(value['sha256']);

const areExtras = (value: unknown): value is readonly BundledExtra[] => Array.isArray(value) && value.every(isExtra);

const isFile = (value: unknown): value is BundledFile =>
  isObject(value) &&
  isText(value['name']) &&
  optional(value['project']) &&
  (value['project'] === undefined ? value['root'] === 'user' || value['root'] === 'home' : value['root'] === 'private') &&
  isText(value['path']) &&
  isHash(value['sha256']) &&
  isList(value['versions']) &&
  value['versions'].every((hash) => /^[0-9a-f]{32}$/.test(hash));

const refuseBundle = (message: string, hint?: string): Result<never> =>
  refuse('INPUT_ERROR', `Cannot import this bundle: ${message}`, { ...(hint !== undefined && { hint }) });

/** Checks everything that a bundle claims: every file is listed once, has the path it names, and matches its hash. */
export function readBundle(
  entries: readonly BundleFile[],
  sha256: (text: string) => string,
): Result<{ readonly manifest: BundleManifest; readonly texts: ReadonlyMap<string, string> }> {
  const texts = new Map(entries.map(({ name, text }) => [name, text]));
  const manifest = parse(texts.get(MANIFEST));
  if (!isObject(manifest) || manifest['format'] !== FORMAT) return refuseBundle(`it has no ${MANIFEST} that says ${FORMAT}`, 'holdfast export FILE makes one');
  if (manifest['version'] !== VERSION) return refuseBundle(`its version is ${JSON.stringify(manifest['version'])}`, 'a newer holdfast may read it');
  const { projects, files, settings, conversations } = manifest;
  if (!Array.isArray(projects) || !projects.every(isProject)) return refuseBundle('its list of projects is damaged');
  if (!Array.isArray(files) || !files.every(isFile)) return refuseBundle('its list of files is damaged');
  if (!areExtras(settings) || !areExtras(conversations)) return refuseBundle('its list of settings or conversations is damaged');
  if (conversations.some(({ project }) => project === undefined)) return refuseBundle('a conversation in it belongs to no project');
  const all = [...files, ...settings, ...conversations];
  const names = new Set(all.map(({ name }) => name));
  if (names.size !== all.length) return refuseBundle('it lists a file twice');
  const unlisted = entries.find(({ name }) => name !== MANIFEST && !names.has(name));
  if (unlisted) return refuseBundle(`${unlisted.name} is not in its list`);
  for (const file of all) {
    const text = texts.get(file.name);
    if (text === undefined) return refuseBundle(`${file.name} is missing`);
    if (sha256(text) !== file.sha256)
      return refuseBundle(`${file.name} does not match its hash`, 'it was changed or damaged in transfer; nothing was imported');
    if (file.project !== undefined && !projects.some(({ key }) => key === file.project))
      return refuseBundle(`${file.name} belongs to no project of the bundle`);
  }
  return ok({ manifest: manifest as unknown as BundleManifest, texts });
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}
