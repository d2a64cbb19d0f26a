import { idOfStem } from '../../core/project/filename.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { FileChange } from '../../core/ports/store.ts';
import { HIGHEST_TRUST, lowerTrust, sourceOfActor, trustFrom } from '../../core/trust/trust.ts';
import { parseRecordFile, renderRecordFile } from '../../render/record-file.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from './current.ts';

/** Whatever an agent does – an update, an undo, a merge – a record is trusted no more afterwards than before, and a new one no more than the agent. */
export async function limitTrust(memory: Memory, actor: string, change: FileChange): Promise<FileChange> {
  const source = sourceOfActor(actor);
  const role = roleOf(change);
  if ((source !== 'agent-shell' && source !== 'agent-asked') || change.text === undefined || role.role !== 'record') return change;
  const next = parseRecordFile(change.path, change.text, {
    category: role.category,
    id: idOfStem(role.category, stemOf(change.path)),
    time: utcSeconds(memory.now()),
  });
  if (!next.ok) return change;
  const { record, layout } = next.value;
  const claimed = record.trust ?? trustFrom('capture');
  const before = await currentRecord(memory, change);
  const trust = lowerTrust(claimed, before.ok ? before.value.record.trust : HIGHEST_TRUST[source]);
  return trust === claimed ? change : { ...change, text: renderRecordFile(change.path, { ...record, trust }, layout) };
}
