import { withoutMarkers } from '../../core/record/conflict-markers.ts';
import { escapeBlocks, unescapeBlocks } from './blocks.ts';

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text that Markdown can show: one kind of line end, no control characters, no lone surrogates, no conflict markers. */
export const visible = (text: string): string => withoutMarkers(text.replace(/\r\n?/g, '\n').replace(UNSEEN, '\ufffd'));

export const isBlankLine = (line: string): boolean => line.trim() === '';

/** Removes blank lines at the start and end, which a Markdown section does not preserve. */
export function trimBlank(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !isBlankLine(line));
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd();
}

/** How a field's value is written in Markdown. A value that the format cannot express exactly is also stored in front matter (see `EXACT`). */
export interface FieldFormat {
  accepts(value: unknown): boolean;
  /** The text of an accepted value, with `\n` between lines and none at the end. */
  render(value: unknown, careful?: boolean): string;
  /** The value of a text; undefined if it has no valid value. */
  parse(text: string): unknown;
  /** A description of the accepted texts, if not all are accepted. */
  readonly expected?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const prose: FieldFormat = {
  accepts: isText,
  render: (value, careful = false) => escapeBlocks(visible(value as string), { headings: true, careful }),
  parse: (text) => unescapeBlocks(trimBlank(text), true),
};

const oneLine = (value: string): string =>
  visible(value)
    .split('\n')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

export const lineFormat: FieldFormat = {
  accepts: isText,
  render: (value) => oneLine(value as string),
  parse: (text) => text.trim(),
};

const UNTITLED = '(untitled)';

export const heading: FieldFormat = {
  accepts: isText,
  render: (value) => oneLine(value as string) || UNTITLED,
  parse: (text) => text.trim() || undefined,
};

const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

export const instant: FieldFormat = {
  accepts: isText,
  render: (value) => oneLine(value as string),
  parse: (text) => (INSTANT.test(text.trim()) ? text.trim() : undefined),
};

/** Longer than any choice. */
const LONGEST_WORD = 80;

/** Normalises a word as people write it: any case, blanks or hyphens for underscores, perhaps emphasised. */
const plainWord = (text: string): string =>
  text
    .trim()
    .replace(/^[*`_]+|[*`_]+$/g, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[\s-]+/g, '_');

export function word(values: readonly string[], meanings: Readonly<Record<string, string>> = {}): FieldFormat {
  const known = new Map([...values.map((value) => [value, value] as const), ...Object.entries(meanings)]);
  return {
    accepts: (value) => isText(value) && values.includes(value),
    render: (value) => value as string,
    parse: (text) => (text.length > LONGEST_WORD ? undefined : known.get(plainWord(text))),
    expected: `one of ${values.join(', ')}`,
  };
}

const YES_NO = new Map(Object.entries({ yes: true, true: true, no: false, false: false }));

export const yesNo: FieldFormat = {
  accepts: (value) => typeof value === 'boolean',
  render: (value) => (value === true ? 'yes' : 'no'),
  parse: (text) => (text.length > LONGEST_WORD ? undefined : YES_NO.get(plainWord(text))),
  expected: 'yes or no',
};
