import { secretName } from '../write/redaction-note.ts';
import type { Finding } from './doctor.ts';

/** Reports a file with secrets. The file is not changed; what Holdfast shows of it has a mark in their place. */
export function secretFinding(file: string, kinds: readonly string[] = []): readonly Finding[] {
  // A passage marked as private is intended.
  const secrets = kinds.filter((kind) => kind !== 'private');
  if (secrets.length === 0) return [];
  return [
    {
      level: 'note',
      what: `The file holds what looks like a secret: ${secrets.map(secretName).join(', ')}. Agents, search and exports get a mark in its place.`,
      where: file,
      mend: 'take it out in an editor, and replace the secret if others may have seen it',
    },
  ];
}
