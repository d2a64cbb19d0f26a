import { ok, refuse, type Result } from '../../core/result.ts';
import { isTooDeep } from '../record.ts';
import { readPlain } from './plain.ts';
import { readYaml } from './yaml.ts';

/** The fields of a record in front matter, in the order in which they are written. */
export const FRONT_MATTER_FIELDS = [
  'schema_version',
  'category',
  'id',
  'record_status',
  'created_at',
  'updated_at',
  'tags',
  'related_files',
  'applies_to',
  'confidence',
  'trust',
  'scope',
  'times_updated',
  'retired_at',
  'retired_reason',
  'archived_at',
  'archived_reason',
  'supersedes',
  'superseded_by',
  'origin',
  'evidence',
  'changes',
] as const;

const NUMBERS = ['confidence', 'times_updated'];
const TEXTS: ReadonlySet<string> = new Set(FRONT_MATTER_FIELDS.filter((key) => !NUMBERS.includes(key)));
const ANY_TYPE = new Set(['old_value', 'new_value']);

/** Whether a value has a number or boolean in the place of a text: only the YAML parser returns the text as typed. */
function hasOtherType(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOtherType);
  if (value === null || typeof value !== 'object') return typeof value === 'number' || typeof value === 'boolean';
  return Object.entries(value).some(([key, inner]) => !ANY_TYPE.has(key) && hasOtherType(inner));
}

const LISTS = new Set(['related_files', 'applies_to', 'supersedes']);

/** Accepts common manual forms: one file instead of a list, tags separated by commas, a version without quotes. */
function normalize(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (key === 'tags')
    return value
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  if (LISTS.has(key)) return [value];
  return key === 'schema_version' && value === '1' ? '1.0' : value;
}

/** Everything between the fences by key, unknown keys included. */
export function readFrontMatter(source: string, firstLine: number): Result<Map<string, unknown>> {
  const plain = readPlain(source);
  const usable = plain && ![...plain].some(([key, value]) => TEXTS.has(key) && hasOtherType(value));
  const values = usable ? ok(plain) : readYaml(source, firstLine);
  if (!values.ok) return values;
  if ([...values.value.values()].some((value) => isTooDeep(value))) return refuse('READ_ERROR', `line ${firstLine}: the front matter is nested too deeply`);
  return ok(new Map([...values.value].map(([key, value]) => [key, normalize(key, value)])));
}
