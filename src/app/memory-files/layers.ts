import type { Memory } from '../memory/memory.ts';
import type { LayerSource } from './load.ts';
import type { MemoryFile, Owner } from './memory-file.ts';

/** The four sources of a load, weakest first: what comes later stands over what came before. */
export const LAYERS = [
  { name: 'global_claude', heading: 'Global Instructions', scope: 'global' },
  { name: 'global_memory', heading: 'Global Memory', scope: 'global' },
  { name: 'project_claude', heading: 'Project Instructions', scope: 'project' },
  { name: 'project_memory', heading: 'Project Memory', scope: 'project' },
] as const;

export type LayerName = (typeof LAYERS)[number]['name'];

/** The sources that were loaded; a source that does not exist is left out. */
export type Layers = { readonly [L in LayerName]?: string };

const RULE = '\n\n---\n\n';

/** One text of all layers, each under its heading; the last is the strongest. Empty when nothing was loaded. */
export const mergeLayers = (layers: Layers): string =>
  LAYERS.flatMap(({ name, heading }) => {
    const text = layers[name];
    return text === undefined ? [] : [`## ${heading}\n\n${text}`];
  }).join(RULE);

/** The memory files of one project, as a command meets them. */
export interface Hierarchy {
  readonly memory: Memory;
  readonly owner: Owner;
  /** Weakest first. */
  readonly sources: readonly LayerSource[];
  /** The project's own MEMORY.md. */
  readonly file: MemoryFile;
  /** Why it cannot be written; undefined when it can. */
  unwritable(): string | undefined;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** `YYYY-MM-DD HH:MM`, as the clock on the wall shows it. */
export function localMinutes(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const localSeconds = (epochMs: number): string => `${localMinutes(epochMs)}:${two(new Date(epochMs).getSeconds())}`;
