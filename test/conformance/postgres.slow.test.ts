import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { bundleOptions, EXTERNAL, root } from '../../scripts/bundle.js';
import { freshDatabase, hasPostgres } from '../postgres/cluster.ts';

const cases = path.join(root, '..', 'shared', 'conformance');

/** Cases that are about links on a disk. */
const OF_FILES: readonly string[] = [];

it.skipIf(!hasPostgres || !existsSync(cases))(
  'the lifecycle cases pass on PostgreSQL as on files (skipped where the cases are absent)',
  { timeout: 600_000 },
  async () => {
    const { url } = await freshDatabase();
    // Inside node_modules, so that what stays outside the bundle resolves.
    const cache = path.join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(path.join(cache, 'conformance-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = path.join(folder, 'on-postgres.cjs');
    await build({
      ...bundleOptions,
      external: [...EXTERNAL, 'pg-native', 'pg-cloudflare'],
      entryPoints: ['test/conformance/program/on-postgres.ts'],
      outfile: program,
    });
    const child = spawn(process.execPath, [path.join(cases, 'check.mjs'), '--cmd', `"${process.execPath}" "${program}" "${url}"`], { cwd: root });
    let [out, errors] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (out += data));
    child.stderr.on('data', (data: Buffer) => (errors += data));
    await new Promise((resolve) => child.on('close', resolve));
    const disputed = Object.keys(JSON.parse(readFileSync(path.join(root, 'test/conformance/disputed.json'), 'utf8')) as object);
    const failed = [...out.matchAll(/^([a-z-]+-\d+) \(/gm)].map(([, id]) => id ?? '');
    expect(
      failed.filter((id) => !disputed.includes(id) && !OF_FILES.includes(id)),
      `${out.slice(-4_000)}${errors}`,
    ).toEqual([]);
    const [, passed = '0'] = /(\d+) passed/.exec(out) ?? [];
    process.stdout.write(`conformance on PostgreSQL: ${passed} cases passed, ${failed.length} failed or disputed\n`);
    expect(Number(passed)).toBeGreaterThan(100);
  },
);
