import type { SessionCommit } from '../../capture/summary/tool-activity.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import type { StoredSession } from '../../core/ports/episodes.ts';
import { commitsIn } from '../episodes/timeline.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { CommitOrigin } from './import-history.ts';

/** Clocks differ, and a session's last message may come before its commit's time. */
const SLACK_MS = 120_000;
const MOST_SESSIONS = 5_000;

const isTheSame = (sessionCommit: SessionCommit, commit: CommitFacts): boolean =>
  sessionCommit.hash === undefined ? sessionCommit.subject === commit.subject : commit.id.startsWith(sessionCommit.hash);

/** Finds the session that made a commit: one that ran at that time and whose tool calls show the commit. */
export function commitSessions(episodes: Pick<Episodes, 'recent' | 'find'>): (commit: CommitFacts) => Promise<CommitOrigin | undefined> {
  let sessions: readonly StoredSession[] | undefined;
  const commitsBySession = new Map<string, readonly SessionCommit[]>();
  const commitsOf = async (sessionId: string): Promise<readonly SessionCommit[]> => {
    const known = commitsBySession.get(sessionId);
    if (known !== undefined) return known;
    const episode = await episodes.find(sessionId);
    const commits = episode.ok ? commitsIn(episode.value.episode) : [];
    commitsBySession.set(sessionId, commits);
    return commits;
  };
  return async (commit) => {
    sessions ??= await episodes.recent(MOST_SESSIONS);
    const at = epochOf(commit.at) ?? 0;
    const during = sessions.filter(({ facts }) => {
      const [start, end] = [epochOf(facts.startedAt) ?? Number.POSITIVE_INFINITY, epochOf(facts.endedAt) ?? epochOf(facts.startedAt) ?? 0];
      return start - SLACK_MS <= at && at <= end + SLACK_MS;
    });
    for (const { facts } of during) {
      const sessionCommit = (await commitsOf(facts.sessionId)).find((one) => isTheSame(one, commit));
      if (sessionCommit !== undefined)
        return { sessionId: facts.sessionId, client: facts.client, ...(sessionCommit.messageId !== undefined && { messageId: sessionCommit.messageId }) };
    }
    return undefined;
  };
}
