import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as esbuild, formatMessages } from 'esbuild';
import { bundleOptions, root } from './bundle.js';
import { pack } from './pack.js';
import { assemblePlugin } from './plugin.js';
import { assemblePackages } from './client-packages.js';
import { buildLibrary, buildTypes } from './library.js';

/** Programs whose files are named in clients' settings or started by Holdfast: each is the same stub, which runs its program of `holdfast.js`. */
export const STUBS = ['cli', 'finish', 'hook', 'import-thread', 'mcp', 'slash'];
/** Programs that only the project itself uses. */
const OWN = [
  { in: 'test/conformance/program/main.ts', out: 'conformance' },
  { in: 'scripts/tour/main.ts', out: 'start' },
];

/** The team's server: in a bundle of its own, so that nothing else carries PostgreSQL. */
const SERVER = { in: 'src/bin/team/server.ts', out: 'team-server' };

/** The entry points that become `dist/OUT.js`. */
export const ENTRIES = [...OWN, SERVER, ...STUBS.map((name) => ({ in: 'src/bin/run.ts', out: name }))];

/**
 * The programs, self-contained: `holdfast.js` and the stubs that load it.
 * @param {string} outdir
 * @param {{ write?: boolean }} [options]
 */
export const bundle = async (outdir, { write = true } = {}) => {
  const [stubs, program] = await Promise.all([
    esbuild({ ...bundleOptions, entryPoints: ENTRIES, outdir, entryNames: '[name]', write: false, supported: { 'dynamic-import': false } }),
    pack('src/bin/holdfast.ts'),
  ]);
  const texts = [...stubs.outputFiles.map(({ path: file, text }) => ({ name: path.basename(file), text })), { name: 'holdfast.js', text: program.text }];
  const outputFiles = texts.map(({ name, text }) => ({ name, text: inAscii(text) }));
  if (write) await Promise.all(outputFiles.map(({ name, text }) => writeFile(path.join(root, outdir, name), text, { mode: 0o755 })));
  return { inputs: { ...stubs.metafile.inputs, ...program.metafile.inputs }, outputs: { ...stubs.metafile.outputs, ...program.metafile.outputs }, outputFiles };
};

/**
 * The web pages of a home and of a team: a script each and a common style sheet, which fetch nothing else.
 * @param {string} outdir
 */
export const buildViewer = async (outdir, { write = true } = {}) =>
  esbuild({
    absWorkingDir: root,
    entryPoints: [
      { in: 'viewer/main.tsx', out: 'view' },
      { in: 'viewer/team/main.tsx', out: 'team' },
      { in: 'viewer/style/index.css', out: 'view' },
    ],
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    write,
  });

/**
 * Programs are read as one byte a character, which is fastest. esbuild does not escape regular expressions and raw templates; here raw templates are
 * only used as patterns, where an escape has the same meaning.
 * @param {string} code
 */
const inAscii = (code) => code.replace(/[^\x00-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The licences of the bundled packages, which require their notice in copies.
 * @param {import('esbuild').Metafile['inputs']} inputs
 */
export const notices = async (inputs) => {
  const packages = new Set(Object.keys(inputs).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const parts = [...packages].toSorted().map(async (name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(path.join(folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(parts)).join(`\n${'-'.repeat(80)}\n\n`);
};

/** Builds `dist/`. Removes files of an earlier build last, so that a running program keeps working. */
export const buildDist = async () => {
  const dist = path.join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const { inputs, outputFiles } = await bundle('dist');
  const viewer = await buildViewer('dist/viewer');
  await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs", "sideEffects": false }\n');
  await writeFile(path.join(dist, 'THIRD-PARTY.txt'), await notices({ ...inputs, ...viewer.metafile.inputs }));
  const written = new Set(outputFiles.map(({ name }) => name));
  const leftovers = (await readdir(dist)).filter((file) => file.endsWith('.js') && !written.has(file));
  await Promise.all(leftovers.map((file) => rm(path.join(dist, file))));
  await assemblePlugin(dist);
  await assemblePackages(dist);
  const library = await buildLibrary();
  await buildTypes();
  // The last file: it shows that the build is complete.
  await writeFile(path.join(dist, 'meta.json'), JSON.stringify({ inputs }));
  return [
    ...outputFiles.map(({ name, text }) => ({ name, bytes: text.length })),
    ...Object.entries(viewer.metafile.outputs).map(([name, { bytes }]) => ({ name: path.relative('dist', name), bytes })),
    ...Object.entries(library).map(([name, { bytes }]) => ({ name: path.basename(name), bytes })),
  ];
};

/** A row for each file; the stubs share one row, and so do the library's chunks. */
const summary = (/** @type {readonly { readonly name: string, readonly bytes: number }[]} */ files) => {
  const rows = new Map();
  for (const { name, bytes } of files) {
    const row = STUBS.includes(path.basename(name, '.js')) ? `{${STUBS.join(',')}}.js` : name.startsWith('library') ? 'library*.mjs' : name;
    rows.set(row, (rows.get(row) ?? 0) + bytes);
  }
  return [...rows].map(([name, bytes]) => `${(bytes / 1024).toFixed(0).padStart(6)} KB  dist/${name}`);
};

const main = async () => {
  const started = performance.now();
  for (const line of summary(await buildDist())) console.log(line);
  console.log(`built in ${Math.round(performance.now() - started)} ms`);
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
