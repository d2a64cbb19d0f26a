import { commitDrafts, type CommitDraft } from '../../capture/commits/commit-draft.ts';
import { surveyOf, SURVEY_TAG } from '../../capture/commits/survey.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { ok, type Result } from '../../core/result.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { currentRecord } from '../write/current.ts';
import { updateRecord } from '../write/update.ts';

/** Where a commit was made: the session, and the message in it. */
export interface CommitOrigin {
  readonly sessionId: string;
  readonly messageId?: string;
  readonly client?: string;
}

export interface HistoryPorts {
  /** Newest first; only commits that follow `after`. */
  readonly commits: (query: { readonly since?: number; readonly after?: string }) => Promise<Result<readonly CommitFacts[]>>;
  /** Makes the messages of new commits searchable. Returns how many. */
  keepMessages(): Promise<Result<number>>;
  /** The session in which a commit was made, if it is known. */
  sessionOf(commit: CommitFacts): Promise<CommitOrigin | undefined>;
  /** The newest commit that an earlier import has seen. */
  readonly seen: { read(): string | undefined; note(id: string): void };
}

export interface HistoryOptions {
  readonly since?: number;
  /** Most decisions that one import makes. */
  readonly limit: number;
}

export interface HistoryImport {
  readonly commits: number;
  /** Commit messages that became searchable. */
  readonly messages: number;
  readonly reasoned: number;
  readonly saved: readonly { readonly id: string; readonly title: string; readonly commit: string; readonly session?: string }[];
  readonly known: number;
  readonly survey?: string;
  readonly warnings: readonly string[];
}

/** Commits of which a record was made, even if it was retired since. */
async function importedCommits(memory: Memory): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const item of memory.index.items({ kind: 'record', category: 'decision' })) {
    const current = await currentRecord(memory, item);
    if (current.ok && current.value.record.origin?.channel === 'git') for (const id of current.value.record.origin.message_ids ?? []) ids.add(id);
  }
  return ids;
}

const withSession = (draft: Draft, commit: CommitFacts, origin: CommitOrigin | undefined): Draft =>
  origin === undefined
    ? draft
    : {
        ...draft,
        origin: {
          channel: 'git',
          ...(origin.client !== undefined && { client: origin.client }),
          session_id: origin.sessionId,
          message_ids: [commit.id, ...(origin.messageId === undefined ? [] : [origin.messageId])],
        },
      };

/** The survey of the repository: made at the first import, brought up to date at the next ones. */
async function saveSurvey(memory: Memory, draft: Draft | undefined): Promise<string | undefined> {
  if (draft === undefined) return undefined;
  const known = memory.index.items({ kind: 'record', category: 'analysis' }).find(({ tags }) => tags.includes(SURVEY_TAG));
  if (known === undefined) {
    const written = await createRecord(memory, { category: 'analysis', draft, root: memory.config.get('storage.root'), actor: 'git' });
    return written.ok ? `analysis/${written.value.record.id}` : undefined;
  }
  // The user retired the survey, so make no new one.
  if (known.status !== 'active') return undefined;
  const current = await currentRecord(memory, known);
  if (!current.ok) return undefined;
  const { record, file } = current.value;
  const { created_at: _created, ...next } = draft;
  const written = await updateRecord(memory, { place: known, hash: file.hash, actor: 'git', draft: { ...record, ...next, tags: record.tags } });
  return written.ok ? `analysis/${record.id}` : undefined;
}

/** Makes one decision from each commit that gives a reason, and a survey of the history. */
export async function importHistory(memory: Memory, ports: HistoryPorts, options: HistoryOptions): Promise<Result<HistoryImport>> {
  await catchUp(memory);
  const after = options.since !== undefined ? undefined : ports.seen.read();
  const read = await ports.commits({ ...(options.since !== undefined && { since: options.since }), ...(after !== undefined && { after }) });
  if (!read.ok) return read;
  const messages = await ports.keepMessages();
  if (!messages.ok) return messages;
  const commits = read.value;
  const drafts = commitDrafts(commits, options.limit);
  const known = drafts.length === 0 ? new Set<string>() : await importedCommits(memory);
  const fresh = drafts.filter(({ commit }) => !known.has(commit.id));
  const saved: HistoryImport['saved'][number][] = [];
  const warnings: string[] = [];
  // Oldest first, so that the numbers of the day follow the history.
  for (const draft of fresh.toSorted((a, b) => (a.commit.at < b.commit.at ? -1 : 1))) {
    const decision = await saveOne(memory, ports, draft);
    if (!decision.ok) {
      warnings.push(`${draft.commit.id.slice(0, 8)} was not saved: ${decision.error.message}`);
      if (decision.error.code === 'CATEGORY_FULL') break;
    } else saved.push(decision.value);
  }
  const whole = after === undefined && options.since === undefined ? ok(commits) : commits.length === 0 ? ok([]) : await ports.commits({});
  const survey = whole.ok && whole.value.length > 0 ? await saveSurvey(memory, surveyOf(whole.value, memory.key)) : undefined;
  if (commits[0] !== undefined && options.since === undefined) ports.seen.note(commits[0].id);
  return ok({
    commits: commits.length,
    messages: messages.value,
    reasoned: drafts.length,
    saved,
    known: drafts.length - fresh.length,
    ...(survey !== undefined && { survey }),
    warnings,
  });
}

async function saveOne(memory: Memory, ports: HistoryPorts, { commit, draft }: CommitDraft): Promise<Result<HistoryImport['saved'][number]>> {
  const origin = await ports.sessionOf(commit);
  const written = await createRecord(memory, {
    category: 'decision',
    draft: withSession(draft, commit, origin),
    root: memory.config.get('storage.root'),
    actor: 'git',
    reason: `commit ${commit.id.slice(0, 12)}`,
  });
  if (!written.ok) return written;
  const { record } = written.value;
  return ok({ id: `decision/${record.id}`, title: record.title, commit: commit.id, ...(origin && { session: origin.sessionId }) });
}
