import { ok, refuse } from '../../core/result.ts';
import { SERVER } from '../hooks/registration.ts';
import { isOurProgram, type TextChange } from './settings-edits.ts';

/** Holdfast's table in Codex's TOML. Codex rewrites the file and drops or moves comments, so the table is recognised by the program that it starts. */

const TABLE_NAMES = ['mcp_servers', SERVER];
const WRITTEN_BEFORE = /^[ \t]*# holdfast: (?:begin[^\n]*|end[ \t]*)\r?\n?/gm;

/** A statement of TOML, which may span several lines. */
interface Statement {
  readonly start: number;
  readonly end: number;
  /** The path of a table, or of a key with its table; empty for comments and blank lines. */
  readonly names: readonly string[];
  readonly isHead: boolean;
  readonly value: string;
}

const NAME = /[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))[ \t]*(\.)?/y;
const LITERAL = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/y;

function namesAt(text: string, at: number): readonly string[] {
  const names: string[] = [];
  NAME.lastIndex = at;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    names.push(match[1] ?? match[2] ?? match[3] ?? '');
    if (match[4] === undefined) break;
  }
  return names;
}

/** The end of the line on which a value ends; strings and lists may span several lines. */
function endOf(text: string, at: number): number {
  let depth = 0;
  for (let here = at; here < text.length;) {
    LITERAL.lastIndex = here;
    const length = LITERAL.exec(text)?.[0].length ?? 0;
    const letter = text[here] ?? '';
    if (length > 0) {
      here += length;
      continue;
    }
    if ('[{'.includes(letter)) depth += 1;
    else if (']}'.includes(letter)) depth -= 1;
    here += 1;
    if (letter === '\n' && depth <= 0) return here;
  }
  return text.length;
}

function statementsIn(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  for (let start = 0; start < text.length;) {
    const first = start + (/^[ \t\uFEFF]*/.exec(text.slice(start, start + 1_000))?.[0].length ?? 0);
    const isHead = text[first] === '[';
    const end = endOf(text, start);
    const names = namesAt(text, isHead ? first + (text[first + 1] === '[' ? 2 : 1) : first);
    if (isHead) table = names;
    const equals = text.indexOf('=', first);
    const value = isHead || names.length === 0 || equals < 0 || equals >= end ? '' : text.slice(equals + 1, end).trim();
    statements.push({ start, end, names: isHead || names.length === 0 ? names : [...table, ...names], isHead, value });
    start = end;
  }
  return statements;
}

const isUnder = (names: readonly string[], above: readonly string[]): boolean => above.every((name, at) => names[at] === name);

/** The command and arguments of a server. */
const wordsOf = (statements: readonly Statement[]): readonly string[] =>
  ['command', 'args'].flatMap((key) => {
    const value = statements.find(({ names }) => names.length === 3 && names[2] === key)?.value ?? '';
    return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, basic, literal]) => basic ?? literal ?? '');
  });

interface ServerStatements {
  readonly text: string;
  readonly all: readonly Statement[];
  /** The statements of Holdfast's server; empty if there is none. */
  readonly there: readonly Statement[];
  readonly isOurs: boolean;
}

function findServer(source: string): ServerStatements {
  const text = source.replace(WRITTEN_BEFORE, '');
  const all = statementsIn(text);
  const there = all.filter(({ names }) => isUnder(names, TABLE_NAMES));
  return { text, all, there, isOurs: there[0]?.isHead === true && isOurProgram(wordsOf(there)) };
}

const KEYS = /^(?:command|args)$/;

/** Adds a table at the end. An existing one for Holdfast keeps the user's additions; one that starts something else stays as it is. */
export function withTomlServer(command: string, args: readonly string[]): TextChange {
  // TOML's basic strings use the same escapes as JSON.
  const values: Readonly<Record<string, string>> = { command: JSON.stringify(command), args: `[${args.map((arg) => JSON.stringify(arg)).join(', ')}]` };
  const lines = [
    `[mcp_servers.${SERVER}]`,
    ...Object.entries(values).map(([name, value]) => `${name} = ${value}`),
    'env_vars = ["HOLDFAST_HOME", "CLAUDE_CONFIG_DIR"]',
    '',
  ];
  return (source = '') => {
    const { text, all, there, isOurs } = findServer(source);
    if (isOurs) {
      if (JSON.stringify(wordsOf(there)) === JSON.stringify([command, ...args])) return ok(text);
      let changed = text;
      for (const { start, end, names } of there.toReversed()) {
        const key = names.length === 3 ? (names[2] ?? '') : '';
        if (KEYS.test(key)) changed = `${changed.slice(0, start)}${key} = ${values[key] ?? ''}\n${changed.slice(end)}`;
      }
      return ok(changed);
    }
    if (there.length > 0) return ok(source);
    if (all.some(({ names, value }) => names.length === 1 && names[0] === TABLE_NAMES[0] && value !== ''))
      return refuse('CONFIG_ERROR', 'mcp_servers is an inline value, so no server can be added to it', {
        hint: 'write each server as a table of its own, such as [mcp_servers.NAME]; nothing was changed',
      });
    return ok(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}`);
  };
}

export const withoutTomlServer: TextChange = (source) => {
  if (source === undefined) return ok(source);
  const { text, there, isOurs } = findServer(source);
  // Comments and blank lines stay: they may belong to the next table.
  return ok(isOurs ? there.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text) : text);
};
