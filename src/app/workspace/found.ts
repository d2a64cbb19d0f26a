import { utcSeconds } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import { putRelationship, type Relationship } from '../../render/documents/workspace.ts';
import { DOCUMENTS } from '../documents/places.ts';
import type { Memory } from '../memory/memory.ts';
import type { FoundRelation } from './discover.ts';
import { editWorkspace, readWorkspace } from './workspace.ts';

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const reasonFor = (from: string, to: string): string => `found: ${from} → ${to}`;

/** Puts relationships that were found in the work on the map: those that it does not know, and none that was found before and has been taken off since. */
export async function addFound(user: Memory, from: string, found: readonly FoundRelation[], actor: string): Promise<Result<readonly Relationship[]>> {
  const { relationships } = await readWorkspace(user);
  const unknown = found.filter(
    ({ to }) => !relationships.some((known) => (same(known.from, from) && same(known.to, to)) || (same(known.from, to) && same(known.to, from))),
  );
  if (unknown.length === 0) return ok([]);
  const { path, root } = DOCUMENTS.workspace;
  const before = new Set((await user.store.journal.entries()).filter((entry) => entry.root === root && entry.path === path).map(({ reason }) => reason));
  const added: Relationship[] = [];
  for (const { relation, to, note } of unknown.filter((one) => !before.has(reasonFor(from, one.to)))) {
    const row = { from, relation, to, note: `found ${utcSeconds(user.now()).slice(0, 10)}: ${note}` };
    const written = await editWorkspace(user, (source) => ok(putRelationship(source, row)), { actor, reason: reasonFor(from, to) });
    if (!written.ok) return written;
    added.push(row);
  }
  return ok(added);
}
