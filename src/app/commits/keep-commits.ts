import { type CommitFacts, GIT, type Message } from '../../core/episode/episode.ts';
import type { EpisodePart } from '../../core/ports/episodes.ts';
import { cleanFacts, cleanMessage } from '../../capture/cleaning/clean.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { HistoryPorts } from './import-history.ts';

/** Only the newest commits are stored: older ones say little about today's code. */
const MOST_COMMITS = 20_000;
const MOST_FILES = 40;
/** Lines of a commit message that name people or ids and say nothing about the change. */
const SIGNATURES = /^(?:(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested|approved)-by|change-id|cc):.*$\n?/gim;

/** A commit as a conversation of one message: the unit `commit-HASH`, dated by the commit, found by its text and its files. */
function commitPart({ id, at, subject, body, files }: CommitFacts, exclusion: Exclusion): EpisodePart {
  const sessionId = `commit-${id}`;
  const text = `${subject}\n\n${body.replace(SIGNATURES, '')}`.trim();
  const commitFiles = files.slice(0, MOST_FILES);
  const message: Message = {
    id,
    sessionId,
    role: 'assistant',
    at,
    text,
    ...(commitFiles.length > 0 && { toolCalls: [{ id, name: GIT, input: commitFiles.join('\n'), files: commitFiles }] }),
  };
  return {
    facts: cleanFacts({ sessionId, client: GIT, title: subject, startedAt: at, endedAt: at }),
    source: '',
    entries: [cleanMessage(message, exclusion)],
  };
}

/** Makes the messages of commits since the last stored one searchable; returns how many are new. A rebuilt index gets all of them. */
export async function storeCommits(
  episodes: Pick<Episodes, 'newestCommit' | 'storeParts'>,
  key: string,
  commits: HistoryPorts['commits'],
  exclude: readonly string[],
): Promise<Result<number>> {
  const after = episodes.newestCommit(key);
  const read = await commits(after === undefined ? {} : { after });
  if (!read.ok) return read;
  const exclusion = new Exclusion(exclude);
  const newest = read.value.filter(({ merge, body }) => !merge || body !== '').slice(0, MOST_COMMITS);
  return ok(
    await episodes.storeParts(
      key,
      newest.toReversed().map((commit) => commitPart(commit, exclusion)),
    ),
  );
}
