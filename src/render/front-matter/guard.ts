import { CST, Lexer } from 'yaml';
import { ok, refuse, type Result } from '../../core/result.ts';
import { DEPTH_LIMIT } from '../depth.ts';

/** What a person writes stays far below these; what lies above them is meant to stall or crash a reader. */
const LIMITS = { characters: 2_097_152, tokens: 60_000, depth: DEPTH_LIMIT, indent: 160 };

const REFUSED: Readonly<Record<string, string>> = {
  alias: 'an alias (*name)',
  anchor: 'an anchor (&name)',
  tag: 'a tag (!name)',
  'directive-line': 'a directive (%NAME)',
  'doc-end': 'a second document (...)',
};

const BAD_ESCAPE = /\\(?:[^0abefnrtvN_LPxuU\r\n \t"/\\]|x(?![\da-fA-F]{2})|u(?![\da-fA-F]{4})|U(?![\da-fA-F]{8}))/;

const said = (line: number, what: string): Result<never> =>
  refuse('READ_ERROR', `line ${line}: the front matter has ${what}`, { hint: 'front matter is read as plain keys, values and lists' });

/** Walks the tokens once, without building anything, before the parser may recurse into them. */
export function guardYaml(source: string, firstLine: number): Result<true> {
  if (source.length > LIMITS.characters) return said(firstLine, `more than ${LIMITS.characters} characters`);
  let [line, tokens, flow, indicators, indent] = [firstLine, 0, 0, 0, 0];
  let atLineStart = true;
  for (const token of new Lexer().lex(source)) {
    const type = CST.tokenType(token);
    tokens += 1;
    const refused = REFUSED[type ?? ''];
    if (refused !== undefined) return said(line, refused);
    if (type === 'newline') [indicators, indent, atLineStart] = [0, 0, true];
    else if (type === 'space' && atLineStart) indent = token.length;
    else atLineStart = false;
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') indicators += 1;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') flow -= 1;
    if (tokens > LIMITS.tokens) return said(line, `more than ${LIMITS.tokens} words and marks`);
    if (flow > LIMITS.depth || indicators > LIMITS.depth || indent > LIMITS.indent) return said(line, `more than ${LIMITS.depth} levels`);
    if (token.startsWith('"') && BAD_ESCAPE.test(token.replaceAll('\\\\', ''))) return said(line, 'a backslash before a character that cannot follow one');
    line += newlinesIn(token);
  }
  return ok(true);
}

function newlinesIn(token: string): number {
  let count = 0;
  for (let at = token.indexOf('\n'); at >= 0; at = token.indexOf('\n', at + 1)) count += 1;
  return count;
}
