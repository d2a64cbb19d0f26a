import { isObject } from '../../core/value.ts';
/** A file in which a project says what it is called and what it needs. */
export interface PackageManifest {
  readonly file: string;
  readonly text: string;
}

export const MANIFESTS = ['package.json', 'pyproject.toml', 'requirements.txt', 'Cargo.toml', 'go.mod', 'composer.json', '.gitmodules'] as const;

/** The dependencies of a manifest, by name or by a path on this machine. */
export interface Needs {
  readonly names: readonly string[];
  readonly paths: readonly string[];
}

function jsonOf({ text }: PackageManifest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const JSON_NEEDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'require', 'require-dev'];
const LOCAL =
  /(?:\b(?:file|link|portal|workspace):(?:\/\/)?|\b(?:path|url)"?\s*[=:]\s*|=>\s*|^-e\s+|@\s*file:\/\/)["']?(\.{0,2}[/\\][^"'\s,;)}]*|\.{1,2}(?=["'\s,)}]))/gm;

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The lines of a TOML file under the headings that fit. */
const under = (text: string, heading: RegExp): string =>
  text
    .split(/^(?=\s*\[)/m)
    .filter((part) => heading.test(part.trimStart().split('\n', 1)[0] ?? ''))
    .join('\n');

/** The name by which others ask for this project. */
export function nameIn(manifest: PackageManifest): string | undefined {
  const { file, text } = manifest;
  if (file.endsWith('.json')) return typeof jsonOf(manifest)['name'] === 'string' ? String(jsonOf(manifest)['name']) : undefined;
  if (file === 'go.mod') return /^module\s+(\S+)/m.exec(text)?.[1];
  if (file.endsWith('.toml')) return /^name\s*=\s*["']([^"']+)["']/m.exec(under(text, /^\[(?:package|project|tool\.poetry)\]/))?.[1];
  return undefined;
}

/** The packages and paths that a manifest asks for. */
export function needsIn(manifest: PackageManifest): Needs {
  const { file, text } = manifest;
  return { names: namesIn(manifest), paths: all(text, LOCAL).filter((path) => file !== '.gitmodules' || path.startsWith('.') || path.startsWith('/')) };
}

function namesIn(manifest: PackageManifest): readonly string[] {
  const { file, text } = manifest;
  if (file.endsWith('.json')) return JSON_NEEDS.flatMap((field) => (isObject(jsonOf(manifest)[field]) ? Object.keys(jsonOf(manifest)[field] as object) : []));
  if (file === 'go.mod') return all(text, /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+|[\w.-]+\/\S+)\s+v\d/gm);
  if (file === 'Cargo.toml') return all(under(text, /dependencies/), /^([\w-]+)\s*=/gm);
  if (file === 'requirements.txt') return all(text, /^([A-Za-z][\w.-]*)/gm);
  if (file === 'pyproject.toml')
    return [
      ...all(under(text, /^\[tool\.poetry\..*dependencies\]/), /^([\w.-]+)\s*=/gm),
      ...all(under(text, /^\[(?:project|dependency-groups)/), /^\s*["']([A-Za-z][\w.-]*)/gm),
    ];
  return [];
}
