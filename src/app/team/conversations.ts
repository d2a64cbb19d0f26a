import { type EpisodeEntry, isMessage } from '../../core/ports/episodes.ts';
import type { ConversationStore, TeamConversation } from '../../core/ports/team/conversations.ts';
import type { TeamTransaction } from '../../core/ports/team/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { analyze } from '../../recall/text/analyze.ts';
import { spelledWords } from '../../recall/text/words.ts';
import { readConversation } from '../bundle/conversation.ts';
import { storeInTransaction } from '../episodes/batch-transactions.ts';
import { readArchivedLines } from '../episodes/keep.ts';
import { inOrder, messagesOf, type MessagesRequest, type SessionMessages } from '../episodes/read.ts';
import { mayDo, projectFor, type TeamCaller, type TeamMeans } from './access.ts';

/** A conversation as its author's machine has it. */
export interface OfferedDigest {
  readonly id: string;
  readonly digest: string;
}

/** A conversation, or a part of a long one, as `conversationText` makes it. */
export interface OfferedConversation {
  readonly text: string;
  /** The digest of the whole text; sent with the last part. */
  readonly digest?: string;
  /** Removes the server's copy first, because some of its text was forgotten. */
  readonly replaces?: boolean;
}

export interface WantedConversations {
  readonly wanted: readonly { readonly id: string; readonly known: boolean }[];
  /** Another member sent them. */
  readonly others: readonly string[];
}

/** Whether an id could belong to a record: both share an index, so a conversation must not use such an id. */
const isRecordId = (id: string): boolean => /^[0-9a-f]{64}$/.test(id);

const missing = (id: string): Result<never> =>
  refuse('NOT_FOUND', `The team has no conversation ${id} in this project.`, { missing: true, hint: 'holdfast team conversations lists them' });

/** The conversations of a member that the server lacks or has with another text. */
export async function wantedConversations(
  transaction: TeamTransaction,
  caller: TeamCaller,
  key: string,
  offered: readonly OfferedDigest[],
): Promise<Result<WantedConversations>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const known = new Map((await transaction.conversations(project.value.project).known(offered.map(({ id }) => id))).map((one) => [one.id, one]));
  const isOther = (id: string): boolean => known.has(id) && known.get(id)?.author !== caller.member.member;
  const wanted = offered.filter(({ id, digest }) => !isRecordId(id) && !isOther(id) && known.get(id)?.digest !== digest);
  return ok({
    wanted: wanted.map(({ id }) => ({ id, known: known.has(id) })),
    others: offered.flatMap(({ id }) => (isOther(id) ? [id] : [])),
  });
}

/** Stores conversations in one transaction, each message once. Returns how many messages are new. */
export async function takeConversations(
  transaction: TeamTransaction,
  caller: TeamCaller,
  key: string,
  offered: readonly OfferedConversation[],
  { sha256 }: Pick<TeamMeans, 'sha256'>,
): Promise<Result<{ readonly messages: number }>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const store = transaction.conversations(project.value.project);
  await store.lock();
  const author = caller.member.member;
  let messages = 0;
  for (const [nth, { text, digest, replaces = false }] of offered.entries()) {
    const read = readConversation(`conversation ${nth + 1}`, text);
    if (!read.ok) return refuse('INPUT_ERROR', read.error.message, { hint: 'nothing was stored' });
    const { facts, entries } = read.value;
    if (isRecordId(facts.sessionId)) return refuse('INPUT_ERROR', `A conversation cannot be called ${facts.sessionId}: records have such ids.`);
    const [known] = await store.known([facts.sessionId]);
    if (known && known.author !== author) return refuse('SECURITY_ERROR', `Another member sent the conversation ${facts.sessionId}.`);
    if (known && replaces) await removeWithWords(store, facts.sessionId);
    const parts = [{ facts, source: '', entries }];
    const stored = await store.inBatch(parts, (batchTransaction) => storeInTransaction(batchTransaction, sha256, { key, archiveBytes: 1, parts }));
    await store.note(facts.sessionId, author, digest);
    messages += stored.messages;
  }
  await transaction.audit(author, 'conversations.take', `${key} ${messages} messages`);
  return ok({ messages });
}

/** The conversations of a project, newest first. */
export async function listConversations(
  transaction: TeamTransaction,
  key: string,
  page: { readonly before?: number; readonly limit: number },
): Promise<Result<readonly TeamConversation[]>> {
  const project = await projectFor(transaction, key);
  return project.ok ? ok(await transaction.conversations(project.value.project).list(page)) : project;
}

/** The messages of a conversation, or those around one of them. */
export async function messagesForTeam(
  transaction: TeamTransaction,
  key: string,
  id: string,
  request: MessagesRequest,
): Promise<Result<SessionMessages & { readonly conversation: TeamConversation }>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const store = transaction.conversations(project.value.project);
  const [conversation] = await store.known([id]);
  if (!conversation) return missing(id);
  const { facts, entries } = readArchivedLines(await store.lines(id));
  if (!facts) return missing(id);
  const messages = messagesOf({ facts, entries: inOrder(entries), whole: true }, request);
  return messages.ok ? ok({ ...messages.value, conversation }) : messages;
}

/** Deletes a conversation from the server. Only its author or an admin may do that. */
export async function removeConversation(transaction: TeamTransaction, caller: TeamCaller, key: string, id: string): Promise<Result<void>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const store = transaction.conversations(project.value.project);
  await store.lock();
  const [known] = await store.known([id]);
  if (!known) return missing(id);
  if (known.author !== caller.member.member && !mayDo(caller, 'admin'))
    return refuse('SECURITY_ERROR', `Only ${known.author} or an admin removes this conversation.`);
  await removeWithWords(store, id);
  await transaction.audit(caller.member.member, 'conversation.remove', `${key} ${id}`);
  return ok(undefined);
}

async function removeWithWords(store: ConversationStore, id: string): Promise<void> {
  const words = new Set<string>();
  for (const text of readArchivedLines(await store.lines(id)).entries.flatMap(indexedTexts)) spelledWords(text, words);
  await store.remove(
    id,
    [...words].map((word) => [word, ...new Set(analyze(word))]),
  );
}

const indexedTexts = (entry: EpisodeEntry): readonly string[] =>
  isMessage(entry) ? [entry.text, entry.thinking ?? '', ...(entry.toolCalls ?? []).map(({ input }) => input)] : [];
