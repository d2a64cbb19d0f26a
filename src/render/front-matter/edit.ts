import { isCollection, isMap, isScalar, isSeq, Pair, Scalar, type Document, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { sameValue } from '../../core/value.ts';
import { frontMatterEntry } from './write.ts';
import { parseYaml } from './yaml.ts';

/** New values by key; undefined removes the key. */
export type FrontMatterChanges = ReadonlyMap<string, unknown>;

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const STYLE = { lineWidth: 0, indentSeq: true } as const;
const append = (source: string, text: string, eol: string): string =>
  text === '' ? source : `${source}${source === '' || source.endsWith('\n') ? '' : eol}${text}${eol}`;

export interface EditOptions {
  readonly eol: string;
  /** Whether comments inside a changed list stay. */
  readonly keepComments: boolean;
}

/** Changes single keys of manually edited front matter; every other byte stays. */
export function editFrontMatter(source: string, changes: FrontMatterChanges, { eol, keepComments }: EditOptions): string {
  const inEol = (text: string): string => text.replaceAll('\n', eol);
  const parsed = parseYaml(source, 1);
  if (!parsed.ok) throw new Error(`front matter that was read before cannot be read again: ${parsed.error.message}`);
  const { map, document } = parsed.value;
  const pairs = new Map((map?.items ?? []).map((pair) => [String(isScalar(pair.key) ? pair.key.value : ''), pair] as const));
  const added = [...changes].filter(([key, value]) => !pairs.has(key) && value !== undefined);
  if (map && !isPlainMap(map, source)) return inEol(rewrite(document, changes));
  const splices = [...changes].flatMap(([key, value]) => {
    const pair = pairs.get(key);
    return pair ? [spliceOf(source, keepComments ? document : undefined, pair as Pair<Node, Node>, key, value)] : [];
  });
  const edited = splices
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: replacement }) => text.slice(0, start) + inEol(replacement) + text.slice(end), source);
  return append(edited, inEol(added.map(([key, value]) => frontMatterEntry(key, value)).join('\n')), eol);
}

/** Whether each key begins a line at the margin, so that the map can be edited line by line. */
const isPlainMap = (map: YAMLMap.Parsed, source: string): boolean =>
  map.flow !== true && map.items.every(({ key }) => key.range[0] === 0 || source[key.range[0] - 1] === '\n');

function rewrite(document: Document, changes: FrontMatterChanges): string {
  for (const [key, value] of changes) {
    if (value === undefined) document.delete(key);
    else document.set(key, document.createNode(value));
  }
  return document.toString(STYLE);
}

function spliceOf(source: string, document: Document | undefined, pair: Pair<Node, Node>, key: string, value: unknown): Splice {
  const start = pair.key.range?.[0] ?? 0;
  const [valueStart = start, valueEnd = start, nodeEnd = start] = pair.value?.range ?? pair.key.range ?? [];
  const whole = source.slice(start, Math.max(nodeEnd, lineEnd(source, valueEnd)));
  const core = whole.trimEnd();
  if (value === undefined) return { start, end: start + whole.length, text: '' };
  const fresh = frontMatterEntry(key, value);
  const onOneLine = isScalar(pair.value) && !fresh.includes('\n') && valueEnd > valueStart && !source.slice(start, valueEnd).includes('\n');
  if (onOneLine) return { start: valueStart, end: valueEnd, text: fresh.slice(key.length + 2) };
  const commented = document && isCollection(pair.value) && core.includes('#') && typeof value === 'object' && value !== null;
  return { start, end: start + core.length, text: commented ? withComments(document, pair, value) : fresh };
}

function lineEnd(source: string, from: number): number {
  const at = source.indexOf('\n', Math.max(0, from - 1));
  return at < 0 ? source.length : at + 1;
}

/** The changed list or object as YAML. Unchanged nodes are reused, so that their comments stay. */
function withComments(document: Document, pair: Pair<Node, Node>, value: object): string {
  const collection = pair.value;
  if (isSeq(collection) && Array.isArray(value)) keepItems(document, collection, value);
  else if (isMap(collection) && !Array.isArray(value)) keepKeys(document, collection, value);
  else return frontMatterEntry(String((pair.key as Scalar).value), value);
  const single = document.clone();
  single.contents = document.createNode({}) as never;
  (single.contents as unknown as YAMLMap).items.push(new Pair(new Scalar((pair.key as Scalar).value), collection));
  single.commentBefore = null;
  single.comment = null;
  return single.toString(STYLE).trimEnd();
}

function keepItems(document: Document, list: YAMLSeq, value: readonly unknown[]): void {
  const old = list.items.map((node) => ({ node, value: (node as Node).toJS(document) as unknown }));
  list.items = value.map((item) => {
    const at = old.findIndex((candidate) => sameValue(candidate.value, item));
    return at < 0 ? document.createNode(item) : old.splice(at, 1)[0]?.node;
  });
}

function keepKeys(document: Document, map: YAMLMap, value: object): void {
  const entries = new Map(Object.entries(value));
  for (const { key } of [...map.items]) if (!entries.has(String(isScalar(key) ? key.value : ''))) map.delete(key);
  for (const [key, inner] of entries) if (!sameValue((map.get(key, true) as Node | undefined)?.toJS(document), inner)) map.set(key, document.createNode(inner));
}
