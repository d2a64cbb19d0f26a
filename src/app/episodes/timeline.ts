import { type SessionCommit, ToolActivity } from '../../capture/summary/tool-activity.ts';
import { type Episode, messagesIn } from './read.ts';
import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { utcSeconds } from '../../core/instant.ts';
import { isShortId, shortIdOfName } from '../../core/record/short-id.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isQuarantined, QUARANTINED } from '../../core/trust/trust.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { isMessage, type StoredSession } from '../../core/ports/episodes.ts';

/** The commits made in an episode, as its tool calls report them. */
export function commitsIn(episode: Episode): readonly SessionCommit[] {
  const activity = new ToolActivity();
  for (const message of messagesIn(episode)) activity.add(message);
  return activity.commits;
}

/** One step of a session: a prompt, the work on it, a commit, a reply or a compaction. */
export interface TimelineStep {
  readonly kind: 'prompt' | 'work' | 'commit' | 'reply' | 'compaction';
  readonly messageId: string;
  readonly at?: string;
  readonly text: string;
}

const SHORT = 240;
const MOST_NAMES = 6;
const CHANGES = /^(?:Edit|MultiEdit|Write|NotebookEdit|apply_patch|edit|write|replace|write_file|patch)$/;

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SHORT ? line : `${line.slice(0, SHORT - 1)}…`;
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const listNames = (names: readonly string[]): string => {
  const distinct = [...new Set(names)];
  return distinct.length <= MOST_NAMES ? distinct.join(', ') : `${distinct.slice(0, MOST_NAMES).join(', ')} and ${distinct.length - MOST_NAMES} more`;
};

/** A session as a list of steps, without what subagents did on their own. */
export function stepsOf(episode: Episode): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  let calls: { readonly message: Message; readonly call: ToolCall }[] = [];
  let reply: Message | undefined;
  const commits = new Map(commitsIn(episode).map((commit) => [commit.messageId, commit]));
  let pendingCommits: TimelineStep[] = [];
  const close = (): void => {
    const first = calls[0]?.message;
    const text = workText(calls.map(({ call }) => call));
    if (first !== undefined && text !== '') steps.push(stepOf('work', first, text));
    steps.push(...pendingCommits);
    if (reply !== undefined) steps.push(stepOf('reply', reply, short(reply.text)));
    pendingCommits = [];
    calls = [];
    reply = undefined;
  };
  for (const entry of episode.entries) {
    if (!isMessage(entry)) {
      close();
      steps.push(stepOf('compaction', entry, short(entry.compaction)));
    } else if (entry.role === 'tool') {
      const commit = commits.get(entry.id);
      if (commit !== undefined) pendingCommits.push(stepOf('commit', entry, short(`${commit.hash?.slice(0, 8) ?? 'committed'} ${commit.subject}`)));
    } else if (entry.agentId !== undefined) continue;
    else if (entry.role === 'user') {
      close();
      steps.push(stepOf('prompt', entry, short(entry.text)));
    } else {
      for (const call of entry.toolCalls ?? []) calls.push({ message: entry, call });
      if (entry.text !== '') reply = entry;
    }
  }
  close();
  return steps;
}

const stepOf = (kind: TimelineStep['kind'], { id, at }: { readonly id: string; readonly at?: string }, text: string): TimelineStep => ({
  kind,
  messageId: id,
  text,
  ...(at !== undefined && { at }),
});

function workText(calls: readonly ToolCall[]): string {
  const changed = calls.filter(({ name }) => CHANGES.test(name)).flatMap(({ files }) => files);
  const ran = calls.flatMap(({ command }) => (command === undefined ? [] : [command.split('\n', 1)[0]?.trim() ?? '']));
  const others = calls.filter(({ name, command }) => command === undefined && !CHANGES.test(name)).map(({ name }) => name);
  return [
    ...(changed.length > 0 ? [`changed ${listNames(changed)}`] : []),
    ...(ran.length > 0 ? [`ran ${listNames(ran.map((command) => (command.length > 80 ? `${command.slice(0, 79)}…` : command)))}`] : []),
    ...(others.length > 0 ? [`used ${listNames(others)}`] : []),
  ].join('; ');
}

/** An entry of a project's timeline: a session, or a record that was written. */
export interface TimelineEntry {
  readonly kind: 'session' | 'record';
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly detail: string;
  /** The short id of a record. */
  readonly short?: string;
  /** Set if the list covers several projects. */
  readonly project?: string;
}

/** Sessions and records of a project, sorted by time. */
export function timelineEntries(sessions: readonly StoredSession[], records: readonly ItemFacts[]): readonly TimelineEntry[] {
  const all: TimelineEntry[] = [
    ...sessions.map(({ facts, messages, prompts }) => ({
      kind: 'session' as const,
      id: facts.sessionId,
      at: facts.startedAt ?? facts.endedAt ?? utcSeconds(0),
      title: facts.title ?? 'untitled',
      detail: [facts.client, facts.branch ?? [], counted(prompts, 'prompt'), counted(messages, 'message')].flat().join(', '),
    })),
    ...records.map(({ category, id, root, createdAt, title, status, trust }) => ({
      kind: 'record' as const,
      id: `${category}/${id}`,
      at: createdAt,
      title,
      detail: [status, root === 'shared' ? 'from the repository' : [], isQuarantined(trust) ? QUARANTINED : []].flat().join(', '),
    })),
  ];
  return sortedByTime(all);
}

export const sortedByTime = (all: readonly TimelineEntry[]): readonly TimelineEntry[] => all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** The entries before and after one of them. */
export function entriesAround(all: readonly TimelineEntry[], { id }: Pick<TimelineEntry, 'id'>, distance: number): readonly TimelineEntry[] {
  const at = all.findIndex((one) => one.id === id);
  return at < 0 ? [] : all.slice(Math.max(0, at - distance), at + distance + 1);
}

/** The session or record with this id, short id or unique beginning of an id. */
export function timelineEntryNamed(all: readonly TimelineEntry[], word: string): Result<TimelineEntry> {
  const bare = ({ id }: TimelineEntry): string => id.slice(id.indexOf('/') + 1);
  const matchers: readonly ((one: TimelineEntry) => boolean)[] = [
    (one) => one.id === word || (one.kind === 'record' && bare(one) === word),
    ({ id }) => isShortId(word) && shortIdOfName(id)?.startsWith(word) === true,
    (one) => one.id.startsWith(word) || (one.kind === 'record' && bare(one).startsWith(word)),
  ];
  const matches = matchers.map((matcher) => [...new Map(all.filter(matcher).map((one) => [one.id, one])).values()]).find(({ length }) => length > 0) ?? [];
  const [match, ...others] = matches;
  if (match === undefined)
    return refuse('NOT_FOUND', `No record or session ${JSON.stringify(word)} found.`, { missing: true, hint: 'find its id with holdfast search' });
  if (others.length === 0) return ok(match);
  return refuse(
    'AMBIGUOUS_ID',
    `${JSON.stringify(word)} could be ${matches
      .slice(0, 8)
      .map(({ id }) => id)
      .join(', ')}`,
    { hint: 'give more of the id' },
  );
}
