import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import { redact } from '../../core/redact/text.ts';
import { LAYERS, type LayerName, type Layers } from './layers.ts';
import { shortenLayer, charactersIn } from './compress.ts';
import { utcSeconds } from '../../core/instant.ts';
import { isFailure } from '../../core/failure.ts';
import { contextText } from './context-file.ts';
import { beside, type MemoryFile } from './memory-file.ts';

/** Where a layer is read from. */
export interface LayerSource {
  readonly name: LayerName;
  readonly file: string;
  /** The text; undefined if there is no such file. */
  read(): Promise<string | undefined>;
}

/** The result for one source. */
export interface LayerFile {
  readonly name: LayerName;
  readonly file: string;
  readonly state: 'loaded' | 'shortened' | 'absent' | 'unreadable' | 'unmerged';
  /** Length of the file, even if only a part was loaded. */
  readonly characters: number;
  /** Kinds of secrets found in it; they are not loaded. */
  readonly secrets?: readonly string[];
}

export interface Loaded {
  readonly layers: Layers;
  readonly files: readonly LayerFile[];
  readonly warnings: readonly string[];
}

/** A warning is given if all files together are longer. */
export const TOTAL_CHARACTERS = 50_000;

/** Reads all sources at the same time. One that cannot be read is left out with a warning. */
export async function loadLayers(sources: readonly LayerSource[], limit: number): Promise<Loaded> {
  const read = await Promise.all(sources.map((source) => readLayer(source, limit)));
  const layers: { [L in LayerName]?: string } = {};
  for (const { name } of LAYERS) {
    const layer = read.find(({ file }) => file.name === name && (file.state === 'loaded' || file.state === 'shortened'));
    if (layer) layers[name] = layer.text;
  }
  const total = read.reduce((sum, { file }) => sum + file.characters, 0);
  const large = total > TOTAL_CHARACTERS ? [`memory has ${total} characters in all, and more than ${TOTAL_CHARACTERS} crowd a context: ${LARGE_HINT}`] : [];
  return { layers, files: read.map(({ file }) => file), warnings: [...read.flatMap(({ warning }) => warning ?? []), ...large] };
}

const LARGE_HINT = 'compress it or take out what is no longer true';

async function readLayer({ name, file, read }: LayerSource, limit: number): Promise<{ file: LayerFile; text: string; warning?: string }> {
  let text: string | undefined;
  try {
    text = (await read())?.replace(/^\uFEFF/, '');
  } catch (cause) {
    return { file: { name, file, state: 'unreadable', characters: 0 }, text: '', warning: `${file} cannot be read: ${(cause as Error).message}` };
  }
  if (text === undefined) return { file: { name, file, state: 'absent', characters: 0 }, text: '' };
  if (hasConflictMarkers(text)) {
    return {
      file: { name, file, state: 'unmerged', characters: charactersIn(text) },
      text: '',
      warning: `${file} is left out: git left conflict markers in it`,
    };
  }
  const clean = redact(text);
  const secrets = [...new Set(clean.redactions.map(({ kind }) => kind))].toSorted();
  const { text: shown, notice } = shortenLayer(clean.text, limit, file);
  const facts = { name, file, characters: charactersIn(text), ...(secrets.length > 0 && { secrets }) };
  return notice === undefined ? { file: { ...facts, state: 'loaded' }, text: shown } : { file: { ...facts, state: 'shortened' }, text: shown, warning: notice };
}

/** Notes in `context.json` that memory was loaded; not in a project without a MEMORY.md, nor in a home that cannot be written. */
export async function noteLoad(file: MemoryFile, layers: readonly LayerFile[]): Promise<void> {
  if (!(await file.read(file.place))) return;
  const place = beside(file, 'context.json');
  const sizes = Object.fromEntries(layers.map(({ name, characters }) => [name, characters]));
  try {
    await file.view(place, (before) => contextText(before, { ...file.owner, lastLoaded: utcSeconds(file.now()), sizes }));
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
  }
}
