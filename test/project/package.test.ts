import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { missingEntries, unverified } from '../../scripts/lock.js';

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

interface LockEntry {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: string[];
  readonly cpu?: string[];
  readonly hasInstallScript?: boolean;
}

const manifest = JSON.parse(text('package.json')) as PackageFile;
const lock = JSON.parse(text('package-lock.json')) as { readonly packages: Record<string, LockEntry> };

test('the lock holds every platform, so that npm ci takes it anywhere', () => {
  expect(missingEntries(lock.packages), 'run node scripts/lock.js').toEqual([]);
});

test('every package has a checksum, except development binaries of other platforms that the registry did not offer', () => {
  const installed = ([at]: readonly [string, LockEntry]): boolean => existsSync(path.join(root, at, 'package.json'));
  const open = unverified(lock.packages) as [string, LockEntry][];
  expect(open.filter(([, { dev, optional, os, cpu }]) => !dev || !optional || (os ?? cpu) === undefined)).toEqual([]);
  expect(open.filter(installed), 'run node scripts/lock.js').toEqual([]);
});

test('versions are exact, in the manifest and in the lock alike', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/);
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

test('npm pack leaves the compile cache and what only tests need out of the package', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-pack-'));
  try {
    cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
    const stray = ['dist/.cache/v20/cli.js', 'dist/plugin/a.js', 'dist/conformance.js', 'dist/meta.json', 'dist/start.js'];
    for (const file of [...stray, 'dist/cli.js']) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), '');
    }
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const [packed] = JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }];
    expect(packed.files.map((file) => file.path).filter((file) => file.startsWith('dist/'))).toEqual(['dist/cli.js']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
