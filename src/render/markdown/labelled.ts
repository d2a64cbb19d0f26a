import type { FieldFormat } from './form.ts';
import { parseItems, renderItems } from './list.ts';

type Pair = readonly [string, string];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => value !== null && typeof value === 'object' && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A list of objects with two texts each, written as one item an object. */
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

/** `- **Option**: why it was rejected`; a person may leave the stars out. */
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
    const found: { prefer?: string[]; avoid?: string[] } = {};
    for (const item of parseItems(text)) {
      const [label, rest] = splitLabel(item, '');
      const side = label.toLowerCase() === 'avoid' ? 'avoid' : 'prefer';
      (found[side] ??= []).push(label.toLowerCase() === side ? rest : item);
    }
    return found;
  },
};
