import { isByClient } from '../../core/rules/by-client.ts';
import { isMachineLine } from '../gate/prompt.ts';
import { tokenCost } from '../inject/tokens.ts';
import { cut, plain } from '../inject/plain.ts';
import { analyze } from '../text/analyze.ts';
import type { Turn } from './port.ts';
import { quotableSentences, type QuotableSentence } from './sentences.ts';

/** What makes a sentence worth quoting, in points. */
const POINTS = {
  /** It holds what the prompt asks for, or stands beside what does. */
  asked: 1.2,
  near: 0.8,
  /** It says how something came out: a cause, a choice, a limit. For each such word, up to two. */
  outcome: 0.25,
  /** It is said where the exchange ends. */
  last: 0.4,
  /** It says that this is how the matter came out. */
  conclusion: 0.8,
  /** It opens a matter on which more is said: the symptom, not what was settled. */
  opening: -1,
  /** The user said it, in a prompt short enough to be typed. */
  typed: 0.8,
  marked: 0.2,
  first: 0.2,
  /** For each name of code, up to three. */
  name: 0.13,
  chat: -0.8,
  question: -0.4,
  /** It announces what comes after it: a list, code. */
  announcement: -1,
  short: -0.8,
  /** For each further stretch of `LONG` characters. */
  long: -0.5,
} as const;
/** Share of the prompt's weight from which a sentence counts as being about it. */
const ENOUGH = 0.35;
/** A long exchange is about several matters: what has nothing to do with the prompt keeps this share of its other points, or more in an exchange of few characters. */
const OFF_TOPIC = 0.35;
const ONE_MATTER = 1_500;
/** Share of `ENOUGH` from which a sentence keeps them all. */
const ON_TOPIC = 0.65;
const TYPED = 400;
const LONGEST_PROMPT = 1_500;
const SHORT = 40;
const LONG = 220;
const LONGEST = 320;
const LONGEST_CONCLUSION = 700;
const FEWEST_TERMS = 3;
/** Share of a sentence, by what its terms tell, from which it only says what the prompt says itself. */
const ECHO = 0.8;
/** How much of its points a sentence loses that says only what is quoted already. */
const REPEATED = 0.6;
const MOST_OUTCOMES = 2;
const MOST_NAMES = 3;

const OUTCOME =
  /\b(?:because|root cause|caused? by|the (?:cause|reason|fix|problem|issue|culprit)|fix(?:ed)?|instead|decided?|settled|final|net|must|never|always|only|exactly|no longer|default|pre-?existing|renamed?|so that|means|therefore|not|isn'?t|doesn'?t|turns out|actually|found|why|wrong|removed?|replaced?|supersed\w+|amend\w*|now|rather than|chosen?|recommend)\b/gi;
const CONCLUSION =
  /^(?:(?:so|and|ok|okay|understood|agreed|right|yes)[,:—–-]+ )?(?:final|settled|agreed|decided|decision|conclusion|in short|in summary|to sum up|summary|net|bottom line|amended|amendment|confirmed|the rule|new rule|policy|root cause|verdict|recap|tl;?dr)\b[^.?!]{0,60}?(?::|—|–| is | are )/i;
const CHAT =
  /^(?:let me|now (?:let me|i)|i'll|i will|i'm going|i need to|good|great|perfect|ok|okay|alright|sure|looking|checking|want me|should i|shall i|would you|do you want|ready to|understood|got it)\b/i;
/** An announcement of the agent: "Now update `populate_folder` …", "Step 4: Desktop". The result comes later. */
const NEXT_STEP =
  /^(?:(?:now|next|then|first|finally)[,:]? (?:also )?(?:add|apply|build|change|check|commit|create|edit|find|fix|handle|implement|install|look|modify|move|push|read|refactor|remove|rename|replace|rewrite|run|test|update|use|verify|view|wire|write)\b|(?:step|task|phase) \d+(?:[:.]| [—–-] )(?!.{60}))/i;
