import { err, ok, refuse, type Result } from '../result.ts';
import type { Category } from './category.ts';
import { RECORD_SCHEMAS, type MemoryRecord } from './schema.ts';

/** A record as someone handed it in: nothing in it is believed until `validate` has seen it. */
export type Draft = Readonly<Record<string, unknown>>;

/** Reads a draft's JSON; drafters like to wrap it in a code fence. */
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
      hint: 'hand in one record as a JSON object',
    });
  }
  return ok(value as Draft);
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
}

const fieldsOf = (issue: Issue): string[] =>
  issue.code === 'unrecognized_keys' && issue.keys ? issue.keys.map((key) => [...issue.path, key].join('.')) : [issue.path.join('.')];

/** Checks a repaired draft against its category's schema. */
export function validate(category: Category, draft: Draft): Result<MemoryRecord> {
  const outcome = RECORD_SCHEMAS[category].safeParse(draft);
  if (outcome.success) return ok(outcome.data as MemoryRecord);
  const issues = outcome.error.issues as readonly Issue[];
  const fields = [...new Set(issues.flatMap(fieldsOf))];
  const first = issues[0];
  const said = first?.code === 'unrecognized_keys' ? 'is not a field of this category' : (first?.message ?? 'is wrong').toLowerCase();
  const others = fields.length > 1 ? ` (and ${fields.slice(1).join(', ')})` : '';
  return err({
    code: 'VALIDATION_ERROR',
    message: `${category}: ${fields[0] || 'the record'} ${said}${others}`,
    hint: `the fields of a ${category} are in assets/schemas/${category}.schema.json`,
    fields,
  });
}
