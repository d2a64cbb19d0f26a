import { markVersions } from '../../core/record/conflict-markers.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { isSameRecord } from '../../core/lifecycle/merge-versions.ts';
import { roleOf } from '../memory/layout.ts';
import { mergeRecordTexts } from '../write/merge-conflicts.ts';
import { mergeLines } from './merge-lines.ts';

export interface JoinedText {
  readonly text: string;
  /** A record of this machine that had the same name and needs another. */
  readonly second?: MemoryRecord;
  /** Fields that both changed: the text holds both versions between markers. */
  readonly conflicts: readonly string[];
}

/** Merges the versions of this machine and the server: records by field, as `holdfast merge` does, documents by line. */
export function joinTexts(place: FileRef, versions: { readonly ours: string; readonly theirs: string; readonly base?: string | undefined }): JoinedText {
  const { ours, theirs, base } = versions;
  const marked = (fields: readonly string[]): JoinedText => ({ text: markVersions({ ours, theirs, ...(base !== undefined && { base }) }), conflicts: fields });
  const role = roleOf(place);
  if (role.role === 'document') {
    const merged = base === undefined ? undefined : mergeLines({ ours, theirs, base });
    return merged === undefined ? marked(['text']) : { text: merged, conflicts: [] };
  }
  const file = { ...place, hash: '', mtimeMs: 0, size: 0, text: ours };
  const outcome = role.role === 'record' ? mergeRecordTexts(file, { ours, theirs, ...(base !== undefined && { base }) }, role.category, 'ours') : undefined;
  if (!outcome) return marked(['text']);
  // The server's record keeps the name, so that all machines agree on it.
  if (outcome.second && outcome.record && !isSameRecord(outcome.record, outcome.second)) return { text: theirs, second: outcome.record, conflicts: [] };
  if (outcome.conflicts.length > 0) return marked(outcome.conflicts.map(({ field }) => field));
  return { text: outcome.isOneRecord ? outcome.text : theirs, conflicts: [] };
}
