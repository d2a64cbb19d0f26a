import { isCategory } from '../../core/record/category.ts';
import { validate } from '../../core/record/draft.ts';
import { RECORD_SCHEMAS } from '../../core/record/schema.ts';
import { err, ok, refuse, type Result } from '../../core/result.ts';
import { complete, isLeftEmpty } from '../complete.ts';
import { isTooDeep, checkSource, type ParsedRecord, type RecordHint, type JsonLayout } from '../record.ts';

type Dictionary = Readonly<Record<string, unknown>>;
const isDictionary = (value: unknown): value is Dictionary => value !== null && typeof value === 'object' && !Array.isArray(value);

/** A JSON record has no other sign of its age; without one it counts as the oldest. */
const OLDEST = '1970-01-01T00:00:00Z';

/** Reads a JSON record file. Keys at the top and in `content` that are no field's are a person's: left out of the record, kept in the layout. */
export function parseJson(source: string, hint: RecordHint): Result<ParsedRecord<JsonLayout>> {
  const checked = checkSource(source);
  if (!checked.ok) return checked;
  const object = objectOf(source.replace(/^\uFEFF/, ''));
  if (!object.ok) return object;
  const category = object.value['category'] ?? hint.category;
  if (!isCategory(category)) return refuse('VALIDATION_ERROR', `${JSON.stringify(category)} is not a category`, { fields: ['category'] });
  const { shape } = RECORD_SCHEMAS[category];
  const draft = known(object.value, Object.keys(shape));
  draft['category'] = category;
  if (isDictionary(draft['content'])) draft['content'] = known(draft['content'], Object.keys(shape.content.shape));
  const filled = complete(draft, hint, OLDEST);
  const record = validate(category, draft);
  if (!record.ok) return err({ ...record.error, message: located(source, record.error.fields?.[0] ?? '', record.error.message) });
  return ok({ record: record.value, layout: { form: 'json', source, record: record.value, object: object.value }, filled });
}

const known = (object: Dictionary, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key) && !isLeftEmpty(key, object[key])).map((key) => [key, object[key]]));

function objectOf(text: string): Result<Dictionary> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    const line = text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
    return refuse('READ_ERROR', `line ${line}: the file is not JSON: ${message}`, { hint: 'comments, trailing commas and NaN are not JSON' });
  }
  if (!isDictionary(value)) return refuse('READ_ERROR', 'line 1: the file holds no JSON object');
  return isTooDeep(value) ? refuse('READ_ERROR', 'line 1: the JSON is nested too deeply') : ok(value);
}

/** Names the line of a field at fault where its key stands in the file only once. */
function located(source: string, path: string, message: string): string {
  const key = JSON.stringify(path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '');
  const first = source.indexOf(key);
  return first >= 0 && !source.includes(key, first + 1) ? `line ${source.slice(0, first).split('\n').length}: ${message}` : message;
}
