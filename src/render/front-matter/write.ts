import { isObject } from '../../core/value.ts';
import { isPlain, jsonText, PLAIN_KEY } from './plain.ts';

const LINE_LIMIT = 100;

type Entries = readonly (readonly [string, unknown])[];

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';
const scalar = (value: unknown): string => (typeof value === 'string' && isPlain(value) ? value : jsonText(value));

function inline(value: unknown): string {
  return Array.isArray(value) && value.every(isScalar) ? `[${value.map(scalar).join(', ')}]` : scalar(value);
}

const hasPlainKeys = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => PLAIN_KEY.test(key));

/** One key with its value; objects, lists of objects and long lists follow below it, one line for each entry. */
export function frontMatterEntry(key: string, value: unknown): string {
  if (hasPlainKeys(value)) return [`${key}:`, ...Object.entries(value).map(([inner, innerValue]) => `  ${inner}: ${inline(innerValue)}`)].join('\n');
  if (Array.isArray(value) && value.length > 0 && value.every(hasPlainKeys)) {
    const items = value.map((item) => Object.entries(item).map(([inner, innerValue], at) => `${at === 0 ? '  - ' : '    '}${inner}: ${inline(innerValue)}`));
    return [`${key}:`, ...items.flat()].join('\n');
  }
  const short = `${key}: ${inline(value)}`;
  if (short.length <= LINE_LIMIT || !Array.isArray(value) || !value.every(isScalar)) return short;
  return [`${key}:`, ...value.map((item) => `  - ${scalar(item)}`)].join('\n');
}

/** The front matter of a file without manual edits. */
export const writeFrontMatter = (entries: Entries): string => entries.map(([key, value]) => `${frontMatterEntry(key, value)}\n`).join('');
