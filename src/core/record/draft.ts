import { err, ok, refuse, type Result } from '../result.ts';
import type { Category } from './category.ts';
import { RECORD_SCHEMAS, type MemoryRecord } from './schema.ts';
import { DRAFT_CHARACTERS } from '../limits.ts';

/** An issue that zod/mini reports, with codes and bounds but without text. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly expected?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items', number: '', int: '' };

const unitOf = ({ origin }: Issue, count: number | bigint | undefined): string => {
  const unit = UNITS[origin ?? ''] ?? '';
  return Number(count) === 1 ? unit.replace(/s$/, '') : unit;
};

/** The text of an issue, which follows the field's name. */
function describeIssue(issue: Issue): string {
  const { code, expected, values, minimum, maximum, message } = issue;
  if (code === 'unrecognized_keys') return 'is not a field of this category';
  if (code === 'invalid_type') {
    const kind = expected === 'array' ? 'list' : (expected ?? 'value');
    return `must be ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
  }
  if (code === 'invalid_value') return `must be ${(values ?? []).map((value) => JSON.stringify(value)).join(' or ')}`;
  if (code === 'too_big') return `must be at most ${maximum}${unitOf(issue, maximum)}`;
  if (code === 'too_small') return `must be at least ${minimum}${unitOf(issue, minimum)}`;
  return message === 'Invalid input' ? 'is not valid' : `must be ${message}`;
}

const fieldsOf = (issue: Issue): string[] =>
  issue.code === 'unrecognized_keys' && issue.keys ? issue.keys.map((key) => [...issue.path, key].join('.')) : [issue.path.join('.')];

/** A submitted record, which is untrusted until `validate` has checked it. */
export type Draft = Readonly<Record<string, unknown>>;

/** Reads a draft's JSON, which drafters often wrap in a code fence. */
export function parseDraft(text: string): Result<Draft> {
  const unfenced = /^\s*```[a-z]*\s*\n([\s\S]*?)\n?```\s*$/i.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(unfenced.replace(/^\uFEFF/, ''));
  } catch (cause) {
    return refuse('INPUT_ERROR', `the draft is not JSON: ${(cause as Error).message}`, {
      hint: 'write one JSON object; NaN, comments and trailing commas are not JSON',
    });
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return refuse('INPUT_ERROR', `the draft is ${value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`}, not a JSON object`, {
      hint: 'submit one record as a JSON object',
    });
  }
  return ok(value as Draft);
}

/** Checks a repaired draft against its category's schema. */
export function validate(category: Category, draft: Draft): Result<MemoryRecord> {
  const outcome = RECORD_SCHEMAS[category].safeParse(draft);
  if (outcome.success) return ok(outcome.data as MemoryRecord);
  const issues = outcome.error.issues as readonly Issue[];
  const fields = [...new Set(issues.flatMap(fieldsOf))];
  const [first] = issues;
  const missing = first?.code === 'invalid_type' && valueAt(draft, first.path) === undefined;
  const problem = first === undefined ? 'is not valid' : missing ? 'is missing' : describeIssue(first);
  const others = fields.length > 1 ? ` (and ${fields.slice(1).join(', ')})` : '';
  return err({
    code: 'VALIDATION_ERROR',
    message: `${category}: ${fields[0] || 'the record'} ${problem}${others}`,
    hint: `the fields of a ${category} are in assets/schemas/${category}.schema.json`,
    fields,
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner !== null && typeof inner === 'object' ? (inner as Record<PropertyKey, unknown>)[key] : undefined), value);
}

/** Refuses a record that is too large to be useful, before its text is processed. */
export function checkSize(draft: Draft): Result<true> {
  const { length } = JSON.stringify(draft);
  if (length <= DRAFT_CHARACTERS) return ok(true);
  return refuse('VALIDATION_ERROR', `the record has ${length} characters; a record has at most ${DRAFT_CHARACTERS}`, {
    hint: 'save what matters of it, or keep the text in a file and name that in related_files; nothing was saved',
  });
}
