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

/** Quotations from earlier conversations and commits about a prompt, one section for each exchange. */
export interface Quotations {
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
  /** The conversation or commit that it comes from. */
  readonly source: string;
}

export interface QuoteRequest {
  readonly text: string;
  /** The session of the prompt, which is not quoted to itself. */
  readonly session?: string;
  /** False for items that the session was shown before, and for items that no session ever used. */
  readonly isNews: (id: string) => boolean;
  readonly tokens: number;
  /** The text of the records that are shown beside the quotations. */
  readonly shownText?: string;
}

const MAX_EXCHANGES = 3;
/** More are ranked than quoted: a prompt that was sent twice opens two exchanges with the same content. */
const MAX_RANKED = 5;
/** Two openings are the same prompt if so many characters agree; a short one such as "commit this" is typed about many matters. */
const SAME_OPENING = { least: 40, most: 200 } as const;
/** Below this share of the best score an exchange is about something else. */
const MIN_SHARE_OF_BEST = 0.65;
const TITLE_LENGTH = 90;
const LONGEST_QUERY = 4_000;

interface ExchangeText extends RankedExchange {
  readonly turns: readonly Turn[];
  /** When a later exchange changed what this one settled. */
  readonly changedAt?: number;
}

/** Quotes conversations about a prompt if the evidence is strong enough. Unreadable conversations do not hide the records. */
export async function quotesFor(open: () => ExchangeIndex | undefined, request: QuoteRequest): Promise<Quotations | undefined> {
  try {
    const index = open();
    return index && (await quotationsFrom(index, request));
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
    return undefined;
  }
}

async function quotationsFrom(index: ExchangeIndex, { text, session, isNews, tokens, shownText = '' }: QuoteRequest): Promise<Quotations | undefined> {
  const terms = [...new Set(analyze(text.slice(0, LONGEST_QUERY)))];
  const { ranked, rarity, exchanges } = await rankExchanges(index, terms, MAX_RANKED, session);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const strength = strengthOf(best.evidence, { text, terms }, { rarity, exchanges });
  if (!strength.passes) return { lines: [], items: [], messageIds: [], strength };
  const near = ranked.filter(({ score }) => score >= MIN_SHARE_OF_BEST * best.score);
  const exchangeTexts = (await withLaterChange(index, await readDistinct(index, near))).filter(
    ({ turns }) => turns[0] !== undefined && isNews(turns[0].messageId),
  );
  const headings = exchangeTexts.map(headingOf);
  const room = Math.min(tokens, strength.room) - [...new Set(headings)].reduce((sum, heading) => sum + tokenCost(heading), 0);
  const quotations = quoteSettled(
    exchangeTexts.map(({ turns, score }) => ({ turns, nearness: Math.min(1, score / best.score) })),
    { terms: new Set(terms), rarity, ...(shownText !== '' && { records: new Set(analyze(shownText)) }) },
    room,
  );
  const lines = quotations.map(({ exchange, byUser, text: sentence }) => ({
    forms: [`- ${byUser ? 'user: ' : ''}${sentence}`] as const,
    section: headings[exchange] ?? '',
    id: (exchangeTexts[exchange] as ExchangeText).turns[0]?.messageId ?? '',
  }));
  const messageIds = exchangeTexts.flatMap((_, nth) => {
    const ofExchange = quotations.filter(({ exchange }) => exchange === nth);
    return shortMessageId((ofExchange.findLast(({ byUser }) => !byUser) ?? ofExchange.at(-1))?.messageId ?? '') || [];
  });
  const items = exchangeTexts.flatMap((one, nth) => (quotations.some(({ exchange }) => exchange === nth) ? [quotedItem(one)] : []));
  return { lines, strength, messageIds, items };
}

/** Reads the nearest exchanges; of several that the same prompt opened, only the longest. */
async function readDistinct(index: ExchangeIndex, near: readonly RankedExchange[]): Promise<readonly ExchangeText[]> {
  const read: ExchangeText[] = [];
  for (const one of near) {
    const turns = await index.turns(one.first, one.next);
    const same = read.findIndex((other) => haveSameOpening(other.turns, turns));
    if (same < 0 && read.length === MAX_EXCHANGES) break;
    if (same < 0) read.push({ ...one, turns });
    else if (textLength(turns) > textLength(read[same]?.turns ?? [])) read[same] = { ...one, turns, score: (read[same] as ExchangeText).score };
  }
  return read;
}

function haveSameOpening([one]: readonly Turn[], [other]: readonly Turn[]): boolean {
  const opening = one?.text.slice(0, SAME_OPENING.most) ?? '';
  return opening.length >= SAME_OPENING.least && opening === other?.text.slice(0, SAME_OPENING.most);
}

const textLength = (turns: readonly Turn[]): number => turns.reduce((sum, { text }) => sum + text.length, 0);

/** Puts a later exchange that changed the best one before it, and marks the best one as changed. */
async function withLaterChange(index: ExchangeIndex, read: readonly ExchangeText[]): Promise<readonly ExchangeText[]> {
  const [best, ...others] = read;
  if (best === undefined) return [];
  const later = await changesOf(index, best);
  if (later === undefined) return read;
  const rest = others.filter(({ first }) => first !== later.first);
  return [{ ...later, score: best.score }, { ...best, changedAt: later.session.endedAt }, ...rest].slice(0, MAX_EXCHANGES);
}

const quotedItem = ({ turns: [opening], session }: ExchangeText): QuotedItem => ({
  id: opening?.messageId ?? '',
  title: cut(plain(opening?.text ?? ''), TITLE_LENGTH),
  updatedAt: utcSeconds(opening?.at ?? session.endedAt),
  source: session.id,
});

const dayOf = (epoch: number): string => (epoch === 0 ? 'undated' : utcSeconds(epoch).slice(0, 10));

/** The session and the day. The exchange's first sentence is left out to save room for its result. */
function headingOf({ turns: [opening], session, changedAt }: ExchangeText): string {
  const changed = changedAt === undefined ? '' : `, changed on ${dayOf(changedAt)}`;
  return `${sourceLabel(session.id)} (${dayOf(opening?.at ?? session.endedAt)}${changed}):`;
}

/** Eight random digits identify one message. */
const shortMessageId = (id: string): string => (/^[0-9a-f]{8}[0-9a-f-]{8,}$/.test(id) ? id.slice(0, 8) : plain(id));

/** Random ids are shortened. */
function sourceLabel(id: string): string {
  const commit = /^commit-([0-9a-f]{7})/.exec(id)?.[1];
  if (commit !== undefined) return `commit ${commit}`;
  return `session ${plain(/^[0-9a-f]{8}-[0-9a-f-]{20,}$/.test(id) ? id.slice(0, 6) : cut(id, 60))}`;
}
