import { LAYERS, type Layer } from './layers.ts';

type Pattern = { readonly regex: string; readonly message: string } | { readonly group: readonly string[]; readonly message: string };

interface Path {
  readonly name: string;
  readonly importNames: readonly string[];
  readonly message: string;
}

/** One entry of `overrides` in `.oxlintrc.json`. */
export interface LintOverride {
  readonly files: readonly string[];
  readonly rules: { readonly 'no-restricted-imports': readonly ['error', { readonly paths?: readonly Path[]; readonly patterns: readonly Pattern[] }] };
}

/** A relative path that climbs to a folder, by `../name/` or by `src/name/`. */
const into = (names: readonly string[]): string => String.raw`^(?:.*/)?(?:\.\./|src/)(?:${names.join('|')})/`;

/** Every bare specifier but these; a list with negations, because the linter's expressions know no look-ahead and fail without a word. */
const packagesOutside = (allowed: readonly string[]): readonly string[] => [
  '**',
  '!./**',
  '!../**',
  '!node:*',
  '!node:*/**',
  ...allowed.flatMap((name) => [`!${name}`, `!${name}/**`]),
];

const layerPatterns = (layer: Layer, more: readonly Pattern[]): readonly Pattern[] => {
  const foreign = LAYERS.map((other) => other.name).filter((name) => name !== layer.name && !layer.imports.includes(name));
  const may = layer.imports.length === 0 ? 'only itself' : `only ${layer.imports.join(', ')}`;
  return [
    ...(layer.pure ? [{ regex: '^node:', message: `src/${layer.name} is pure: pass in what Node would give.` }] : []),
    ...(foreign.length === 0 ? [] : [{ regex: into(foreign), message: `src/${layer.name} imports ${may} (docs/architecture.md).` }]),
    ...more,
    // Last: once a negation has matched, the linter looks at no further pattern.
    { group: packagesOutside(layer.packages), message: `src/${layer.name} may not import this package (docs/architecture.md).` },
  ];
};

/** Ways to the environment that `node/no-process-env` does not see. */
const environmentPaths = (layer: Layer): readonly Path[] =>
  layer.pure || layer.name === 'bin'
    ? []
    : [
        { name: 'node:process', importNames: ['env'], message: 'Only src/bin reads the environment.' },
        { name: 'node:os', importNames: ['homedir', 'userInfo'], message: 'Only src/bin finds the home; it is passed in.' },
      ];

const restriction = (files: string, layer: Layer, more: readonly Pattern[]): LintOverride => {
  const paths = environmentPaths(layer);
  return {
    files: [files],
    rules: { 'no-restricted-imports': ['error', { ...(paths.length === 0 ? {} : { paths }), patterns: layerPatterns(layer, more) }] },
  };
};

/** The overrides that hold the layer table: one a layer, and one a part where parts never import each other. */
export const layerOverrides = (): readonly LintOverride[] =>
  LAYERS.flatMap((layer) => {
    const whole = restriction(`src/${layer.name}/**`, layer, []);
    const parts = (layer.parts ?? []).map((part) => {
      const others = (layer.parts ?? []).filter((other) => other !== part);
      const message = `src/${layer.name}/${part} may not import another part of src/${layer.name}.`;
      return restriction(`src/${layer.name}/${part}/**`, layer, [{ regex: String.raw`^(?:.*/)?(?:\.\./|${layer.name}/)(?:${others.join('|')})/`, message }]);
    });
    return [whole, ...parts];
  });
