import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleOptions, root } from '../../../scripts/bundle.js';
import { scratch } from '../../scratch.ts';

/** A bundle as scripts/pack.js makes them, whose run loads the chunks that it is told of. */
const BUNDLE = `#!/usr/bin/env node
"use strict";module.rare=["./rare.js"];const loaded=module.loaded={};
const chunks={"./main.js":()=>({run:(ids)=>ids.map($load).join(" ")}),"./more.js":()=>"more","./rare.js":()=>"rare"};
const $load=(id)=>loaded[id]??=chunks[id]();module.exports=$load("./main.js");
`;

async function program() {
  const folder = scratch();
  const runner = path.join(folder, 'run.cjs');
  const contents = `import { loadCached } from './src/adapters/process/load-cached.ts';
    const bundle = loadCached({ folder: process.argv[2], bundle: 'bundle.js', use: 'use', require, isShort: true });
    let sum = 0;
    // Reading the processor time is itself slow on some machines, and is not the work that counts.
    if (process.argv[3] === 'busy') for (const end = process.cpuUsage().user + 1_100_000; process.cpuUsage().user < end;) for (let at = 0; at < 1e7; at++) sum += at;
    console.log(bundle.run(process.argv.slice(4)));`;
  await build({ ...bundleOptions, stdin: { contents, resolveDir: root, loader: 'ts' }, outfile: runner });
  fs.writeFileSync(path.join(folder, 'bundle.js'), BUNDLE);
  const cache = path.join(folder, '.cache');
  return {
    run: (how: 'quick' | 'busy', ...chunks: readonly string[]) =>
      spawnSync(process.execPath, [runner, folder, how, ...chunks], { encoding: 'utf8' }).stdout.trim(),
    /** The chunks that the cache says it is of. */
    cached: (): readonly string[] | undefined => {
      const [name] = fs.existsSync(cache) ? fs.readdirSync(cache) : [];
      if (name === undefined) return undefined;
      const bytes = fs.readFileSync(path.join(cache, name));
      const end = bytes.length - 4;
      return bytes.toString('latin1', end - bytes.readUInt32LE(end), end).split('\n');
    },
    written: () => fs.readdirSync(cache).map((name) => fs.statSync(path.join(cache, name)).ino),
  };
}

test('the cache of a use grows with what a later run loads, and is then left alone', async () => {
  const { run, cached, written } = await program();
  expect(run('quick')).toBe('');
  expect(cached()).toEqual(['./main.js']);
  expect(run('quick', './more.js')).toBe('more');
  expect(cached()).toEqual(['./main.js', './more.js']);
  const before = written();
  for (const chunks of [['./more.js'], []]) expect(run('quick', ...chunks)).toBe(chunks.length === 0 ? '' : 'more');
  expect(written()).toEqual(before);
});

test('a run that did something rare is no example: neither a long one nor one that parsed files', async () => {
  const { run, cached } = await program();
  expect(run('busy', './more.js')).toBe('more');
  expect(cached()).toBeUndefined();
  run('quick');
  expect(run('quick', './more.js', './rare.js')).toBe('more rare');
  expect(cached()).toEqual(['./main.js']);
});
