import fc from 'fast-check';
import type { Category } from '../../src/core/record/category.ts';
import { RECORD_SCHEMAS, type MemoryRecord } from '../../src/core/record/schema.ts';

/** Text that breaks careless writers of Markdown, YAML, JSON and tables. */
const FRAGMENTS = [
  '---',
  '---\n',
  '\n---\n',
  '...',
  '```',
  '```js\n',
  '~~~~',
  '````',
  '  ```',
  '- ```\n',
  '# ',
  '# Title',
  '## Context',
  '\n## Decision\n',
  '## Unknown\n',
  '### deeper',
  '**Status**: accepted',
  '**Date**:',
  '- item',
  '1. step',
  '- **a**: b',
  '* ',
  '+',
  '-',
  '\r\n',
  '\r',
  '\n',
  '\n\n',
  '\n\n\n',
  ' ',
  '  ',
  '\t',
  '    code',
  '\\',
  '\\## x',
  '\\```',
  '\\\\<!--',
  '<!--',
  '-->',
  '<!-- a -->',
  '<!--\n## Context\n-->',
  'key: value',
  '- a: b',
  '&a',
  '*a',
  '!!js/function',
  '%YAML',
  '{',
  '}',
  '[',
  ']',
  ',',
  ': ',
  ' #',
  '#tags:',
  ' -> ',
  '|',
  '>',
  "'",
  '"',
  '`',
  '@',
  '%',
  'null',
  'true',
  'yes',
  'no',
  '~',
  '1.0',
  '007',
  '1e3',
  '.inf',
  '0x1f',
  '2026-01-31',
  '2026-01-31T09:30:00Z',
  'word',
  'two words',
  'Prefer: x',
  'Avoid:',
  'Note',
  ':',
  '\u0000',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\u200b',
  '\u200d',
  '\u202e',
  '\ufeff',
  '\ufffd',
  'שלום',
  'مرحبا',
  '漢字',
  '👩‍👩‍👧',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'é',
  'é',
  '__proto__',
  'constructor',
];

export const hostileText = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 }).map((parts) => parts.join('\n')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 8 }) },
  { weight: 1, arbitrary: fc.constant('') },
);

const LONG = ['some words\n', '```\n', '- ```\n', '\r\n', '<!--\n', '## Context\n', '\\', '"', 'é漢👩‍👧', '  ', '---\n'];
/** Long, and yet a record that has it in every field may be saved. */
export const longText = fc.constantFrom(...LONG).map((fragment) => fragment.repeat(Math.ceil(10_240 / fragment.length)));

const instant = fc
  .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      `${date.toISOString().slice(0, 19)}Z`,
      date.toISOString(),
      date.toISOString().slice(0, 10),
      date.toISOString().slice(0, 16).replace('T', ' '),
      `${date.toISOString().slice(0, 19)}+02:00`,
    ),
  );

const id = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$/);

interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly checks?: readonly { readonly _zod: { readonly def: Limits } }[];
}
interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
  readonly format?: string;
}
interface Schema {
  readonly _zod: { readonly def: Definition };
}

const limitsOf = ({ checks = [] }: Definition): Limits => Object.assign({}, ...checks.map((check) => check._zod.def)) as Limits;

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** As much of a text as a limit allows, without cutting a character in two. */
const fitting = (value: string, limit: number): string => {
  const cut = value.slice(0, limit);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
};

type Texts = fc.Arbitrary<string>;

function text({ minimum = 0, maximum = Number.POSITIVE_INFINITY, pattern }: Limits, key: string, texts: Texts): Texts {
  if (key === 'id') return id;
  if (pattern) return instant;
  const wellFormed = texts.map((value) => fitting(value, maximum));
  return minimum > 0 ? wellFormed.map((value) => value || 'x') : wellFormed;
}

/** Whatever a schema allows, so that a field added to the model is tested from its first day. */
function from(schema: Schema, key: string, texts: Texts): fc.Arbitrary<unknown> {
  const { def } = schema._zod;
  const limits = limitsOf(def);
  switch (def.type) {
    case 'string':
      return text(limits, key, texts);
    case 'number':
      return limits.format === 'safeint' ? fc.nat() : fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'nullable':
      return fc.option(from(def.innerType as Schema, key, texts), { freq: 4 });
    case 'optional':
      return from(def.innerType as Schema, key, texts);
    case 'array':
      return fc.array(from(def.element as Schema, key, texts), { minLength: limits.minimum ?? 0, maxLength: Math.min(limits.maximum ?? 4, 4) });
    case 'object':
      return object(def.shape ?? {}, texts);
    default:
      return json;
  }
}

function object(shape: Readonly<Record<string, Schema>>, texts: Texts): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, from(schema, key, texts)]));
  const requiredKeys = Object.keys(shape).filter((key) => shape[key]?._zod.def.type !== 'optional');
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

export const recordOf = (category: Category, texts: Texts = hostileText): fc.Arbitrary<MemoryRecord> =>
  from(RECORD_SCHEMAS[category] as unknown as Schema, '', texts) as fc.Arbitrary<MemoryRecord>;
