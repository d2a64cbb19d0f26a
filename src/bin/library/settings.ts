import { basename, dirname, join } from 'node:path';
import { configFiles } from '../../adapters/files/config-files.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { Config } from '../../core/config/effective.ts';
import { CONFIG_NAME, placesIn } from '../../adapters/files/home-layout.ts';

/** The settings in force under a home, and for a project's folder where one is given. */
export const settingsIn = (home: string, projectFolder?: string): Config =>
  loadConfig(configFiles({ user: placesIn(home).settings, ...(projectFolder !== undefined && { project: join(projectFolder, CONFIG_NAME) }) })).config;

/** The settings that a memory file's own place implies; a file that lies elsewhere, such as the global one, has those beside it. */
export function settingsFor(memoryFile: string): Config {
  const project = dirname(dirname(memoryFile));
  const home = dirname(dirname(project));
  if (basename(dirname(project)) !== 'projects') return loadConfig(configFiles({ user: join(dirname(memoryFile), 'settings.json') })).config;
  return settingsIn(home, project);
}
