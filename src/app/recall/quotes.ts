import { isFailure } from '../../core/failure.ts';
import { utcSeconds } from '../../core/instant.ts';
import { strengthOf, type Strength } from '../../recall/exchange/evidence.ts';
import { changesOf } from '../../recall/exchange/later.ts';
import type { ExchangeIndex, Turn } from '../../recall/exchange/port.ts';
import { quoteSettled } from '../../recall/exchange/quote.ts';
import { rankExchanges, type RankedExchange } from '../../recall/exchange/rank-exchanges.ts';
import type { BlockLine } from '../../recall/inject/block.ts';
import { cut, plain } from '../../recall/inject/plain.ts';
import { tokenCost } from '../../recall/inject/tokens.ts';
import { analyze } from '../../recall/text/analyze.ts';

/** What earlier conversations and commits settled about a prompt: one section of quotations for each exchange. */
export interface Quoted {
  readonly lines: readonly BlockLine[];
  readonly items: readonly QuotedItem[];
  /** The message of each exchange's last quotation, of the agent's if there is one, by an id that opens it. */
  readonly messageIds: readonly string[];
  readonly strength: Strength;
}

export interface QuotedItem {
  /** The message that opens the exchange. */
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  /** The conversation or commit that it stands in. */
  readonly source: string;
}

export interface QuoteRequest {
  readonly text: string;
  /** The session that asks: it has its own words before it. */
  readonly session?: string;
  /** False for items that the session was shown before, and for items that no session ever used. */
  readonly isNews: (id: string) => boolean;
  readonly tokens: number;
  /** The records that are shown beside the quotations. */
  readonly shownText?: string;
}

const EXCHANGES = 3;
/** Exchanges that are looked at for the quotations: a prompt that was sent twice opens two with the same content. */
const LOOKED_AT = 5;
/** Characters by which two openings are one prompt: "commit this" is typed about many matters. */
const SAME_OPENING = { least: 40, most: 200 } as const;
/** Share of the best exchange's score below which another is about something else. */
const BESIDES = 0.65;
const OPENING = 90;
const LONGEST_QUERY = 4_000;

interface Read extends RankedExchange {
  readonly turns: readonly Turn[];
  /** When a later exchange changed what this one settled. */
  readonly changedAt?: number;
}

/** Quotes what conversations settled if the evidence is strong enough. A problem with the conversations does not hide the records. */
export async function quotesFor(open: () => ExchangeIndex | undefined, request: QuoteRequest): Promise<Quoted | undefined> {
  try {
    const index = open();
    return index && (await quoted(index, request));
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
    return undefined;
  }
}

async function quoted(index: ExchangeIndex, { text, session, isNews, tokens, shownText = '' }: QuoteRequest): Promise<Quoted | undefined> {
  const terms = [...new Set(analyze(text.slice(0, LONGEST_QUERY)))];
  const { ranked, rarity, exchanges } = await rankExchanges(index, terms, LOOKED_AT, session);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const strength = strengthOf(best.evidence, { text, terms }, { rarity, exchanges });
  if (!strength.passes) return { lines: [], items: [], messageIds: [], strength };
  const near = ranked.filter(({ score }) => score >= BESIDES * best.score);
  const read = (await withChanges(index, await readDistinct(index, near))).filter(({ turns }) => turns[0] !== undefined && isNews(turns[0].messageId));
  const heads = read.map(headOf);
  const room = Math.min(tokens, strength.room) - [...new Set(heads)].reduce((sum, head) => sum + tokenCost(head), 0);
  const quotations = quoteSettled(
    read.map(({ turns, score }) => ({ turns, nearness: Math.min(1, score / best.score) })),
    { terms: new Set(terms), rarity, ...(shownText !== '' && { told: new Set(analyze(shownText)) }) },
    room,
  );
  const lines = quotations.map(({ exchange, byUser, text: sentence }) => ({
    forms: [`- ${byUser ? 'user: ' : ''}${sentence}`] as const,
    section: heads[exchange] ?? '',
    id: (read[exchange] as Read).turns[0]?.messageId ?? '',
  }));
  const messageIds = read.flatMap((_, nth) => {
    const ofExchange = quotations.filter(({ exchange }) => exchange === nth);
    return shortMessageId((ofExchange.findLast(({ byUser }) => !byUser) ?? ofExchange.at(-1))?.messageId ?? '') || [];
  });
  return { lines, strength, messageIds, items: read.flatMap((one, nth) => (quotations.some(({ exchange }) => exchange === nth) ? [itemOf(one)] : [])) };
}

/** The text of the nearest exchanges. Of several that the same prompt opened, the longest one. */
async function readDistinct(index: ExchangeIndex, near: readonly RankedExchange[]): Promise<readonly Read[]> {
  const read: Read[] = [];
  for (const one of near) {
    const turns = await index.turns(one.first, one.next);
    const same = read.findIndex((other) => opensAlike(other.turns, turns));
    if (same < 0 && read.length === EXCHANGES) break;
    if (same < 0) read.push({ ...one, turns });
    else if (sizeOf(turns) > sizeOf(read[same]?.turns ?? [])) read[same] = { ...one, turns, score: (read[same] as Read).score };
  }
  return read;
}

function opensAlike([one]: readonly Turn[], [other]: readonly Turn[]): boolean {
  const opening = one?.text.slice(0, SAME_OPENING.most) ?? '';
  return opening.length >= SAME_OPENING.least && opening === other?.text.slice(0, SAME_OPENING.most);
}

const sizeOf = (turns: readonly Turn[]): number => turns.reduce((sum, { text }) => sum + text.length, 0);

/** Later beats earlier: what changed an exchange stands before it, and the exchange says so. */
async function withChanges(index: ExchangeIndex, read: readonly Read[]): Promise<readonly Read[]> {
  const [best, ...others] = read;
  if (best === undefined) return [];
  const later = await changesOf(index, best);
  if (later === undefined) return read;
  const rest = others.filter(({ first }) => first !== later.first);
  return [{ ...later, score: best.score }, { ...best, changedAt: later.session.endedAt }, ...rest].slice(0, EXCHANGES);
}

const itemOf = ({ turns: [opening], session }: Read): QuotedItem => ({
  id: opening?.messageId ?? '',
  title: cut(plain(opening?.text ?? ''), OPENING),
  updatedAt: utcSeconds(opening?.at ?? session.endedAt),
  source: session.id,
});

/** A conversation without times has no day. */
const dayOf = (epoch: number): string => (epoch === 0 ? 'undated' : utcSeconds(epoch).slice(0, 10));

/** The session and the day. Leaves out the exchange's first sentence, which would take the room of one that says how the matter ended. */
function headOf({ turns: [opening], session, changedAt }: Read): string {
  const changed = changedAt === undefined ? '' : `, changed on ${dayOf(changedAt)}`;
  return `${sourceOf(session.id)} (${dayOf(opening?.at ?? session.endedAt)}${changed}):`;
}

/** Eight random digits name one message. */
const shortMessageId = (id: string): string => (/^[0-9a-f]{8}[0-9a-f-]{8,}$/.test(id) ? id.slice(0, 8) : plain(id));

/** Ids made of random digits are known by their beginning. */
function sourceOf(id: string): string {
  const commit = /^commit-([0-9a-f]{7})/.exec(id)?.[1];
  if (commit !== undefined) return `commit ${commit}`;
  return `session ${plain(/^[0-9a-f]{8}-[0-9a-f-]{20,}$/.test(id) ? id.slice(0, 6) : cut(id, 60))}`;
}
