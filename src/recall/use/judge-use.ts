import type { Message } from '../../core/episode/episode.ts';
import { shortIdOfName } from '../../core/record/short-id.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import type { UseOutcome } from '../../core/use/item-use.ts';
import { tellsTopic } from '../exchange/common-words.ts';
import { NEGATED } from '../rules/standing.ts';
import { analyze } from '../text/analyze.ts';

/** An item that was injected into a session. */
export interface ShownItem {
  readonly id: string;
  readonly title: string;
  /** The text that was shown. */
  readonly text: string;
  /** When it was first shown, epoch milliseconds. */
  readonly at: number;
  /** It was shown only in the brief of a session start. */
  readonly onlyInBrief: boolean;
}

/** Tolerance between the log's time of an injection, in whole seconds, and the time of its prompt. */
const SLACK_MS = 2_000;
/** Distinctive words of an item that one message of the agent must contain: a third of them, at least two; four are always enough. */
const FOLLOWED = { share: 1 / 3, least: 2, enough: 4 } as const;
/** Two sentences mean the same from this share of the shorter one's terms, and from this many shared terms. */
const SAME = { share: 0.7, least: 3 } as const;
const LONGEST_INPUT = 4_000;
/** A longer command is a script, not a lookup. */
const LONGEST_COMMAND = 400;
const SHORTEST_ID = 4;
const READS = /(?:^|__)memory_(?:get|timeline)$/;
const READS_BY_COMMAND = /\bholdfast\b.*\b(?:get|show|timeline|messages)\b/;

interface AnalysedMessage {
  readonly at: number;
  readonly role: Message['role'];
  readonly terms: ReadonlySet<string>;
  readonly message: Message;
}

/** The session's use of each item; items without evidence are left out. */
export function judgeUse(items: readonly ShownItem[], messages: readonly Message[]): ReadonlyMap<string, UseOutcome> {
  const analysed = messages.filter(({ role }) => role !== 'tool').map(readMessage);
  const userTerms = new Set(analysed.flatMap(({ role, terms }) => (role === 'user' ? [...terms] : [])));
  const judged = new Map<string, UseOutcome>();
  for (const item of items) {
    const outcome = statedByUser(item, analysed) ?? usedByAgent(item, analysed, userTerms);
    if (outcome !== undefined) judged.set(item.id, outcome);
  }
  return judged;
}

function readMessage(message: Message): AnalysedMessage {
  const inputs = (message.toolCalls ?? []).map(({ input }) => input.slice(0, LONGEST_INPUT));
  const messageText = [message.text, ...(message.role === 'assistant' ? inputs : [])].join('\n');
  return { at: message.at === undefined ? 0 : Date.parse(message.at), role: message.role, terms: new Set(analyze(messageText)), message };
}

/** Whether the user repeated or contradicted an item after it was shown. Only records and rules count, not quotations or failures. */
function statedByUser({ id, title, at }: ShownItem, analysed: readonly AnalysedMessage[]): UseOutcome | undefined {
  if (!/^(?!failure)[a-z_]+\/|^rule:/.test(id)) return undefined;
  const terms = new Set(analyze(title));
  for (const { role, at: messageAt, message } of analysed) {
    if (role !== 'user' || messageAt <= at + SLACK_MS) continue;
    for (const sentence of typedSentences(message.text)) {
      if (sentence.endsWith('?') || !isSame(terms, new Set(analyze(sentence)))) continue;
      return NEGATED.test(sentence) === NEGATED.test(title) ? 'repeated' : 'contradicted';
    }
  }
  return undefined;
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared >= SAME.least && shared >= SAME.share * Math.min(a.size, b.size);
}

function usedByAgent(item: ShownItem, analysed: readonly AnalysedMessage[], userTerms: ReadonlySet<string>): UseOutcome | undefined {
  const [before, after] = [
    analysed.filter(({ at }) => at < item.at - SLACK_MS),
    analysed.filter(({ at, role }) => role === 'assistant' && at >= item.at - SLACK_MS),
  ];
  if (after.some(({ message }) => isFetched(item.id, message))) return 'fetched';
  const distinctive = [...new Set(analyze(item.text))].filter(
    (term) => tellsTopic(term) && !userTerms.has(term) && !before.some(({ terms }) => terms.has(term)),
  );
  // With too few distinctive words there is no evidence.
  if (distinctive.length < FOLLOWED.least || after.length === 0) return undefined;
  const needed = Math.min(FOLLOWED.enough, Math.max(FOLLOWED.least, Math.ceil(FOLLOWED.share * distinctive.length)));
  const isFollowed = after.some(({ terms }) => distinctive.filter((term) => terms.has(term)).length >= needed);
  return isFollowed ? 'followed' : item.onlyInBrief ? 'passed' : 'unused';
}

/** Characters from which the beginning of an id names a message. */
const SHORTEST_BEGINNING = 8;

/** Whether the agent looked an item up by its id or short id. */
function isFetched(id: string, { toolCalls = [] }: Message): boolean {
  const names = [id, id.slice(id.indexOf('/') + 1)];
  const short = shortIdOfName(id);
  return toolCalls.some(({ name, input, command = '' }) => {
    if (!READS.test(name) && !READS_BY_COMMAND.test(command.slice(0, LONGEST_COMMAND))) return false;
    const words = input.slice(0, LONGEST_INPUT).match(/[\w./:-]+/g) ?? [];
    return words.some(
      (word) =>
        names.includes(word) || (word.length >= SHORTEST_BEGINNING && id.startsWith(word)) || (word.length >= SHORTEST_ID && short?.startsWith(word) === true),
    );
  });
}
