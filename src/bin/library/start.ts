import { resolve } from 'node:path';
import { startContext, type Started } from '../../app/memory-files/start.ts';
import { hashOf, layerFolder, layerSources } from '../compose/hierarchy.ts';
import { settingsIn } from './settings.ts';

export interface StartOptions {
  /** The working folder without it. */
  readonly projectPath?: string;
  readonly sessionId?: string;
  /** Whether somebody asked for it: then `autoLoad` does not matter. */
  readonly asked?: boolean;
  readonly now?: () => number;
}

/** The start of a session: the block for the orchestrator's context, unless memory or its loading is switched off. */
export function startSession(claudeDir: string, { projectPath, sessionId, asked, now = Date.now }: StartOptions = {}): Promise<Started> {
  const home = resolve(claudeDir);
  const project = projectPath ?? process.cwd();
  return startContext(
    {
      config: () => settingsIn(home, layerFolder(home, project).folder),
      projectPath: () => project,
      hash: hashOf,
      sources: (path) => layerSources(home, layerFolder(home, path)),
    },
    { now: now(), ...(sessionId !== undefined && { sessionId }), ...(asked !== undefined && { asked }) },
  );
}
