import type { Config } from '../../core/config/effective.ts';
import { contextBlock } from './block.ts';
import { mergeLayers } from './layers.ts';
import { loadLayers, type LayerSource, type Loaded } from './load.ts';

/** The steps of a start, called in this order. */
export interface StartSteps {
  config(): Config;
  /** The given folder, or the one it runs in. */
  projectPath(): string;
  hash(path: string): string;
  sources(path: string, hash: string): readonly LayerSource[];
}

export interface ContextStartRequest {
  readonly sessionId?: string;
  /** The user asked for it: ignores `autoLoad`. */
  readonly force?: boolean;
  readonly now: number;
}

export interface Started {
  /** The text for the context; empty when nothing was loaded. */
  readonly block: string;
  readonly memory: string;
  readonly loaded?: Loaded;
  /** Why nothing was loaded. */
  readonly silence?: string;
}

const nameOf = (path: string): string => path.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) || path;

/** Loads the memory files of a project and merges them into one block; says why if it loads nothing. */
export async function startContext(steps: StartSteps, { sessionId, force = false, now }: ContextStartRequest): Promise<Started> {
  const config = steps.config();
  const reason = !config.get('enabled') ? 'enabled is false' : !force && !config.get('autoLoad') ? 'autoLoad is false' : undefined;
  if (reason !== undefined) return { block: '', memory: '', silence: reason };
  const path = steps.projectPath();
  const hash = steps.hash(path);
  const loaded = await loadLayers(steps.sources(path, hash), config.get('maxMemorySize'));
  const memory = mergeLayers(loaded.layers);
  if (memory === '') return { block: '', memory, loaded, silence: 'there is no memory yet' };
  return { block: contextBlock({ project: nameOf(path), session: sessionId, at: now, memory }), memory, loaded };
}
