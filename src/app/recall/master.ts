import { daysInMs, epochOf } from '../../core/instant.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { StoredFile } from '../../core/ports/store.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { readSettled } from './recall-context.ts';

const MASTER_PATHS = ['master.md', 'memory/master.md'];

export interface Summary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
}

export interface Master {
  readonly text: string;
  readonly file: string;
  /** When it was last synthesised, epoch milliseconds. */
  readonly at: number;
  /** The text under `Current Status`, and the number of `Key Decisions`. */
  readonly status?: string;
  readonly decisions: number;
  /** Summaries that are newer. */
  readonly fresh: number;
  /** Older than `synthesis.warnAfterDays`. */
  readonly isOld: boolean;
}

export async function readMaster(memory: Memory): Promise<StoredFile | undefined> {
  for (const root of memory.store.roots) {
    for (const path of MASTER_PATHS) {
      const file = await readSettled(memory, { root, path });
      if (file && file.text.trim() !== '') return file;
    }
  }
  return undefined;
}

/** Session summaries in use, newest first. */
export const summariesOf = (memory: Memory): readonly ItemFacts[] =>
  memory.index.recent({ kind: 'record', category: 'session_summary', status: 'active' }, 1_000);

/** How many summaries are newer than the master; all if there is none. */
export const countNewSummaries = (summaries: readonly ItemFacts[], master: StoredFile | undefined): number =>
  summaries.filter(({ writtenAt }) => (epochOf(writtenAt) ?? 0) > (master?.mtimeMs ?? 0)).length;

const section = (text: string, heading: string): string =>
  new RegExp(`^##\\s+${heading}\\s*\\n([\\s\\S]*?)(?=^##?\\s|^---|$(?![\\s\\S]))`, 'im').exec(text)?.[1]?.trim() ?? '';

/** The synthesis of all sessions with its status, if there is one; and the summaries. */
export async function recallMaster(memory: Memory): Promise<{ readonly master?: Master; readonly summaries: readonly Summary[] }> {
  await catchUp(memory, 'sweep');
  const file = await readMaster(memory);
  const items = summariesOf(memory);
  const summaries = items.map(({ id, title, updatedAt }) => ({ id, title, updatedAt }));
  if (!file) return { summaries };
  const status = section(file.text, 'Current Status')
    .split('\n')[0]
    ?.replace(/^[-*]\s+/, '')
    .trim();
  const master: Master = {
    text: file.text,
    file: memory.store.absolute(file),
    at: file.mtimeMs,
    ...(status ? { status } : {}),
    decisions: (section(file.text, 'Key Decisions').match(/^\s*(?:[-*]|\d+[.)])\s+(?!Nothing yet$)/gm) ?? []).length,
    fresh: countNewSummaries(items, file),
    isOld: memory.now() - file.mtimeMs > daysInMs(memory.config.get('synthesis.warnAfterDays')),
  };
  return { master, summaries };
}
