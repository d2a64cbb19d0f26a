/** The four sources of a load, weakest first: what comes later stands over what came before. */
export const LAYERS = [
  { name: 'global_claude', heading: 'Global Instructions', scope: 'global' },
  { name: 'global_memory', heading: 'Global Memory', scope: 'global' },
  { name: 'project_claude', heading: 'Project Instructions', scope: 'project' },
  { name: 'project_memory', heading: 'Project Memory', scope: 'project' },
] as const;

export type LayerName = (typeof LAYERS)[number]['name'];

/** What was loaded; a source that does not exist is left out. */
export type Layers = { readonly [L in LayerName]?: string };

const RULE = '\n\n---\n\n';

/** One text of all layers, each under its heading; the last is the strongest. Empty when nothing was loaded. */
export const mergeLayers = (layers: Layers): string =>
  LAYERS.flatMap(({ name, heading }) => {
    const text = layers[name];
    return text === undefined ? [] : [`## ${heading}\n\n${text}`];
  }).join(RULE);
