import { secretName } from '../write/redaction-note.ts';
import type { Finding } from './doctor.ts';

/** A file into which somebody typed secrets. It stays as it is; whoever reads it through Holdfast sees a mark in their place. */
export function secretFinding(file: string, kinds: readonly string[] = []): readonly Finding[] {
  // Whoever marks a passage as private knows that it is there.
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
