import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/bundle.js';
import { bundleLibrary } from '../../scripts/library.js';

interface PackageFile {
  readonly dependencies: Record<string, string>;
  readonly sideEffects: boolean;
  readonly exports: Record<string, unknown>;
}

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageFile;
/** All chunks together; a program that imports the library loads some of them. A package that slips in is caught. */
const KILOBYTES = 1_000;

test('the library is exported with its types and has no side effects', () => {
  expect(manifest.exports['.']).toEqual({ types: './dist/types/bin/library.d.mts', default: './dist/library.mjs' });
  expect(manifest.sideEffects).toBe(false);
});

test('the library imports nothing but Node, its own chunks and the packages that are installed with it', async () => {
  const { metafile } = await bundleLibrary('dist', { write: false });
  const outputs = Object.values(metafile.outputs);
  const asked = new Set(outputs.flatMap(({ imports }) => imports.filter(({ external }) => external).map((one) => one.path)));
  const owner = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  expect([...asked].filter((name) => !isBuiltin(name) && !(owner(name) in manifest.dependencies))).toEqual([]);
  expect(outputs.reduce((sum, { bytes }) => sum + bytes, 0) / 1024).toBeLessThan(KILOBYTES);
});
