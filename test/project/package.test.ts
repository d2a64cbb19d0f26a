import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { missingEntries } from '../../scripts/lock.js';

const root = path.resolve(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface PackageFile {
  readonly type: string;
  readonly bin: Record<string, string>;
  readonly files: readonly string[];
  readonly engines: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
}

const manifest = JSON.parse(text('package.json')) as PackageFile;
const lock = JSON.parse(text('package-lock.json')) as { readonly packages: Record<string, { readonly version: string; readonly hasInstallScript?: boolean }> };

test('the lock holds every platform, so that npm ci takes it anywhere', () => {
  expect(missingEntries(lock.packages), 'run node scripts/lock.js').toEqual([]);
});

test('versions are exact, in the manifest and in the lock alike', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
});

test('no install script is run', () => {
  const withScript = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript);
  expect(Object.fromEntries(withScript.map(([at]) => [at.replace('node_modules/', ''), false]))).toEqual(manifest.allowScripts);
});

test('what is published is what a user needs', () => {
  expect(manifest.type).toBe('module');
  expect(manifest.bin).toEqual({ holdfast: 'dist/cli.js' });
  expect(manifest.engines).toEqual({ node: '>=20.19' });
  for (const file of manifest.files.filter((entry) => !entry.startsWith('!') && entry !== 'dist')) expect(existsSync(path.join(root, file)), file).toBe(true);
});
