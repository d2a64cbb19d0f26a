import { layerFilesIn } from '../../adapters/files/layer-folder.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import type { LayerFiles } from '../../core/ports/layer-files.ts';
import { md5 } from './environment.ts';
import { locate } from './locate.ts';

/** CLAUDE.md and MEMORY.md under a home and in the folders of its projects. */
export const openLayerFiles = (home: string): LayerFiles =>
  layerFilesIn({
    home,
    md5,
    openDatabase,
    projectKey: (path) => {
      const located = locate({ home, cwd: path, now: Date.now });
      return located.ok ? located.value.project.key : undefined;
    },
  });
