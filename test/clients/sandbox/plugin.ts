import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from './sandbox.ts';

const dist = path.resolve(import.meta.dirname, '../../../dist');

/** The marketplace that the build makes, and the plugin in it. */
export const MARKETPLACE = path.join(dist, 'plugin');
export const PLUGIN = path.join(MARKETPLACE, 'claude-code');

/** The plugin's own command line, as a user of the sandbox would run it. */
export function holdfast(box: Sandbox, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(PLUGIN, 'dist/cli.js'), ...args], {
    cwd: box.project,
    env: box.env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`holdfast ${args.join(' ')}: ${status} ${stdout}${stderr}`);
  return stdout;
}

/** The private root of the sandbox's project. */
export const memoryOf = (box: Sandbox): string => path.join(box.config, 'projects', 'shop');

/** Files of a folder of the memory; none when there is no such folder. */
export const filesIn = (box: Sandbox, folder: string): readonly string[] => {
  try {
    return readdirSync(path.join(memoryOf(box), folder)).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** One prompt in print mode, with the plugin. */
export const prompt = (box: Sandbox, words: string, ...args: readonly string[]) => box.run('--plugin-dir', PLUGIN, '-p', words, ...args);

export const SAVE = 'mcp__plugin_memory_holdfast__memory_save';
