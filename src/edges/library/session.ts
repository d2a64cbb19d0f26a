import { resolve } from 'node:path';
import { MEMORY_PATH } from '../../app/memory-files/memory-file.ts';
import { startContext, type Started } from '../../app/memory-files/start.ts';
import { layerFolder, layerSources } from '../../app/memory-files/open.ts';
import { hashProjectPath } from '../../core/project/folder.ts';
import type { LibraryHost } from './host.ts';

export interface StartOptions {
  /** Default: the working folder. */
  readonly projectPath?: string;
  readonly sessionId?: string;
  /** Whether the user asked for memory; it is then loaded even if `autoLoad` is off. */
  readonly asked?: boolean;
  readonly now?: () => number;
}

/** The start of a session: the block for the orchestrator's context, unless memory or its loading is switched off. */
export function startLibrarySession(host: LibraryHost, claudeDir: string, { projectPath, sessionId, asked, now = Date.now }: StartOptions): Promise<Started> {
  const home = resolve(claudeDir);
  const files = host.layerFiles(home);
  const project = projectPath ?? process.cwd();
  return startContext(
    {
      config: () => host.settingsIn(home, layerFolder(files, project).folder),
      projectPath: () => project,
      hash: (path) => hashProjectPath(path, files.md5),
      sources: (path) => layerSources(files, layerFolder(files, path)),
    },
    { now: now(), ...(sessionId !== undefined && { sessionId }), ...(asked !== undefined && { force: asked }) },
  );
}

/** The MEMORY.md that a loader of this project reads. */
export function findProjectMemory(host: LibraryHost, claudeDir: string, projectPath: string): string {
  const files = host.layerFiles(resolve(claudeDir));
  return files.join(layerFolder(files, projectPath).folder, MEMORY_PATH);
}
