import type { ItemFacts } from '../../core/ports/index.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isAutomatic, isQuarantined, sourceOfActor } from '../../core/trust/trust.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { resolveItem } from '../read/resolve.ts';
import { currentRecord } from './current.ts';
import { journalName, type Writing } from './transaction.ts';
import { holdsUserText } from './user-text.ts';

/** Resolves records given by short id, by the beginning of an id or in full. */
export async function recordsToReplace(memory: Memory, names: readonly string[]): Promise<Result<readonly string[]>> {
  if (names.length > 0) await catchUp(memory);
  const fullNames: string[] = [];
  for (const name of names) {
    const item = await resolveItem(memory, name);
    if (!item.ok) return item;
    if (item.value.category === undefined) return refuse('INPUT_ERROR', `${name} is a document; only records are replaced.`, { hint: 'name a record' });
    fullNames.push(`${item.value.category}/${item.value.id}`);
  }
  return ok([...new Set(fullNames)]);
}

const itemNamed = (memory: Memory, name: string): ItemFacts | undefined => {
  const [category, id] = name.includes('/') ? [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)] : [undefined, name];
  const items = memory.index.byId(id).filter((item) => item.kind === 'record' && (category === undefined || item.category === category));
  return items.length === 1 ? items[0] : undefined;
};

/** Why a record may not be marked as replaced by this author; undefined if it may. */
async function refusalOf(memory: Memory, item: ItemFacts, newer: MemoryRecord, actor: string): Promise<string | undefined> {
  if (isQuarantined(newer.trust)) return 'the new record is quarantined';
  if (item.root !== 'private' && item.root !== 'user' && newer.scope !== item.root && !(item.root === 'folder' && newer.scope === 'shared'))
    return 'it is committed with the code';
  const current = await currentRecord(memory, item);
  if (!current.ok) return current.error.message;
  if (isAutomatic(actor) && (await holdsUserText(memory, current.value.file))) return 'the user wrote it';
  // An agent's shell does not act for the user.
  return sourceOfActor(actor) === 'agent-shell' && item.trust === 'confirmed' ? 'the user confirmed it' : undefined;
}

/** Marks older records as replaced by a newer one: they rank below it, leave the brief, and appear under Evolution in master.md. */
export async function markSuperseded(memory: Memory, write: Writing, newer: MemoryRecord, actor: string, known: readonly string[] = []): Promise<void> {
  const name = `${newer.category}/${newer.id}`;
  for (const older of (newer.supersedes ?? []).filter((id) => !known.includes(id))) {
    const item = itemNamed(memory, older);
    if (item === undefined || `${item.category ?? ''}/${item.id}` === name) continue;
    const refusal = await refusalOf(memory, item, newer, actor);
    const current = await currentRecord(memory, item);
    if (refusal !== undefined || !current.ok) {
      write.warnings.push(`${older} was not marked as replaced: ${refusal ?? 'it cannot be read'}`);
      continue;
    }
    const { record, layout } = current.value;
    if (record.superseded_by === name) continue;
    const changes = [...(record.changes ?? []), { date: utcSeconds(memory.now()), summary: `Replaced by ${name}` }];
    const next = { ...record, superseded_by: name, changes } as MemoryRecord;
    await write.apply({ root: item.root, path: item.path, text: renderRecordFile(item.path, next, layout), op: 'update', ...journalName(record) });
  }
}
