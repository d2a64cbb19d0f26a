import { epochOf, utcSeconds } from '../../core/instant.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import { NO_STATS, parseSession, renderSession, type WorkSessionFile, type SessionStats } from '../../render/documents/session-file.ts';
import { RECENT_ROWS } from '../../render/views/recent-index.ts';
import type { Memory } from '../memory/memory.ts';

export const SESSION_PLACE = { root: 'private', path: '_session.json' } as const;

export interface SessionReading {
  readonly session: WorkSessionFile;
  /** The text of an unreadable file, to be saved before it is overwritten. */
  readonly damaged?: string;
  readonly exists: boolean;
}

/** The state of a project's work sessions; empty if the file is missing or damaged. */
export async function readSession(memory: Memory): Promise<SessionReading> {
  const none: WorkSessionFile = {
    projectKey: memory.key,
    projectPath: memory.projectPath ?? '',
    stats: NO_STATS,
    open: [],
    history: [],
    countedFrom: NO_STATS,
    crumbs: {},
    more: {},
  };
  const file = memory.store.roots.includes('private') ? await memory.store.read(SESSION_PLACE) : undefined;
  if (!file) return { session: none, exists: false };
  const session = parseSession(file.text);
  return session ? { session: { ...none, ...session }, exists: true } : { session: none, damaged: file.text, exists: true };
}

/** Everything that `_session.json` counts, from the beginning. */
export function totals(memory: Memory): SessionStats {
  const count = (category: 'decision' | 'analysis' | 'subagent_report'): number => memory.index.count({ kind: 'record', category });
  // No view lists quarantined records.
  const unlisted = memory.index.items({ status: 'active', root: 'private', waits: true }).filter(({ trust }) => isQuarantined(trust)).length;
  return {
    decisions: count('decision'),
    analyses: count('analysis'),
    indexArchived: Math.max(0, memory.index.count({ status: 'active', root: 'private' }) - unlisted - RECENT_ROWS),
    subagentOutputs: count('subagent_report'),
  };
}

const since = (now: SessionStats, then: SessionStats): SessionStats => ({
  decisions: Math.max(0, now.decisions - then.decisions),
  analyses: Math.max(0, now.analyses - then.analyses),
  indexArchived: Math.max(0, now.indexArchived - then.indexArchived),
  subagentOutputs: Math.max(0, now.subagentOutputs - then.subagentOutputs),
});

/** The session with current counts and its last activity. */
export function counted(memory: Memory, session: WorkSessionFile): WorkSessionFile {
  if (session.open.length === 0) return session;
  const now = memory.now();
  const recent = [...memory.index.recent({ kind: 'record' }, 5), ...memory.index.recent({ kind: 'document' }, 5)];
  const times = recent.map(({ updatedAt }) => epochOf(updatedAt) ?? 0).filter((time) => time <= now);
  const lastActivity = Math.max(epochOf(session.lastActivity) ?? 0, ...times);
  return { ...session, stats: since(totals(memory), session.countedFrom), ...(lastActivity > 0 && { lastActivity: utcSeconds(lastActivity) }) };
}

/** The up-to-date text of `_session.json`; undefined if there is no such file. */
export async function sessionText(memory: Memory): Promise<string | undefined> {
  const { session, damaged, exists } = await readSession(memory);
  return exists && damaged === undefined ? renderSession(counted(memory, session)) : undefined;
}
