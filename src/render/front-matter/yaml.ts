import { CST, Lexer, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type YAMLMap } from 'yaml';
import { ok, refuse, type Result } from '../../core/result.ts';
import { DEPTH_LIMIT } from '../record.ts';

/** Far above any real front matter; larger input is an attempt to stall or crash the parser. */
const LIMITS = { characters: 2_097_152, tokens: 60_000, depth: DEPTH_LIMIT, indent: 160 };

const FORBIDDEN: Readonly<Record<string, string>> = {
  alias: 'an alias (*name)',
  anchor: 'an anchor (&name)',
  tag: 'a tag (!name)',
  'directive-line': 'a directive (%NAME)',
  'doc-end': 'a second document (...)',
};

const BAD_ESCAPE = /\\(?:[^0abefnrtvN_LPxuU\r\n \t"/\\]|x(?![\da-fA-F]{2})|u(?![\da-fA-F]{4})|U(?![\da-fA-F]{8}))/;

const refusal = (line: number, problem: string): Result<never> =>
  refuse('READ_ERROR', `line ${line}: the front matter has ${problem}`, { hint: 'front matter may have only plain keys, values and lists' });

/** Checks the tokens in one pass, before the parser recurses into them. */
function guardYaml(source: string, firstLine: number): Result<true> {
  if (source.length > LIMITS.characters) return refusal(firstLine, `more than ${LIMITS.characters} characters`);
  let [line, tokens, flow, indicators, indent] = [firstLine, 0, 0, 0, 0];
  let atLineStart = true;
  for (const token of new Lexer().lex(source)) {
    const type = CST.tokenType(token);
    tokens += 1;
    const forbidden = FORBIDDEN[type ?? ''];
    if (forbidden !== undefined) return refusal(line, forbidden);
    if (type === 'newline') [indicators, indent, atLineStart] = [0, 0, true];
    else if (type === 'space' && atLineStart) indent = token.length;
    else atLineStart = false;
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') indicators += 1;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') flow -= 1;
    if (tokens > LIMITS.tokens) return refusal(line, `more than ${LIMITS.tokens} words and marks`);
    if (flow > LIMITS.depth || indicators > LIMITS.depth || indent > LIMITS.indent) return refusal(line, `more than ${LIMITS.depth} levels`);
    if (token.startsWith('"') && BAD_ESCAPE.test(token.replaceAll('\\\\', ''))) return refusal(line, 'a backslash before a character that cannot follow one');
    line += newlinesIn(token);
  }
  return ok(true);
}

function newlinesIn(token: string): number {
  let count = 0;
  for (let at = token.indexOf('\n'); at >= 0; at = token.indexOf('\n', at + 1)) count += 1;
  return count;
}

export interface YamlSource {
  readonly document: Document.Parsed;
  /** The top level; undefined when the front matter is empty. */
  readonly map: YAMLMap.Parsed | undefined;
  readonly lineAt: (offset: number) => number;
}

/** Parses manually edited front matter. `firstLine` is its first line in the file. */
export function parseYaml(source: string, firstLine: number): Result<YamlSource> {
  const guarded = guardYaml(source, firstLine);
  if (!guarded.ok) return guarded;
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: 'silent', stringKeys: true });
  const lineAt = (offset: number): number => firstLine + lineCounter.linePos(offset).line - 1;
  const error = document.errors[0];
  if (error)
    return refuse('READ_ERROR', `line ${lineAt(error.pos[0])}: the front matter is not YAML: ${error.message}`, {
      hint: 'quote a value that contains a colon, a # or a quote',
    });
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return ok({ document, map: undefined, lineAt });
  if (!isMap(contents)) return refuse('READ_ERROR', `line ${firstLine}: the front matter is not a list of \`key: value\` lines`);
  return ok({ document, map: contents, lineAt });
}

/** Fields whose value may be a number or boolean; in other fields `1.0` and `007` are texts. */
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
  const keepsValue = value === null || typeof value === 'string' || (typed && (typeof value === 'boolean' || Number.isFinite(value)));
  return ok(keepsValue ? value : (source ?? null));
}

function entriesOf(map: YAMLMap.Parsed, typed: boolean, lineAt: (offset: number) => number): Result<Map<string, unknown>> {
  const entries = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    const name = String(isScalar(key) ? key.value : '');
    if (entries.has(name)) return refuse('READ_ERROR', `line ${lineAt(key.range[0])}: the front matter has the key ${JSON.stringify(name)} twice`);
    const result = valueOf(value, typed || TYPED.has(name), lineAt);
    if (!result.ok) return result;
    entries.set(name, result.value);
  }
  return ok(entries);
}

export function readYaml(source: string, firstLine: number): Result<Map<string, unknown>> {
  const parsed = parseYaml(source, firstLine);
  if (!parsed.ok) return parsed;
  return parsed.value.map ? entriesOf(parsed.value.map, false, parsed.value.lineAt) : ok(new Map());
}
