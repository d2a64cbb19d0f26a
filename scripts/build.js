import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as esbuild, formatMessages } from 'esbuild';
import { bundleOptions, root } from './bundle.js';
import { assemblePlugin } from './plugin.js';
import { buildLibrary, buildTypes, LIBRARY } from './library.js';

/** @param {string} folder */
const sources = async (folder) => (await readdir(path.join(root, folder))).filter((file) => file.endsWith('.ts')).map((file) => path.basename(file, '.ts'));

/** Entries of `src/bin/`: each becomes one self-contained file in `dist/`; what they load late becomes `dist/late-*.js`. */
export const entries = async () => [
  ...(await sources('src/bin')).filter((name) => name !== LIBRARY).map((name) => ({ in: `src/bin/${name}.ts`, out: name })),
  ...(await sources('src/bin/late')).map((name) => ({ in: `src/bin/late/${name}.ts`, out: `late-${name}` })),
];

/**
 * A dynamic import from `src/bin/late/` stays outside the bundle: parsing code that a command does not run would cost it
 * more than running its own (docs/decisions/late-bundles.md).
 * @type {import('esbuild').Plugin}
 */
const late = {
  name: 'late',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/late\/[\w-]+\.ts$/ }, ({ kind, path: target }) =>
      kind === 'dynamic-import' ? { path: `./late-${path.basename(target, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/**
 * @param {string} outdir
 * @param {{ write?: boolean }} [options]
 */
export const bundle = async (outdir, { write = true } = {}) => {
  const entryPoints = await entries();
  if (entryPoints.length === 0) return undefined;
  const result = await esbuild({
    ...bundleOptions,
    entryPoints,
    outdir,
    entryNames: '[name]',
    write: false,
    plugins: [late],
    supported: { 'dynamic-import': false },
  });
  const outputFiles = result.outputFiles.map(({ path: file, text }) => ({ path: file, text: inAscii(text) }));
  if (write) await Promise.all(outputFiles.map(({ path: file, text }) => writeFile(file, text)));
  return { metafile: result.metafile, outputFiles };
};

/**
 * Programs are read as one byte a character, which is quickest. esbuild leaves what stands in regular expressions and raw texts as it is; raw texts are
 * patterns here, in which an escape means the same.
 * @param {string} code
 */
const inAscii = (code) => code.replace(/[^\x00-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The licences of what the bundles contain: who copies the code in passes its notice on.
 * @param {import('esbuild').Metafile} metafile
 */
export const notices = async (metafile) => {
  const packages = new Set(Object.keys(metafile.inputs).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const parts = [...packages].toSorted().map(async (name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(path.join(folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(parts)).join(`\n${'-'.repeat(80)}\n\n`);
};

/** Writes `dist/` anew; what an earlier build left there goes last, so that a program running from it is not cut off. */
export const buildDist = async () => {
  const dist = path.join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const result = await bundle(dist);
  if (!result) return {};
  const { outputs } = result.metafile;
  await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs", "sideEffects": false }\n');
  await writeFile(path.join(dist, 'THIRD-PARTY.txt'), await notices(result.metafile));
  await Promise.all(Object.keys(outputs).map((file) => chmod(path.join(root, file), 0o755)));
  const leftovers = (await readdir(dist)).filter((file) => file.endsWith('.js') && !(`dist/${file}` in outputs));
  await Promise.all(leftovers.map((file) => rm(path.join(dist, file))));
  await assemblePlugin(dist);
  const library = await buildLibrary();
  await buildTypes();
  await writeFile(path.join(dist, 'meta.json'), JSON.stringify(result.metafile));
  return { ...outputs, ...library };
};

const main = async () => {
  const started = performance.now();
  const outputs = Object.entries(await buildDist());
  for (const [file, { bytes }] of outputs) console.log(`${file.padEnd(24)} ${(bytes / 1024).toFixed(1).padStart(8)} KB`);
  console.log(outputs.length === 0 ? 'src/bin is empty: nothing to build' : `built in ${Math.round(performance.now() - started)} ms`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main();
  } catch (error) {
    const { errors } = /** @type {Partial<import('esbuild').BuildFailure>} */ (error);
    if (!errors) throw error;
    console.error((await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY })).join('\n'));
    process.exitCode = 1;
  }
}
