import { idOfStem } from '../../core/project/filename.ts';
import { ok, type Result } from '../../core/result.ts';
import { GIT } from '../../core/episode/episode.ts';
import type { StoredSession } from '../../core/ports/episodes.ts';
import type { DraftingService } from '../drafting/service.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { isAutomaticSummary } from '../../core/trust/review.ts';
import { summariesOf } from '../recall/master.ts';
import { currentRecord } from '../write/current.ts';
import type { Episodes } from './episodes.ts';
import { saveSummary } from './save-summary.ts';

const MOST_SESSIONS = 100_000;

/** The sessions of a project that have no summary, oldest first, and how many sessions there are. */
export async function unsummarized(
  memory: Memory,
  episodes: Pick<Episodes, 'recent'>,
): Promise<{ readonly without: readonly StoredSession[]; readonly sessions: number }> {
  await catchUp(memory);
  const stored = (await episodes.recent(MOST_SESSIONS, memory.key)).filter(({ facts }) => facts.client !== GIT);
  const hasSummary = (sessionId: string): boolean =>
    memory.index.byId(idOfStem('session_summary', sessionId)).some(({ category }) => category === 'session_summary');
  return { without: stored.filter(({ facts }) => !hasSummary(facts.sessionId)).toReversed(), sessions: stored.length };
}

export interface SummarizeAllOptions {
  readonly model?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface SummarizeAllReport {
  readonly saved: number;
  /** Sessions that could not be read or saved, each with the reason. */
  readonly failed: readonly string[];
  readonly notes: readonly string[];
}

/** Summarises each session. These summaries count as automatic until the user approves them. */
export async function summarizeAll(
  memory: Memory,
  sessions: readonly StoredSession[],
  { episodes, drafting }: { readonly episodes: Pick<Episodes, 'find'>; readonly drafting: Pick<DraftingService, 'summarize'> },
  { model, onProgress }: SummarizeAllOptions,
): Promise<SummarizeAllReport> {
  let saved = 0;
  const failed: string[] = [];
  const notes = new Set<string>();
  for (const [at, { facts }] of sessions.entries()) {
    onProgress?.(at, sessions.length);
    const written = await summarizeOne(facts.sessionId);
    if (written.ok) saved += 1;
    else failed.push(`${facts.sessionId}: ${written.error.message}`);
  }
  return { saved, failed, notes: [...notes] };

  async function summarizeOne(sessionId: string): Promise<Result<true>> {
    const episode = await episodes.find(sessionId);
    if (!episode.ok) return episode;
    const summary = await drafting.summarize(memory, episode.value.episode, model);
    if (!summary.ok) return summary;
    if (summary.value.note !== undefined) notes.add(summary.value.note);
    const written = await saveSummary(memory, sessionId, summary.value.draft, { actor: 'capture' });
    return written.ok ? ok(true) : written;
  }
}

/** The ids of the newest summaries that the user has not approved. */
export async function automaticSummaries(memory: Memory, limit: number): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const item of summariesOf(memory).slice(0, limit)) {
    const current = await currentRecord(memory, item);
    if (current.ok && isAutomaticSummary(current.value.record)) ids.add(item.id);
  }
  return ids;
}
