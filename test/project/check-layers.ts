import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf } from './imports.ts';
import { LAYERS, layerNamed, type Layer } from './layers.ts';

/** One breach of the layer rule, as `src/file.ts: what is wrong`. */
export type Breach = string;

/** A comment that silences the compiler, the linter, the formatter or the coverage. */
const SILENCER =
  /^[\s*]*(?:(?:oxlint|eslint|biome)-(?:disable|enable|ignore)|@ts-(?:ignore|nocheck|expect-error)|(?:v8|c8|istanbul) ignore\b|(?:prettier|oxfmt)-ignore)/;

/** Where a file stands: its layer, and its part in a layer whose parts are strangers. */
interface Place {
  readonly layer: Layer;
  readonly part: string | undefined;
}

const placeOf = (fromRoot: string): Place | undefined => {
  const [top, name = '', part, rest] = fromRoot.split('/');
  const layer = top === 'src' ? layerNamed(name) : undefined;
  if (!layer) return undefined;
  return { layer, part: rest === undefined ? undefined : part };
};

const packageBreach = (place: Place, specifier: string): string | undefined => {
  if (specifier.startsWith('node:')) return place.layer.pure ? `pure, but imports ${specifier}` : undefined;
  const listed = place.layer.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return listed ? undefined : `imports the package ${specifier}, which the table does not list for src/${place.layer.name}`;
};

const fileBreach = (place: Place, target: string, specifier: string): string | undefined => {
  if (target === 'package.json' && place.layer.name === 'bin') return undefined;
  const other = placeOf(target);
  if (!other) return `imports ${specifier}, which is outside the layers`;
  if (other.layer !== place.layer)
    return place.layer.imports.includes(other.layer.name) ? undefined : `src/${place.layer.name} may not import src/${other.layer.name} (${specifier})`;
  return place.layer.parts && other.part !== place.part ? `src/${place.layer.name}/${place.part ?? ''} may not import another part (${specifier})` : undefined;
};

const placeBreach = (place: Place): string | undefined => {
  const { layer, part } = place;
  if (!layer.parts || (part !== undefined && layer.parts.includes(part))) return undefined;
  return `belongs in one of src/${layer.name}/{${layer.parts.join(',')}}; a new part goes into the table first`;
};

const checkFile = (root: string, file: string): readonly Breach[] => {
  const place = placeOf(file);
  if (!place) return [`${file}: src/ has only the layers ${LAYERS.map((layer) => layer.name).join(', ')}`];
  const { specifiers, computed, comments } = importsOf(file, readFileSync(path.join(root, file), 'utf8'));
  const found = [
    placeBreach(place),
    ...specifiers.map((specifier) =>
      specifier.startsWith('.') ? fileBreach(place, path.posix.join(path.posix.dirname(file), specifier), specifier) : packageBreach(place, specifier),
    ),
    // An adapter may have to find a native addon by its platform.
    ...(place.layer.name === 'adapters' ? [] : computed).map((expression) => `imports what only running it can tell: ${expression}`),
    ...comments.filter((comment) => SILENCER.test(comment)).map((comment) => `has a comment that disables a rule:${comment}`),
  ];
  return found.filter((breach) => breach !== undefined).map((breach) => `${file}: ${breach}`);
};

/** Every source file under `folder`, as paths from `root` with forward slashes. */
const sourcesUnder = (root: string, folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted();

/** Derives the layer rule again from what the files import; an empty list is a clean tree. */
export const checkLayers = (root: string): readonly Breach[] => sourcesUnder(root, 'src').flatMap((file) => checkFile(root, file));

/** The same silencers in tests, scripts and benches, where `@ts-expect-error` may prove that a type refuses. */
export const silencersOutsideSource = (root: string, folders: readonly string[]): readonly Breach[] =>
  folders
    .flatMap((folder) => sourcesUnder(root, folder))
    .filter((file) => !file.startsWith('test/fixtures/'))
    .flatMap((file) =>
      importsOf(file, readFileSync(path.join(root, file), 'utf8'))
        .comments.filter((comment) => SILENCER.test(comment) && !/^\s*@ts-expect-error \S/.test(comment))
        .map((comment) => `${file}: has a comment that disables a rule:${comment}`),
    );
