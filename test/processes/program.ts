import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, root } from '../../scripts/bundle.js';

/** Bundles a program of the tests as the build does it, so that it runs on any Node; beside the modules, where the SQLite addon is found. */
export async function bundleProgram(name: string): Promise<string> {
  const outfile = path.join(root, 'node_modules', '.cache', 'holdfast', `${name}-${process.pid}.cjs`);
  await build({ ...bundleOptions, entryPoints: [path.join(root, 'test', 'processes', `${name}.ts`)], outfile });
  return outfile;
}
