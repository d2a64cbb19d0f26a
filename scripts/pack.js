import { build } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { bundleOptions } from './bundle.js';

/** @param {string} id @param {boolean} isChunk */
const loadCall = (id, isChunk) => `${isChunk ? '$load' : 'require'}(${JSON.stringify(id)})`;

/**
 * One ES module of the build as a function: its imports become the first statements, its exports what it returns. Chunks never import each other in a
 * circle, and no module exports a variable that changes, so a value read once stays valid.
 * @param {string} name
 * @param {string} code
 * @param {ReadonlySet<string>} chunks
 */
const asFunction = (name, code, chunks) => {
  const { module, errors } = parseSync(`${name}.js`, code, { sourceType: 'module' });
  if (errors[0]) throw new Error(`${name}: ${errors[0].message}`);
  const imports = module.staticImports.map(({ moduleRequest: { value: id }, entries }) => {
    const loaded = loadCall(id, chunks.has(id));
    if (entries.length === 0) return `${loaded};`;
    const names = entries.filter(({ importName }) => importName.name).map(({ importName, localName }) => `${importName.name}:${localName.value}`);
    const whole = entries.filter(({ importName }) => !importName.name).map(({ localName }) => `const ${localName.value}=${loaded};`);
    return `${names.length > 0 ? `const{${names.join(',')}}=${loaded};` : ''}${whole.join('')}`;
  });
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName, localName, importName, moduleRequest }) => {
      // Something imported and exported again has no local name.
      const value = moduleRequest === null ? localName.name : `${loadCall(moduleRequest.value, chunks.has(moduleRequest.value))}.${importName.name}`;
      return `${JSON.stringify(exportName.name ?? 'default')}:${value}`;
    }),
  );
  const dynamic = module.dynamicImports.map(({ start, end, moduleRequest }) => {
    const argument = code.slice(moduleRequest.start, moduleRequest.end);
    const id = /^(["'])(.*)\1$/.exec(argument)?.[2];
    return { start, end, text: `Promise.resolve().then(()=>${id === undefined ? `require(${argument})` : loadCall(id, chunks.has(id))})` };
  });
  const cut = [...module.staticImports, ...module.staticExports].map(({ start, end }) => ({ start, end, text: '' }));
  let body = code;
  for (const { start, end, text } of [...cut, ...dynamic].toSorted((a, b) => b.start - a.start)) body = body.slice(0, start) + text + body.slice(end);
  return `${JSON.stringify(name)}:function($load,require,__filename,__dirname){"use strict";${imports.join('')}${body.trim()}\nreturn{${exported.join(',')}}}`;
};

/** Runs a chunk when it is first needed, and lists it for the compile cache. */
const LOADER = 'const loaded=module.loaded=Object.create(null);const $load=id=>loaded[id]??=chunks[id]($load,require,__filename,__dirname);';

/**
 * A program and all that it loads with `import()` as one CommonJS file. Each chunk that esbuild splits off becomes a function, so that V8 skips
 * chunks that a run does not need, and the compile cache holds only those that it does.
 * @param {string} entry
 * @param {{ minifyIdentifiers?: boolean }} [options]
 */
export const pack = async (entry, options = {}) => {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    ...options,
    entryPoints: [{ in: entry, out: 'main' }],
    outdir: 'chunks',
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    banner: {},
    write: false,
  });
  const named = outputFiles.map(({ path: file, text }) => ({ name: `./${file.replaceAll('\\', '/').split('/').at(-1)}`, text }));
  const chunks = new Set(named.map(({ name }) => name));
  // Code that parses files with a package does so only for the few that changed.
  const rare = Object.entries(metafile.outputs)
    .filter(([, { inputs }]) => Object.keys(inputs).some((input) => input.includes('node_modules/')))
    .map(([file]) => `./${file.split('/').at(-1)}`);
  const functions = named.map(({ name, text }) => asFunction(name, text, chunks));
  return {
    metafile,
    text: `${bundleOptions.banner?.['js']}\n"use strict";module.rare=${JSON.stringify(rare)};const chunks={${functions.join(',\n')}};${LOADER}module.exports=$load("./main.js");\n`,
  };
};
