import type { SessionFacts } from '../../core/episode/episode.ts';
import { type EpisodeEntry, isMessage } from '../../core/ports/episodes.ts';

/** One line of an archived episode: what is known of the session, or one of its entries. */
export type ArchivedLine = { readonly session: SessionFacts } | { readonly entry: EpisodeEntry };

export const factsLine = (facts: SessionFacts): string => JSON.stringify({ session: facts });

export const archiveLine = (entry: EpisodeEntry): string => JSON.stringify(entry);

/** The parsed line; undefined if a crash or a manual edit damaged it. */
export function archivedLine(line: string): ArchivedLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if ('session' in value) return { session: value.session as SessionFacts };
  if (!('id' in value) || typeof value.id !== 'string') return undefined;
  return { entry: value as EpisodeEntry };
}

/** Larger than any entry, so that no transcript replaces a forgotten one. */
const FULLEST = 2 ** 31 - 1;

/** Characters of an entry; of two versions of an entry, the longer one is stored. */
export function sizeOfEntry(entry: EpisodeEntry): number {
  if (entry.forgotten) return FULLEST;
  if (!isMessage(entry)) return entry.compaction.length;
  let size = entry.text.length + (entry.thinking?.length ?? 0);
  if (entry.toolCalls !== undefined) for (const { input, name } of entry.toolCalls) size += input.length + name.length;
  return size;
}

const earlier = (a: string | undefined, b: string | undefined): string | undefined => (a === undefined || (b !== undefined && b < a) ? b : a);
const later = (a: string | undefined, b: string | undefined): string | undefined => (a === undefined || (b !== undefined && b > a) ? b : a);

/** Joins two reports of one session: project and client stay as first reported, the rest follows the last report. */
export function joinFacts(first: SessionFacts, second: SessionFacts): SessionFacts {
  const startedAt = earlier(first.startedAt, second.startedAt);
  const endedAt = later(first.endedAt, second.endedAt);
  const project = first.project ?? second.project;
  return {
    ...first,
    ...second,
    client: first.client,
    ...(project !== undefined && { project }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}
