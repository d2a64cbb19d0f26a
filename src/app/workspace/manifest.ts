import { isObject } from '../../core/value.ts';
/** A file that declares a project's name and dependencies. */
export interface PackageManifest {
  readonly file: string;
  readonly text: string;
}

export const MANIFESTS = ['package.json', 'pyproject.toml', 'requirements.txt', 'Cargo.toml', 'go.mod', 'composer.json', '.gitmodules'] as const;

/** The dependencies of a manifest, by name or by a path on this machine. */
export interface DeclaredNeeds {
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

const captures = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, capture = '']) => capture);

/** The sections of a TOML file whose headings match. */
const tomlSections = (text: string, heading: RegExp): string =>
  text
    .split(/^(?=\s*\[)/m)
    .filter((part) => heading.test(part.trimStart().split('\n', 1)[0] ?? ''))
    .join('\n');

/** The name under which other projects depend on this one. */
export function nameIn(manifest: PackageManifest): string | undefined {
  const { file, text } = manifest;
  if (file.endsWith('.json')) return typeof jsonOf(manifest)['name'] === 'string' ? String(jsonOf(manifest)['name']) : undefined;
  if (file === 'go.mod') return /^module\s+(\S+)/m.exec(text)?.[1];
  if (file.endsWith('.toml')) return /^name\s*=\s*["']([^"']+)["']/m.exec(tomlSections(text, /^\[(?:package|project|tool\.poetry)\]/))?.[1];
  return undefined;
}

/** The packages and paths that a manifest depends on. */
export function needsIn(manifest: PackageManifest): DeclaredNeeds {
  const { file, text } = manifest;
  return { names: namesIn(manifest), paths: captures(text, LOCAL).filter((path) => file !== '.gitmodules' || path.startsWith('.') || path.startsWith('/')) };
}

function namesIn(manifest: PackageManifest): readonly string[] {
  const { file, text } = manifest;
  if (file.endsWith('.json')) return JSON_NEEDS.flatMap((field) => (isObject(jsonOf(manifest)[field]) ? Object.keys(jsonOf(manifest)[field] as object) : []));
  if (file === 'go.mod') return captures(text, /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+|[\w.-]+\/\S+)\s+v\d/gm);
  if (file === 'Cargo.toml') return captures(tomlSections(text, /dependencies/), /^([\w-]+)\s*=/gm);
  if (file === 'requirements.txt') return captures(text, /^([A-Za-z][\w.-]*)/gm);
  if (file === 'pyproject.toml')
    return [
      ...captures(tomlSections(text, /^\[tool\.poetry\..*dependencies\]/), /^([\w.-]+)\s*=/gm),
      ...captures(tomlSections(text, /^\[(?:project|dependency-groups)/), /^\s*["']([A-Za-z][\w.-]*)/gm),
    ];
  return [];
}
