/** The one table of layers. `.oxlintrc.json`, `tsconfig.pure.json` and `docs/architecture.md` are held to it by layers.test.ts. */
export interface Layer {
  /** Its folder under `src/`. */
  readonly name: string;
  readonly holds: string;
  /** The other layers it may import. */
  readonly imports: readonly string[];
  /** No Node, no clock, no environment: everything is passed in. */
  readonly pure: boolean;
  /** npm packages it may import, with their subpaths. */
  readonly packages: readonly string[];
  /** Folders inside it that never import each other. */
  readonly parts?: readonly string[];
}

export const LAYERS: readonly Layer[] = [
  {
    name: 'core',
    holds: 'record, document, episode, lifecycle, merge rules, redaction rules, ranking, ports',
    imports: [],
    pure: true,
    packages: ['zod/mini'],
  },
  { name: 'capture', holds: 'transcript lines to messages to triage to candidates, one reader a client', imports: ['core'], pure: true, packages: [] },
  { name: 'recall', holds: 'search and ranking, the gate that decides what is injected, injected blocks', imports: ['core'], pure: true, packages: [] },
  { name: 'render', holds: 'records and documents to Markdown and back, views, indexes', imports: ['core'], pure: true, packages: ['yaml'] },
  { name: 'app', holds: 'use cases over the ports of core', imports: ['core', 'capture', 'recall', 'render'], pure: true, packages: ['diff'] },
  {
    name: 'adapters',
    holds: 'the ports of core on files, databases, git and models',
    imports: ['core'],
    pure: false,
    packages: ['@photostructure/sqlite', 'pg', 'jose'],
    parts: ['files', 'sqlite', 'episodes', 'postgres', 'git', 'embed', 'model', 'process', 'team'],
  },
  {
    name: 'edges',
    holds: 'ways in: parse the input, call one use case, present the result',
    imports: ['core', 'capture', 'recall', 'render', 'app'],
    pure: false,
    packages: ['hono', '@hono/node-server', 'zod/mini'],
    parts: ['hook', 'cli', 'mcp', 'http', 'library', 'team'],
  },
  {
    name: 'bin',
    holds: 'composition roots: the only readers of environment and configuration, one bundle each',
    imports: ['core', 'capture', 'recall', 'render', 'app', 'adapters', 'edges'],
    pure: false,
    packages: [],
  },
];

export const layerNamed = (name: string): Layer | undefined => LAYERS.find((layer) => layer.name === name);

const cells = (values: readonly string[]): string => (values.length === 0 ? '–' : values.map((value) => `\`${value}\``).join(', '));

/** The table as `docs/architecture.md` shows it. */
export const layerMarkdown = (): string => {
  const rows = LAYERS.map(
    (layer) =>
      `| \`src/${layer.name}/\` | ${layer.holds} | ${cells(layer.imports)} | ${cells(layer.packages)} | ${layer.pure ? 'no' : 'yes'} | ${cells(layer.parts ?? [])} |`,
  );
  return ['| Layer | Holds | May import | Packages | Node | Parts that never import each other |', '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
};
