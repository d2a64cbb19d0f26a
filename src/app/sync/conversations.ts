import { type EpisodeEntry, isMessage } from '../../core/ports/episodes.ts';
import type { TeamApi } from '../../core/ports/team/api.ts';
import { ok, type Result } from '../../core/result.ts';
import { conversationText } from '../bundle/conversation.ts';
import { archiveLine, factsLine } from '../episodes/archive-line.ts';
import type { Episode } from '../episodes/read.ts';
import type { Sha256 } from './plain-codec.ts';

/** The conversations of a project that would be sent to a team. */
export interface ConversationPlan {
  readonly conversations: number;
  readonly messages: number;
  /** When the first began and the last ended. */
  readonly from?: string;
  readonly to?: string;
  /** The server already has these. */
  readonly unchanged: number;
  /** Another member sent these, so they are not changed. */
  readonly others: number;
  /** Ids of the sessions to send; `known` where the server has an earlier text. */
  readonly toSend: ReadonlyMap<string, { readonly known: boolean }>;
}

export interface SentConversations {
  readonly conversations: number;
  readonly messages: number;
}

export interface ConversationSource {
  readonly api: TeamApi;
  readonly project: string;
  /** Called again for each pass, so that not all conversations are in memory at once. */
  readonly episodes: () => Iterable<Episode>;
  readonly sha256: Sha256;
  /** Only what ended at this instant or later. */
  readonly since?: string;
}

const DIGESTS_PER_REQUEST = 500;
/** Characters of a request, and of a part of a long conversation. */
const CHARACTERS_PER_REQUEST = 1_000_000;

/** The messages of people and agents, with their tool calls. Tool answers, thinking and folder paths are not sent. */
function sharedPart({ facts, entries, whole }: Episode): Episode {
  const { project: _folder, remote: _remote, ...sharedFacts } = facts;
  const visible = entries.flatMap((entry): EpisodeEntry[] => {
    if (!isMessage(entry) || entry.role === 'tool') return [];
    const { thinking: _thinking, ...message } = entry;
    return [message];
  });
  return { facts: sharedFacts, entries: visible, whole };
}

function* sharedParts({ episodes, since }: ConversationSource): Generator<Episode> {
  for (const episode of episodes()) {
    const ended = episode.facts.endedAt ?? episode.facts.startedAt;
    if (since !== undefined && (ended === undefined || ended < since)) continue;
    const part = sharedPart(episode);
    // Do not send incomplete conversations: they would shorten the server's copy.
    if (episode.whole && part.entries.length > 0) yield part;
  }
}

const pathOf = ({ project }: ConversationSource, rest = ''): string => `v1/projects/${encodeURIComponent(project)}/conversations${rest}`;

/** Asks the server which conversations it lacks. Sends only their digests. */
export async function planConversations(source: ConversationSource): Promise<Result<ConversationPlan>> {
  const all: { id: string; digest: string; messages: number; from: string | undefined; to: string | undefined }[] = [];
  for (const episode of sharedParts(source)) {
    const { sessionId: id, startedAt: from, endedAt: to } = episode.facts;
    all.push({ id, digest: source.sha256(conversationText(episode)), messages: episode.entries.length, from, to });
  }
  const toSend = new Map<string, { readonly known: boolean }>();
  let others = 0;
  for (let first = 0; first < all.length; first += DIGESTS_PER_REQUEST) {
    const page = all.slice(first, first + DIGESTS_PER_REQUEST).map(({ id, digest }) => ({ id, digest }));
    const answer = await source.api.ask('POST', pathOf(source, '/wanted'), { conversations: page });
    if (!answer.ok) return answer;
    const requested = new Set(page.map(({ id }) => id));
    const { wanted: missing, others: ofOthers } = answer.value as { wanted?: unknown; others?: unknown };
    for (const { id, known } of (Array.isArray(missing) ? missing : []) as { id: string; known: boolean }[])
      if (requested.has(id)) toSend.set(id, { known: known === true });
    others += Array.isArray(ofOthers) ? ofOthers.length : 0;
  }
  const sent = all.filter(({ id }) => toSend.has(id));
  const [from, to] = [
    sent.flatMap((one) => one.from ?? []).toSorted()[0],
    sent
      .flatMap((one) => one.to ?? [])
      .toSorted()
      .at(-1),
  ];
  return ok({
    conversations: sent.length,
    messages: sent.reduce((sum, { messages }) => sum + messages, 0),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    unchanged: all.length - sent.length - others,
    others,
    toSend,
  });
}

interface SentPart {
  readonly text: string;
  readonly digest?: string;
  readonly replaces?: boolean;
}

/** The texts that a conversation is sent as: one, or several for a long one, of which the last carries the digest of all. */
function partsOf(episode: Episode, known: boolean, sha256: Sha256): readonly SentPart[] {
  const head = factsLine(episode.facts);
  const texts: string[] = [];
  let lines: string[] = [];
  let size = 0;
  for (const line of episode.entries.map(archiveLine)) {
    if (size > 0 && size + line.length > CHARACTERS_PER_REQUEST) {
      texts.push(`${[head, ...lines].join('\n')}\n`);
      [lines, size] = [[], 0];
    }
    lines.push(line);
    size += line.length;
  }
  texts.push(`${[head, ...lines].join('\n')}\n`);
  const replaces = known && episode.entries.some(({ forgotten }) => forgotten === true);
  return texts.map((text, nth) => ({
    text,
    ...(nth === 0 && replaces && { replaces }),
    ...(nth === texts.length - 1 && { digest: sha256(conversationText(episode)) }),
  }));
}

/** Sends the conversations of a plan. After any interruption, the next plan continues from there. */
export async function sendConversations(source: ConversationSource, { toSend }: ConversationPlan): Promise<Result<SentConversations>> {
  let [conversations, messages, size]: [number, number, number] = [0, 0, 0];
  let batch: SentPart[] = [];
  const send = async (): Promise<Result<void>> => {
    if (batch.length === 0) return ok(undefined);
    const answer = await source.api.ask('POST', pathOf(source), { conversations: batch });
    if (!answer.ok) return answer;
    messages += Number(answer.value['messages'] ?? 0);
    [batch, size] = [[], 0];
    return ok(undefined);
  };
  for (const episode of sharedParts(source)) {
    const requested = toSend.get(episode.facts.sessionId);
    if (!requested) continue;
    for (const part of partsOf(episode, requested.known, source.sha256)) {
      if (batch.length >= 100 || size + part.text.length > CHARACTERS_PER_REQUEST) {
        const sent = await send();
        if (!sent.ok) return sent;
      }
      batch.push(part);
      size += part.text.length;
    }
    conversations += 1;
  }
  const sent = await send();
  return sent.ok ? ok({ conversations, messages }) : sent;
}
