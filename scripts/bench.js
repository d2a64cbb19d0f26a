import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, EXTERNAL, root } from './bundle.js';
import { ensureBuilt, runNode } from './fresh.js';

/** @param {string} name @param {string[]} rest */
const runBench = async (name, rest) => {
  // Inside node_modules, so that external packages resolve as they do from dist/.
  const cache = path.join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'bench-'));
  try {
    const outfile = path.join(folder, `${name}.cjs`);
    await build({
      ...bundleOptions,
      external: [...EXTERNAL, 'playwright-core', '@sparticuz/chromium', 'pg-native', 'pg-cloudflare'],
      entryPoints: [`bench/${name}.ts`],
      outfile,
    });
    return ensureBuilt() || runNode([outfile, ...rest]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const names = readdirSync(path.join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.basename(file, '.ts'))
  .toSorted();

const [name, ...rest] = process.argv.slice(2);

if (name !== undefined && names.includes(name)) {
  process.exitCode = await runBench(name, rest);
} else {
  console.log(`${name === undefined ? 'npm run bench -- NAME [arguments]' : `Unknown bench ${name}.`}\n\nbenches: ${names.join(', ') || 'none yet'}`);
  process.exitCode = name === undefined ? 0 : 2;
}
