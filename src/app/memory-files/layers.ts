import type { Memory } from '../memory/memory.ts';
import type { LayerSource } from './load.ts';
import type { MemoryFile, Owner } from './memory-file.ts';

/** The four sources of a load, weakest first: later ones override earlier ones. */
export const LAYERS = [
  { name: 'global_claude', heading: 'Global Instructions', scope: 'global' },
  { name: 'global_memory', heading: 'Global Memory', scope: 'global' },
  { name: 'project_claude', heading: 'Project Instructions', scope: 'project' },
  { name: 'project_memory', heading: 'Project Memory', scope: 'project' },
] as const;

export type LayerName = (typeof LAYERS)[number]['name'];

/** The texts that were loaded; a missing source is left out. */
export type Layers = { readonly [L in LayerName]?: string };

const SEPARATOR = '\n\n---\n\n';

/** One text of all layers, each under its heading; the last is the strongest. Empty when nothing was loaded. */
export const mergeLayers = (layers: Layers): string =>
  LAYERS.flatMap(({ name, heading }) => {
    const text = layers[name];
    return text === undefined ? [] : [`## ${heading}\n\n${text}`];
  }).join(SEPARATOR);

/** The memory files of a project. */
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

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** `YYYY-MM-DD HH:MM` in local time. */
export function localMinutes(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

export const localSeconds = (epochMs: number): string => `${localMinutes(epochMs)}:${twoDigits(new Date(epochMs).getSeconds())}`;
