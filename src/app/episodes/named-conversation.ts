import type { Message } from '../../core/episode/episode.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Episodes, FoundEpisode, FoundMessage } from './episodes.ts';
import { messagesIn } from './read.ts';
import { stepsOf, type TimelineStep } from './timeline.ts';

/** A message or a session that was opened by its id, as Markdown lines. */
export interface NamedConversation {
  readonly kind: 'message' | 'session';
  readonly id: string;
  readonly found: FoundEpisode;
  readonly lines: readonly string[];
}

/** Characters of the opened message, and of each one beside it. */
const LONGEST = 12_000;
const LONGEST_BESIDE = 1_000;
/** Messages beside it that say something; a reply comes after several tool calls. */
const [BEFORE, AFTER] = [2, 4];
const MOST_STEPS = 60;
/** An id as a search prints it, or as a quotation names it. */
const MESSAGE_OF_SESSION = /^(?:message )?(\S+) of session (\S+)$/;
const WITH_KIND = /^(?:message |session |commit[ -])(\S+)$/;
const SHORTEST_BEGINNING = 4;

/** What an id or its beginning names in the current project: a message with its neighbours, otherwise a session with its steps. */
export async function conversationNamed(episodes: Episodes, name: string): Promise<Result<NamedConversation>> {
  const [, messageId, sessionId] = MESSAGE_OF_SESSION.exec(name.trim()) ?? [];
  if (messageId !== undefined && sessionId !== undefined) {
    const session = await sessionNamed(episodes, sessionId);
    const message = session.ok ? messagesIn(session.value.episode).find(({ id }) => id.startsWith(messageId)) : undefined;
    if (session.ok && message !== undefined) return ok(openedMessage({ ...session.value, messageId: message.id }));
  }
  const id = messageId ?? WITH_KIND.exec(name.trim())?.[1] ?? name.trim();
  const message = await episodes.findMessage(id);
  if (message.ok) return ok(openedMessage(message.value));
  const session = await sessionNamed(episodes, id);
  if (session.ok) return ok(openedSession(session.value));
  return session.error.missing === true ? message : session;
}

/** Asks only the index of the project, which creates nothing where nothing was imported. */
async function sessionNamed(episodes: Episodes, name: string): Promise<Result<FoundEpisode>> {
  const ids = (await episodes.recent(-1)).map(({ facts }) => facts.sessionId);
  const like = ids.includes(name) ? [name] : name.length < SHORTEST_BEGINNING ? [] : ids.filter((id) => id.startsWith(name));
  if (like[0] === undefined) return refuse('NOT_FOUND', `No session ${JSON.stringify(name)} found.`, { missing: true });
  if (like.length > 1) return refuse('AMBIGUOUS_ID', `Several sessions begin with ${JSON.stringify(name)}.`, { hint: `such as ${like[0]} and ${like[1]}` });
  return episodes.find(like[0]);
}

function openedMessage(found: FoundMessage): NamedConversation {
  const all = messagesIn(found.episode);
  const place = all.findIndex(({ id }) => id === found.messageId);
  const speaks = ({ role, text }: Message): boolean => role !== 'tool' && text !== '';
  const shown = [
    ...all.slice(0, Math.max(place, 0)).filter(speaks).slice(-BEFORE),
    ...all.slice(place, place + 1),
    ...all
      .slice(place + 1)
      .filter(speaks)
      .slice(0, AFTER),
  ];
  const lines = shown.flatMap((message) => messageLines(message, message.id === found.messageId ? LONGEST : LONGEST_BESIDE));
  return { kind: 'message', id: found.messageId, found, lines: [`# message ${found.messageId} of session ${found.session.facts.sessionId}`, ...lines] };
}

function messageLines({ id, role, speaker, at, text, toolCalls = [] }: Message, longest: number): readonly string[] {
  const calls = toolCalls.map(({ name, input }) => `[${name}] ${shortened(input.split('\n', 1)[0] ?? '', 200)}`);
  return [`## ${speaker ?? role}${at === undefined ? '' : ` ${at}`} (${id})`, ...(text === '' ? [] : [shortened(text.trimEnd(), longest)]), ...calls, ''];
}

const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}… (${text.length - longest} more characters)`;

function openedSession(found: FoundEpisode): NamedConversation {
  const { facts } = found.session;
  const steps = stepsOf(found.episode);
  const left = steps.length - MOST_STEPS;
  const reply = messagesIn(found.episode).findLast(({ role, text, agentId }) => role === 'assistant' && text !== '' && agentId === undefined);
  const lines = [
    `# session ${facts.sessionId}${facts.title === undefined ? '' : `: ${facts.title}`}`,
    ...(left > 0 ? [`(${left} earlier steps are left out)`] : []),
    ...steps.slice(-MOST_STEPS).map(stepLine),
    '',
    ...(reply === undefined ? [] : ['The last reply:', ...messageLines(reply, LONGEST)]),
  ];
  return { kind: 'session', id: facts.sessionId, found, lines };
}

const stepLine = ({ at, kind, messageId, text }: TimelineStep): string => `- ${at ?? ''} ${kind} (${messageId}): ${text}`;

/** The steps of a session around one of its messages. */
export function stepsAround({ episode, messageId }: FoundMessage, distance: number): readonly TimelineStep[] {
  const steps = stepsOf(episode);
  const order = new Map(episode.entries.map(({ id }, nth) => [id, nth]));
  const place = order.get(messageId) ?? 0;
  const at = Math.max(
    0,
    steps.findLastIndex((step) => (order.get(step.messageId) ?? 0) <= place),
  );
  return steps.slice(Math.max(0, at - distance), at + distance + 1);
}
