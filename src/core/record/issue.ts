/** What the schema found wrong, as zod/mini reports it: codes and bounds, no words. */
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

/** A sentence's second half: the field is its first. */
export function describeIssue(issue: Issue): string {
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

export const fieldsOf = (issue: Issue): string[] =>
  issue.code === 'unrecognized_keys' && issue.keys ? issue.keys.map((key) => [...issue.path, key].join('.')) : [issue.path.join('.')];
