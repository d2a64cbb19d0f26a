/** One case of the record lifecycle, as it comes in on standard input. */
export interface Case {
  readonly id: string;
  readonly given: Given;
  readonly steps: readonly Step[];
}

export interface Given {
  readonly records?: Readonly<Record<string, unknown>>;
  readonly config?: unknown;
  /** Lines of index.md; null for none yet, absent to have it rendered from the records. */
  readonly index?: readonly string[] | string | null;
  readonly project_files?: Readonly<Record<string, string>>;
  readonly outside_files?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly memory_root?: 'absent';
}

export type Step = Readonly<Record<string, unknown>> & { readonly op: string };

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function instant(token: string): string {
  const [, sign = '-', spec = ''] = /^@now(?:([+-])(.+))?$/.exec(token) ?? [];
  const total = [...spec.matchAll(/(\d+)([smhd])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (SECONDS[unit as string] ?? 0), 0);
  return `${new Date(Date.now() + (sign === '-' ? -total : total) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Replaces the tokens for places and instants everywhere in a value. */
export function fillIn(value: unknown, places: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    if (/^@now([+-]|$)/.test(value)) return instant(value);
    return value.replace(/<(MEMORY|PROJECT|OUTSIDE|INPUT|STAGING)>/g, (token, name: string) => places[name] ?? token);
  }
  if (Array.isArray(value)) return value.map((inner) => fillIn(inner, places));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fillIn(key, places), fillIn(inner, places)]));
}
