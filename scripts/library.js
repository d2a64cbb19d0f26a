import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, root } from './bundle.js';

/** The file of `src/bin/` that other programs import. */
const LIBRARY = 'library';

const CHUNK = /^library(?:-[\w-]+)?\.mjs$/;

/**
 * The library as ES modules, with lazily loaded code in chunks of its own. Packages stay outside: they are installed with it, and a program that bundles
 * the library can leave out the unused ones.
 * @param {string} outdir
 * @param {{ write?: boolean }} [options]
 */
export const bundleLibrary = (outdir, { write = true } = {}) =>
  build({
    ...bundleOptions,
    entryPoints: [{ in: `src/bin/${LIBRARY}.ts`, out: LIBRARY }],
    outdir,
    write,
    format: 'esm',
    splitting: true,
    packages: 'external',
    banner: {},
    define: { HOLDFAST_VERSION: bundleOptions.define?.['HOLDFAST_VERSION'] ?? '' },
    entryNames: '[name]',
    chunkNames: `${LIBRARY}-[name]-[hash]`,
    outExtension: { '.js': '.mjs' },
  });

/** Writes `dist/library.mjs` with its chunks, and removes those of an earlier build. */
export const buildLibrary = async () => {
  const dist = path.join(root, 'dist');
  const { metafile } = await bundleLibrary(dist);
  const leftovers = (await readdir(dist)).filter((file) => CHUNK.test(file) && !(`dist/${file}` in metafile.outputs));
  await Promise.all(leftovers.map((file) => rm(path.join(dist, file))));
  return metafile.outputs;
};

/** Every relative module that a declaration names. */
const NAMED = /(\bfrom\s+|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+?)\.ts\2/g;

/**
 * The types of the library: the compiler's declarations of `src/bin/library.ts` and of the modules that it reaches. They are named `.d.mts`,
 * because the code that they describe is a module whatever the package beside it says.
 */
export const buildTypes = async () => {
  const [compiled, types] = [path.join(root, 'node_modules/.cache/holdfast-types'), path.join(root, 'dist/types')];
  await rm(compiled, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.library.json', '--outDir', compiled], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the types of the library could not be compiled:\n${stdout}`);
  const done = new Set();
  const waiting = [`bin/${LIBRARY}`];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (done.has(name)) continue;
    done.add(name);
    const text = await readFile(path.join(compiled, `${name}.d.ts`), 'utf8');
    for (const [, , , target] of text.matchAll(NAMED)) waiting.push(path.posix.join(path.posix.dirname(name), target ?? ''));
    const file = path.join(types, `${name}.d.mts`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text.replaceAll(NAMED, '$1$2$3.mjs$2'));
  }
  const old = (await readdir(types, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const isOld = (/** @type {string} */ file) =>
    !done.has(
      path
        .relative(types, file)
        .replaceAll(path.sep, '/')
        .replace(/\.d\.mts$/, ''),
    );
  await Promise.all(
    old
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter(isOld)
      .map((file) => rm(file)),
  );
};
