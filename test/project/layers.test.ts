import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { STEPS } from '../../scripts/steps.js';
import { checkLayers, silencersOutsideSource } from './check-layers.ts';
import { LAYERS, layerMarkdown } from './layers.ts';
import { layerOverrides } from './lint-rules.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface PackageFile {
  readonly dependencies: Record<string, string>;
  readonly scripts: Record<string, string>;
}

interface LintFile {
  readonly options: unknown;
  readonly ignorePatterns: unknown;
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: Record<string, unknown> }[];
}

interface CompilerFile {
  readonly compilerOptions: unknown;
  readonly include: readonly string[];
  readonly exclude?: unknown;
  readonly extends?: unknown;
}

/** Packages of the web page’s server: they are in the bundle, so that no user installs them. */
const ONLY_BUNDLED = ['@hono/node-server', 'hono', 'jose', 'pg'];

const packageFile = JSON.parse(text('package.json')) as PackageFile;
const lintFile = JSON.parse(text('.oxlintrc.json')) as LintFile;
const compilerFile = (file: string): CompilerFile => JSON.parse(text(file)) as CompilerFile;
const commands = STEPS.map((step) => step.command.join(' '));

describe('the layer rule', () => {
  test('holds for every import of every file', () => {
    expect(checkLayers(root)).toEqual([]);
  });

  test('is nowhere switched off by a comment', () => {
    expect(silencersOutsideSource(root, ['viewer', 'test', 'scripts', 'bench'])).toEqual([]);
  });

  test('names packages that the project depends on, and all of them', () => {
    const owner = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    const named = new Set(LAYERS.flatMap((layer) => layer.packages).map(owner));
    expect([...named].toSorted()).toEqual([...Object.keys(packageFile.dependencies), ...ONLY_BUNDLED].toSorted());
  });

  test('has no circle and no layer above itself', () => {
    const seen = new Set<string>();
    for (const layer of LAYERS) {
      expect(layer.imports.filter((name) => !seen.has(name))).toEqual([]);
      seen.add(layer.name);
    }
  });
});

describe('the linter', () => {
  test('holds the same table', () => {
    expect(lintFile.overrides.filter((override) => 'no-restricted-imports' in override.rules)).toEqual(layerOverrides());
  });

  test('has no other override that lifts a rule of the layers', () => {
    const lifted = lintFile.overrides
      .filter((override) => Object.values(override.rules).includes('off'))
      .map((override) => [override.files, Object.keys(override.rules)]);
    expect(lifted).toEqual([
      [['src/edges/**'], ['no-console']],
      [['src/bin/**'], ['no-console', 'node/no-process-env']],
      [
        ['test/**', 'bench/**'],
        ['typescript/ban-ts-comment', 'typescript/no-non-null-assertion'],
      ],
      [['vitest.config.ts', 'scripts/attack-counts.js'], ['import/no-default-export']],
    ]);
  });

  test('looks at the whole tree with type information and fails on a warning', () => {
    expect(lintFile.options).toMatchObject({ typeAware: true, denyWarnings: true, respectEslintDisableDirectives: false });
    expect(lintFile.ignorePatterns).toEqual(['dist', 'node_modules', 'coverage', 'test/fixtures']);
    expect(commands).toContain('node_modules/oxlint/bin/oxlint src viewer test scripts bench vitest.config.ts');
  });
});

describe('the compiler', () => {
  test('sees the pure layers, all of them, without Node', () => {
    const { compilerOptions, include, exclude, extends: base } = compilerFile('tsconfig.pure.json');
    expect(include.toSorted()).toEqual(
      LAYERS.filter((layer) => layer.pure)
        .map((layer) => `src/${layer.name}`)
        .toSorted(),
    );
    expect(compilerOptions).toEqual({ lib: ['es2023'], types: [] });
    expect(base).toBe('./tsconfig.json');
    expect(exclude).toBeUndefined();
  });

  test('is strict', () => {
    expect(compilerFile('tsconfig.json').compilerOptions).toMatchObject({
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
    });
  });

  test('runs on both projects in `npm test`', () => {
    expect(commands).toContain('node_modules/typescript/bin/tsc -p tsconfig.json');
    expect(commands).toContain('node_modules/typescript/bin/tsc -p tsconfig.pure.json');
    expect(packageFile.scripts['test']).toBe('node scripts/test.js');
  });
});

test('docs/architecture.md shows the table as it is', () => {
  expect(text('docs/architecture.md'), 'run node scripts/architecture.js').toContain(`<!-- layers:start -->\n\n${layerMarkdown()}\n\n<!-- layers:end -->`);
});

test('.ci/run can be run and runs what the README tells people to', () => {
  accessSync(path.join(root, '.ci/run'), constants.X_OK);
  expect(text('.ci/run')).toMatch(/^npm ci$/m);
  expect(text('.ci/run')).toMatch(/^npm test$/m);
  for (const [command] of text('.ci/run').matchAll(/^npm .+$/gm)) expect(text('README.md')).toContain(command);
});
