import { sha256 } from '../../../src/adapters/process/environment.ts';
import { plainCodec } from '../../../src/app/sync/plain-codec.ts';
import type { SyncReport } from '../../../src/app/sync/report.ts';
import { planSync, syncPlace, type SyncOptions } from '../../../src/app/sync/sync.ts';
import type { FileRef } from '../../../src/core/ports/store.ts';
import type { Remote, SyncStateFile } from '../../../src/core/ports/team/sync.ts';
import type { Result } from '../../../src/core/result.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import { must } from '../memory.ts';
import { person, type Person } from '../sharing/clones.ts';

/** A machine with a home and a clone of its own, that syncs its shared records. */
export interface SyncingMachine extends Person {
  /** What the state file holds: a crash keeps what was written last. */
  readonly state: SyncStateFile & { text: string | undefined };
  sync(options?: SyncOptions): Promise<Result<SyncReport>>;
  plan(): Promise<Result<SyncReport>>;
}

export function syncingMachine(folder: string, name: string, remote: Remote): SyncingMachine {
  const who = person(folder, name, '2026-03-01T12:00:00Z');
  const state: SyncingMachine['state'] = { text: undefined, read: () => state.text, write: (text) => void (state.text = text) };
  const place = { memory: who.memory, root: 'shared', space: 'shared', remote, codec: plainCodec(sha256), author: { actor: 'sync' } } as const;
  return { ...who, state, sync: (options) => syncPlace(place, state, options), plan: () => planSync(place, state) };
}

export const textAt = async (who: SyncingMachine, place: FileRef): Promise<string | undefined> => (await who.memory.store.read(place))?.text;

/** Updates a record as a person does: tags are added, other fields replaced. */
export async function change(
  who: SyncingMachine,
  place: FileRef,
  { tags = [], ...more }: { readonly tags?: readonly string[] } & Record<string, unknown>,
): Promise<void> {
  const { record } = must(await currentRecord(who.memory, place));
  const changes = [...(record.changes ?? []), { date: record.updated_at, summary: 'changed' }];
  must(await updateRecord(who.memory, { place, draft: { ...record, ...more, tags: [...record.tags, ...tags], changes }, actor: 'command' }));
}
