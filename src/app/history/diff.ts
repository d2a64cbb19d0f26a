import { createTwoFilesPatch } from 'diff';
import type { JournalEntry } from '../../core/ports/store.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { logOf } from './log.ts';

/** A unified diff as git prints it; empty when the texts are the same. */
export function unifiedDiff(before: string, after: string, from: string, to: string): string {
  return before === after ? '' : createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 3 });
}

export interface Diff {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** What a write changed: the last one of the record, or the one with the number `version`. */
export async function diffOf(memory: Memory, id: string, version?: number): Promise<Result<Diff>> {
  const log = await logOf(memory, id, Number.MAX_SAFE_INTEGER);
  if (!log.ok) return log;
  const entry = version === undefined ? log.value[0] : log.value.find(({ seq }) => seq === version);
  if (!entry)
    return refuse('NOT_FOUND', version === undefined ? `${id} was never written` : `${id} has no version ${version}`, {
      missing: true,
      hint: `holdfast log ${id} lists them`,
    });
  const before = await textOf(memory, entry, entry.before);
  const after = await textOf(memory, entry, entry.after);
  const [from, to] = [`${entry.path} (before ${entry.seq})`, `${entry.path} (after ${entry.seq}, ${entry.op})`];
  return ok({ path: entry.path, from, to, text: unifiedDiff(redact(before).text, redact(after).text, from, to) });
}

/** A version's text: kept since it was superseded, or still the file itself. */
async function textOf(memory: Memory, { root, path }: JournalEntry, hash: string | undefined): Promise<string> {
  if (hash === undefined) return '';
  const kept = await memory.store.version(hash);
  if (kept !== undefined) return kept;
  const file = await memory.store.read({ root, path });
  return file?.hash === hash ? file.text : `(version ${hash} was deleted)\n`;
}
