import { isCategory } from '../../core/record/category.ts';
import { validate } from '../../core/record/draft.ts';
import { RECORD_SCHEMAS } from '../../core/record/schema.ts';
import { err, ok, refuse, type Result } from '../../core/result.ts';
import { isObject, type Json } from '../../core/value.ts';
import { fillMissing, isAbsent } from '../missing-fields.ts';
import { isTooDeep, checkSource, type ParsedRecord, type RecordHint, type JsonLayout } from '../record.ts';

/** The age of a JSON record without `created_at`. */
const OLDEST = '1970-01-01T00:00:00Z';

/** Reads a JSON record file. Unknown keys at the top and in `content` stay in the layout but not in the record. */
export function parseJson(source: string, hint: RecordHint): Result<ParsedRecord<JsonLayout>> {
  const checked = checkSource(source);
  if (!checked.ok) return checked;
  const object = objectOf(source.replace(/^\uFEFF/, ''));
  if (!object.ok) return object;
  const category = object.value['category'] ?? hint.category;
  if (!isCategory(category)) return refuse('VALIDATION_ERROR', `${JSON.stringify(category)} is not a category`, { fields: ['category'] });
  const { shape } = RECORD_SCHEMAS[category];
  const draft = knownFields(object.value, Object.keys(shape));
  draft['category'] = category;
  if (isObject(draft['content'])) draft['content'] = knownFields(draft['content'], Object.keys(shape.content.shape));
  const filled = fillMissing(draft, hint, OLDEST);
  const record = validate(category, draft);
  if (!record.ok) return err({ ...record.error, message: withLine(source, record.error.fields?.[0] ?? '', record.error.message) });
  return ok({ record: record.value, layout: { form: 'json', source, record: record.value, object: object.value }, filled });
}

const knownFields = (object: Json, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key) && !isAbsent(key, object[key])).map((key) => [key, object[key]]));

function objectOf(text: string): Result<Json> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    const line = text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
    return refuse('READ_ERROR', `line ${line}: the file is not JSON: ${message}`, { hint: 'comments, trailing commas and NaN are not JSON' });
  }
  if (!isObject(value)) return refuse('READ_ERROR', 'line 1: the file is not a JSON object');
  return isTooDeep(value) ? refuse('READ_ERROR', 'line 1: the JSON is nested too deeply') : ok(value);
}

/** Adds the line of an invalid field if its key occurs in the file only once. */
function withLine(source: string, path: string, message: string): string {
  const key = JSON.stringify(path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '');
  const first = source.indexOf(key);
  return first >= 0 && !source.includes(key, first + 1) ? `line ${source.slice(0, first).split('\n').length}: ${message}` : message;
}
