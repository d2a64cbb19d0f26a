import { isObject } from '../../core/value.ts';
import { blockStates, escapeBlocks, unescapeBlocks } from './blocks.ts';
import { type FieldFormat, isBlankLine, visible } from './format.ts';

const MARKER = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/s;

const indentOf = (line: string): number => line.length - line.trimStart().length;
const dedent = (line: string, by: number): string => line.slice(Math.min(by, indentOf(line)));

interface Item {
  /** Column at which its further lines start. */
  readonly column: number;
  readonly lines: string[];
}

/** The items of a list; a paragraph without a marker is an item too, so that no text is lost. */
function parseItems(text: string): string[] {
  const lines = text.split('\n');
  const states = blockStates(lines);
  const items: Item[] = [];
  let margin: number | undefined;
  let afterBlank = true;
  for (const [at, line] of lines.entries()) {
    const current = items.at(-1);
    const inside = states[at] === 'inside';
    const marker = inside ? null : MARKER.exec(line);
    const [, lead = '', sign = '', gap = '', rest = ''] = marker ?? [];
    if (marker && lead.length <= (margin ?? lead.length) + 1) {
      margin ??= lead.length;
      const code = gap.length > 4 ? 1 : gap.length;
      items.push({ column: lead.length + sign.length + Math.max(1, code), lines: [code === gap.length ? rest : gap.slice(1) + rest] });
    } else if (current && (inside || isBlankLine(line) || !afterBlank || (current.column > 0 && indentOf(line) > (margin ?? 0)))) {
      current.lines.push(dedent(line, current.column));
    } else if (!isBlankLine(line)) {
      items.push({ column: 0, lines: [line] });
    }
    afterBlank = !inside && isBlankLine(line);
  }
  return items.map((item) => unescapeBlocks(item.lines.join('\n').trimEnd(), false));
}

function renderItems(items: readonly string[], ordered: boolean, careful: boolean): string {
  const rendered = items.map((item, at) => {
    const marker = ordered ? `${at + 1}.` : '-';
    const indent = ' '.repeat(marker.length + 1);
    const [first = '', ...rest] = escapeBlocks(visible(item), { headings: false, careful }).split('\n');
    return [first === '' ? marker : `${marker} ${first}`, ...rest.map((line) => (line === '' ? '' : indent + line))].join('\n');
  });
  return rendered.join('\n');
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

const list = (ordered: boolean): FieldFormat => ({
  accepts: isTexts,
  render: (value, careful = false) => renderItems(value as readonly string[], ordered, careful),
  parse: parseItems,
});

export const bullets = list(false);
export const steps = list(true);

type Pair = readonly [string, string];

/** A list of objects with two texts each; each object is one item. */
const pairs = (keys: Pair, compose: (pair: Pair) => string, split: (item: string) => Pair): FieldFormat => ({
  accepts: (value) =>
    Array.isArray(value) && value.every((item) => isObject(item) && Object.keys(item).length === 2 && keys.every((key) => typeof item[key] === 'string')),
  render: (value, careful = false) =>
    renderItems(
      (value as readonly Readonly<Record<string, string>>[]).map((item) => compose([item[keys[0]] ?? '', item[keys[1]] ?? ''])),
      false,
      careful,
    ),
  parse: (text) => parseItems(text).map((item) => Object.fromEntries(split(item).map((value, at) => [keys[at], value]))),
});

const BOLD = /^\*\*(.+?)\*\*(?::[ \t]*|$)(.*)$/s;
const DASHED = /^([^\n]+?)(?::| [—–-])[ \t]+(.+)$/s;

/** `- **Option**: why it was rejected`; the stars are optional. */
export const options: FieldFormat = pairs(
  ['option', 'rejected_reason'],
  ([option, reason]) => (reason === '' ? `**${option}**` : `**${option}**: ${reason}`),
  (item) => {
    const [, option = item, reason = ''] = BOLD.exec(item) ?? DASHED.exec(item) ?? [];
    return [option, reason];
  },
);

const LABEL = /^(?:\*\*)?([^:*\n]{1,60}?)(?:\*\*:|:\*\*|:)(?:[ \t]+(.*)|(\n.*)|)$/s;

function splitLabel(item: string, otherwise: string): Pair {
  const match = LABEL.exec(item);
  return match ? [match[1] ?? '', match[2] ?? match[3] ?? ''] : [otherwise, item];
}

const withLabel = ([label, text]: Pair): string => (text === '' ? `${label}:` : `${label}: ${text}`);

/** `- Decision: what and why`. */
export const points: FieldFormat = pairs(['label', 'text'], withLabel, (item) => splitLabel(item, 'Note'));

/** `- Prefer: …` and `- Avoid: …`. */
export const examples: FieldFormat = {
  accepts: (value) => isObject(value) && Object.keys(value).every((key) => (key === 'prefer' || key === 'avoid') && isTexts(value[key])),
  render: (value, careful = false) => {
    const { prefer = [], avoid = [] } = value as { prefer?: readonly string[]; avoid?: readonly string[] };
    return renderItems([...prefer.map((text) => withLabel(['Prefer', text])), ...avoid.map((text) => withLabel(['Avoid', text]))], false, careful);
  },
  parse: (text) => {
    const examplesBySide: { prefer?: string[]; avoid?: string[] } = {};
    for (const item of parseItems(text)) {
      const [label, rest] = splitLabel(item, '');
      const side = label.toLowerCase() === 'avoid' ? 'avoid' : 'prefer';
      (examplesBySide[side] ??= []).push(label.toLowerCase() === side ? rest : item);
    }
    return examplesBySide;
  },
};
