import { isObject, type Json, sameValue } from '../../core/value.ts';
import { RECORD_SCHEMAS, type MemoryRecord } from '../../core/record/schema.ts';
import { eolOf, type JsonLayout } from '../record.ts';

/** The first fields of a new file; the others follow in the order of the schema. */
const KEY_ORDER = [
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

/** The JSON file of a record; with the layout of its file, keys keep their order and unknown keys stay. */
export function renderJson(record: MemoryRecord, layout?: JsonLayout): string {
  const plain = JSON.parse(JSON.stringify(record)) as MemoryRecord;
  if (layout && sameValue(layout.record, plain)) return layout.source;
  const { shape } = RECORD_SCHEMAS[plain.category];
  const keys = [...new Set([...KEY_ORDER, ...Object.keys(shape)])];
  const contentKeys = Object.keys(shape.content.shape);
  const source = layout?.object ?? {};
  const oldContent = isObject(source['content']) ? source['content'] : {};
  const content = mergeFields(plain.content, oldContent, contentKeys);
  const object = mergeFields({ ...plain, content }, source, keys);
  return withFrame(JSON.stringify(object, null, indentOf(layout?.source)), layout?.source ?? '');
}

/** The fields of a record in the order of the file, with its unknown keys; fields that the file lacked come last. */
function mergeFields(fields: object, source: Json, keys: readonly string[]): Json {
  const values = fields as Json;
  const isField = new Set(keys);
  const extra = Object.keys(source).filter((key) => !isField.has(key) || values[key] !== undefined);
  const added = keys.filter((key) => values[key] !== undefined && !Object.hasOwn(source, key));
  const valueOf = (key: string): unknown => (!isField.has(key) || sameValue(source[key], values[key]) ? source[key] : values[key]);
  return Object.fromEntries([...extra, ...added].map((key) => [key, Object.hasOwn(source, key) ? valueOf(key) : values[key]]));
}

const indentOf = (source: string | undefined): string => /\n([ \t]+)"/.exec(source ?? '')?.[1] ?? '  ';

function withFrame(json: string, source: string): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + `${json}\n`.replaceAll('\n', eolOf(source));
}