/** Whether a sentence is only the talk around the work. */
export const isChat = (sentence: string): boolean => CHAT.test(sentence) || NEXT_STEP.test(sentence);
const NAME = /`[^`]+`|\b\w+[A-Z]\w+\b|\b\w+_\w+\b|\b\w+\.\w{2,}\b|--[a-z-]+/g;

/** The text of one exchange, and how near the exchange is to the prompt (1 for the nearest). */
export interface QuotedExchange {
  readonly turns: readonly Turn[];
  readonly nearness: number;
}

export interface Quotation {
  /** The place of its exchange among those given. */
  readonly exchange: number;
  /** The message it is taken from. */
  readonly messageId: string;
  readonly byUser: boolean;
  readonly text: string;
}

interface Candidate extends Quotation {
  readonly terms: ReadonlySet<string>;
  readonly points: number;
  readonly tokens: number;
}

/** The terms of a prompt with their weights. */
export interface PromptWeights {
  readonly terms: ReadonlySet<string>;
  /** Terms of what the records say that stand beside the quotations. */
  readonly told?: ReadonlySet<string>;
  readonly rarity: (term: string) => number;
}

/** The sentences that say what was settled, from a few exchanges, within a budget; in the order in which they were said. */
export function quoteSettled(exchanges: readonly QuotedExchange[], asked: PromptWeights, tokens: number): readonly Quotation[] {
  const candidates = exchanges.flatMap((exchange, nth) => candidatesOf(exchange, nth, asked));
  const chosen = new Set<Candidate>();
  const quoted = new Set<string>();
  let left = tokens;
  for (;;) {
    let best: Candidate | undefined;
    let most = 0;
    for (const candidate of candidates) {
      if (chosen.has(candidate) || candidate.tokens > left) continue;
      const points = candidate.points * (1 - REPEATED * repeated(candidate.terms, quoted, asked.rarity));
      if (points > most) [best, most] = [candidate, points];
    }
    if (best === undefined) break;
    chosen.add(best);
    left -= best.tokens;
    for (const term of best.terms) quoted.add(term);
  }
  return candidates.filter((candidate) => chosen.has(candidate)).map(({ exchange, messageId, byUser, text }) => ({ exchange, messageId, byUser, text }));
}

/** Whether a sentence says only what the prompt or a record beside it says. */
const isEcho = (terms: ReadonlySet<string>, { terms: asked, told, rarity }: PromptWeights): boolean =>
  [asked, told].some((known) => known !== undefined && repeated(terms, known, rarity) >= ECHO);

/** The share of a sentence that is quoted already, by what its terms tell. */
function repeated(terms: ReadonlySet<string>, quoted: ReadonlySet<string>, rarity: (term: string) => number): number {
  let [all, old] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term);
    all += weight;
    if (quoted.has(term)) old += weight;
  }
  return all === 0 ? 0 : old / all;
}

function candidatesOf({ turns, nearness }: QuotedExchange, exchange: number, asked: PromptWeights): readonly Candidate[] {
  const lastAnswer = turns.findLastIndex(({ byUser }) => !byUser);
  const lastPrompt = turns.findLastIndex(({ byUser }) => byUser);
  const enough = ENOUGH * [...asked.terms].reduce((sum, term) => sum + asked.rarity(term), 0) || 1;
  const offTopic = Math.max(OFF_TOPIC, Math.min(1, ONE_MATTER / turns.reduce((sum, { text }) => sum + text.length, 0)));
  return turns.flatMap((turn, at) => {
    const isLast = at === lastAnswer || (at === lastPrompt && at > 0);
    const place = (isLast ? POINTS.last : 0) + (at === 0 && lastPrompt > 0 ? POINTS.opening : 0);
    const sentences = sentencesIn(turn).map((sentence) => ({ sentence, terms: new Set(analyze(sentence.text)) }));
    const held = sentences.map(({ terms }) => Math.min(1, sumOf(terms, asked) / enough));
    return sentences.flatMap(({ sentence, terms }, nth) => {
      const near = Math.max(held[nth - 1] ?? 0, held[nth + 1] ?? 0, (held[nth - 2] ?? 0) / 2);
      const onTopic = Math.min(1, Math.max(held[nth] ?? 0, near) / ON_TOPIC);
      const share = offTopic + (1 - offTopic) * onTopic;
      const points = nearness * (share * (place + pointsOf(turn, sentence)) + POINTS.asked * (held[nth] ?? 0) + POINTS.near * near);
      if (terms.size < FEWEST_TERMS || points <= 0 || isEcho(terms, asked)) return [];
      const text = cut(plain(sentence.text), CONCLUSION.test(sentence.text) ? LONGEST_CONCLUSION : LONGEST);
      return [{ exchange, messageId: turn.messageId, byUser: turn.byUser, text, terms, points, tokens: tokenCost(text) + (turn.byUser ? 5 : 3) }];
    });
  });
}

/** A long address or a key: the sentence was copied from what a program printed, and costs more than it tells. */
const COPIED = /https?:\/\/\S{45}|\b[0-9a-f]{20,}\b/i;

/** Of a prompt that the user wrote, its beginning without what programs printed: the rest of a long one was pasted. */
function sentencesIn({ byUser, text }: Turn): readonly QuotableSentence[] {
  if (!byUser) return quotableSentences(text);
  return isByClient(text) ? [] : quotableSentences(text.slice(0, LONGEST_PROMPT)).filter(({ text: said }) => !isMachineLine(said) && !COPIED.test(said));
}

function sumOf(terms: ReadonlySet<string>, asked: PromptWeights): number {
  let sum = 0;
  for (const term of terms) if (asked.terms.has(term)) sum += asked.rarity(term);
  return sum;
}

function pointsOf({ byUser, text: said }: Turn, { text, isMarked, isFirst }: QuotableSentence): number {
  // A sentence with the result of the matter may be long.
  const concludes = CONCLUSION.test(text);
  return (
    POINTS.outcome * Math.min(MOST_OUTCOMES, text.match(OUTCOME)?.length ?? 0) +
    POINTS.name * Math.min(MOST_NAMES, text.match(NAME)?.length ?? 0) +
    (byUser ? (said.length < TYPED ? POINTS.typed : 0) : isFirst ? POINTS.first : 0) +
    (isMarked ? POINTS.marked : 0) +
    (isChat(text) ? POINTS.chat : 0) +
    (text.endsWith('?') ? POINTS.question : text.endsWith(':') ? POINTS.announcement : 0) +
    (text.length < SHORT ? POINTS.short : 0) +
    (concludes ? POINTS.conclusion : 0) +
    (concludes ? 0 : POINTS.long * Math.max(0, text.length / LONG - 1))
  );
}
