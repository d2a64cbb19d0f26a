import { sameValue } from '../../core/value.ts';
import { RECORD_SCHEMAS, type MemoryRecord } from '../../core/record/schema.ts';
import { eolOf, type JsonLayout } from '../record.ts';

type Dictionary = Readonly<Record<string, unknown>>;

/** The order in which people expect the fields; the rest follows as the schema has it. */
const FIRST = [
  'schema_version',
  'category',
  'id',
  'title',
  'record_status',
  'created_at',
  'updated_at',
  'tags',
  'related_files',
  'confidence',
  'content',
  'changes',
];

const isDictionary = (value: unknown): value is Dictionary => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The JSON file of a record; with the layout of the file it came from, keys keep their order and a person's own keys stay. */
export function renderJson(record: MemoryRecord, layout?: JsonLayout): string {
  const plain = JSON.parse(JSON.stringify(record)) as MemoryRecord;
  if (layout && sameValue(layout.record, plain)) return layout.source;
  const { shape } = RECORD_SCHEMAS[plain.category];
  const keys = [...new Set([...FIRST, ...Object.keys(shape)])];
  const contentKeys = Object.keys(shape.content.shape);
  const source = layout?.object ?? {};
  const oldContent = isDictionary(source['content']) ? source['content'] : {};
  const content = merged(plain.content, oldContent, contentKeys);
  const object = merged({ ...plain, content }, source, keys);
  return framed(JSON.stringify(object, null, indentOf(layout?.source)), layout?.source ?? '');
}

/** The fields of a record in the order of the file, a person's keys among them; fields that are new to the file come last. */
function merged(fields: object, source: Dictionary, keys: readonly string[]): Dictionary {
  const held = fields as Dictionary;
  const isField = new Set(keys);
  const extra = Object.keys(source).filter((key) => !isField.has(key) || held[key] !== undefined);
  const added = keys.filter((key) => held[key] !== undefined && !Object.hasOwn(source, key));
  const valueOf = (key: string): unknown => (!isField.has(key) || sameValue(source[key], held[key]) ? source[key] : held[key]);
  return Object.fromEntries([...extra, ...added].map((key) => [key, Object.hasOwn(source, key) ? valueOf(key) : held[key]]));
}

const indentOf = (source: string | undefined): string => /\n([ \t]+)"/.exec(source ?? '')?.[1] ?? '  ';

function framed(json: string, source: string): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + `${json}\n`.replaceAll('\n', eolOf(source));
}
