import { join, resolve } from 'node:path';
import { isBundleFile, readBundleFile, writeBundleFile } from '../../adapters/files/tar.ts';
import { configFiles } from '../../adapters/files/config-files.ts';
import { CONFIG_NAME, placesIn } from '../../adapters/files/home-layout.ts';
import { sha256 } from '../../adapters/process/environment.ts';
import type { BundleHost } from '../../app/bundle/host.ts';
import { openLocated, openProject, openUser } from '../../app/project/open.ts';
import { machineAt } from './machine.ts';

export interface BundlesRequest extends Pick<BundleHost, 'now' | 'current' | 'episodes'> {
  readonly home: string;
  readonly cwd: string;
}

/** The memories under one home, for bundles and joined projects. */
export function bundleHost({ home, cwd, now, current, episodes }: BundlesRequest): BundleHost {
  const places = placesIn(home);
  const machine = machineAt({ home, now });
  return {
    now,
    sha256,
    resolve: (file) => resolve(cwd, file),
    isBundle: isBundleFile,
    readFile: readBundleFile,
    writeFile: writeBundleFile,
    registry: machine.folders.registry,
    current,
    openProject: (key) => openProject(machine, { cwd, name: key }),
    openNewProject: ({ key, hash, identity, path }) => {
      const privateRoot = places.privateRoot(key);
      const config = configFiles({ user: places.settings, project: join(privateRoot, CONFIG_NAME) });
      // Nothing to remember: the import adds the project to the registry before it writes.
      return openLocated(machine, { config, register: async () => {}, project: { key, hash, identity, path, worktree: path, match: 'known', privateRoot } });
    },
    openUser: () => openUser(machine),
    userConfig: machine.folders.config(),
    episodes,
  };
}
