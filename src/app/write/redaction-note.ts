import type { FieldRedaction } from '../../core/redact/deep.ts';

const SPELLED: Readonly<Record<string, string>> = {
  api: 'API',
  aws: 'AWS',
  azure: 'Azure',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  id: 'ID',
  oauth: 'OAuth',
  openai: 'OpenAI',
  pypi: 'PyPI',
  sas: 'SAS',
  slack: 'Slack',
  stripe: 'Stripe',
};

const NAMES: Readonly<Record<string, string>> = { private: 'private passage', 'too-deep': 'deeply nested value', authorization: 'authorization header' };

/** `github-token` as people write it. */
export const secretName = (kind: string): string =>
  NAMES[kind] ??
  kind
    .split('-')
    .map((word) => SPELLED[word] ?? word)
    .join(' ');

const placeName = (field: string): string => (field === 'text' ? '' : /^line \d/.test(field) ? ` on ${field}` : ` in ${field}`);

/** One line on the secrets that were removed from a text before saving; none if there were none. */
export function redactionNotes(redactions: readonly FieldRedaction[]): string[] {
  if (redactions.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { kind, field } of redactions) {
    const key = JSON.stringify([kind, field]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const parts = [...counts].map(([key, count]) => {
    const [kind, field] = JSON.parse(key) as [string, string];
    return `${count} ${secretName(kind)}${count === 1 ? '' : 's'}${placeName(field)}`;
  });
  return [`Redacted before saving: ${parts.join(', ')}`];
}
