import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** A native package, loaded only by the adapter that needs it. */
export const EXTERNAL = ['@photostructure/sqlite'];

/**
 * CommonJS, because Node 20 starts it about 10 ms sooner than the same code as ES modules (docs/decisions/toolchain.md).
 * Identifiers keep their names, so that a stack trace can be read.
 * @type {import('esbuild').BuildOptions & { metafile: true }}
 */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  external: EXTERNAL,
  // The `require` shows tools that guess a file's kind that it is CommonJS; `import.meta.url` is left out, since making a URL costs every start a millisecond.
  banner: { js: '#!/usr/bin/env node\n/* CommonJS */ void require ("node:fs");' },
  define: {
    'import.meta.filename': '__filename',
    'import.meta.dirname': '__dirname',
    HOLDFAST_VERSION: JSON.stringify(version),
  },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  charset: 'ascii',
  metafile: true,
  // Leaves out an optional addon of pg, which Holdfast does not use.
  plugins: [
    {
      name: 'no pg-native',
      setup: (bundling) => {
        bundling.onResolve({ filter: /^pg-native$/ }, () => ({ path: 'pg-native', namespace: 'none' }));
        bundling.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: '' }));
      },
    },
  ],
  logLevel: 'silent',
  logOverride: { 'empty-import-meta': 'error', 'direct-eval': 'error' },
};

/**
 * One TypeScript file with all it imports, as a module; Node 20 cannot run TypeScript by itself.
 * @param {string} file
 * @returns {Promise<Record<string, any>>}
 */
export const loadTypeScript = async (file) => {
  const { outputFiles } = await build({ ...bundleOptions, entryPoints: [file], format: 'esm', banner: {}, define: {}, packages: 'external', write: false });
  const code = outputFiles?.[0]?.text ?? '';
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
};
