import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type YAMLMap } from 'yaml';
import { ok, refuse, type Result } from '../../core/result.ts';
import { guardYaml } from './guard.ts';

export interface YamlSource {
  readonly document: Document.Parsed;
  /** The top level; undefined when the front matter is empty. */
  readonly map: YAMLMap.Parsed | undefined;
  readonly lineAt: (offset: number) => number;
}

/** Parses front matter that a person has had a hand in. `firstLine` is its first line in the file. */
export function parseYaml(source: string, firstLine: number): Result<YamlSource> {
  const guarded = guardYaml(source, firstLine);
  if (!guarded.ok) return guarded;
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: 'silent', stringKeys: true });
  const lineAt = (offset: number): number => firstLine + lineCounter.linePos(offset).line - 1;
  const error = document.errors[0];
  if (error)
    return refuse('READ_ERROR', `line ${lineAt(error.pos[0])}: the front matter is not YAML: ${error.message}`, {
      hint: 'quote a value that holds a colon, a # or a quote',
    });
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return ok({ document, map: undefined, lineAt });
  if (!isMap(contents)) return refuse('READ_ERROR', `line ${firstLine}: the front matter is not a list of \`key: value\` lines`);
  return ok({ document, map: contents, lineAt });
}

/** Fields whose value may be a number or a truth value; everywhere else `1.0` and `007` are the text that was typed. */
const TYPED = new Set(['confidence', 'times_updated', 'old_value', 'new_value', 'exact']);

/** A node as plain data; a key given twice is refused. */
function valueOf(node: unknown, typed: boolean, lineAt: (offset: number) => number): Result<unknown> {
  if (isSeq(node)) {
    const items: unknown[] = [];
    for (const item of node.items) {
      const value = valueOf(item, typed, lineAt);
      if (!value.ok) return value;
      items.push(value.value);
    }
    return ok(items);
  }
  if (isMap(node)) {
    const entries = entriesOf(node as YAMLMap.Parsed, typed, lineAt);
    return entries.ok ? ok(Object.fromEntries(entries.value)) : entries;
  }
  if (!isScalar(node)) return ok(null);
  const { value, source } = node;
  const keep = value === null || typeof value === 'string' || (typed && (typeof value === 'boolean' || Number.isFinite(value)));
  return ok(keep ? value : (source ?? null));
}

function entriesOf(map: YAMLMap.Parsed, typed: boolean, lineAt: (offset: number) => number): Result<Map<string, unknown>> {
  const entries = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    const name = String(isScalar(key) ? key.value : '');
    if (entries.has(name)) return refuse('READ_ERROR', `line ${lineAt(key.range[0])}: the front matter has the key ${JSON.stringify(name)} twice`);
    const held = valueOf(value, typed || TYPED.has(name), lineAt);
    if (!held.ok) return held;
    entries.set(name, held.value);
  }
  return ok(entries);
}

export function readYaml(source: string, firstLine: number): Result<Map<string, unknown>> {
  const parsed = parseYaml(source, firstLine);
  if (!parsed.ok) return parsed;
  return parsed.value.map ? entriesOf(parsed.value.map, false, parsed.value.lineAt) : ok(new Map());
}
