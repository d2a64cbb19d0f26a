import { isByClient } from '../../core/rules/by-client.ts';
import { isMachineLine } from '../gate/prompt.ts';
import { tokenCost } from '../inject/tokens.ts';
import { cut, plain } from '../inject/plain.ts';
import { analyze } from '../text/analyze.ts';
import type { Turn } from './port.ts';
import { quotableSentences, type QuotableSentence } from './sentences.ts';

/** Points for and against quoting a sentence. */
const POINTS = {
  /** It contains the prompt's terms, or stands beside a sentence that does. */
  onPrompt: 1.2,
  near: 0.8,
  /** It states an outcome: a cause, a choice, a limit. For each such word, up to two. */
  outcome: 0.25,
  /** It stands at the end of the exchange. */
  last: 0.4,
  /** It announces the conclusion. */
  conclusion: 0.8,
  /** It opens an exchange that goes on: it states the symptom, not the outcome. */
  opening: -1,
  /** The user wrote it, in a prompt short enough to be typed. */
  typed: 0.8,
  marked: 0.2,
  first: 0.2,
  /** For each name of code, up to three. */
  name: 0.13,
  chat: -0.8,
  question: -0.4,
  /** It announces a list or code. */
  announcement: -1,
  short: -0.8,
  /** For each further stretch of `LONG` characters. */
  long: -0.5,
} as const;
/** Share of the prompt's weight from which a sentence counts as being about it. */
const ENOUGH = 0.35;
/** A long exchange covers several topics: a sentence off the prompt's topic keeps this share of its other points, or more in a short exchange. */
const OFF_TOPIC = 0.35;
const ONE_MATTER = 1_500;
/** Share of `ENOUGH` from which a sentence keeps all its points. */
const ON_TOPIC = 0.65;
const TYPED = 400;
const LONGEST_PROMPT = 1_500;
const SHORT = 40;
const LONG = 220;
const LONGEST = 320;
const LONGEST_CONCLUSION = 700;
const FEWEST_TERMS = 3;
/** Share of a sentence's weight from which it only repeats the prompt. */
const ECHO = 0.8;
/** Share of its points that a sentence loses if it only repeats what is quoted already. */
const REPEATED = 0.6;
const MOST_OUTCOMES = 2;
const MOST_NAMES = 3;

const OUTCOME =
  /\b(?:because|root cause|caused? by|the (?:cause|reason|fix|problem|issue|culprit)|fix(?:ed)?|instead|decided?|settled|final|net|must|never|always|only|exactly|no longer|default|pre-?existing|renamed?|so that|means|therefore|not|isn'?t|doesn'?t|turns out|actually|found|why|wrong|removed?|replaced?|supersed\w+|amend\w*|now|rather than|chosen?|recommend)\b/gi;
const CONCLUSION =
  /^(?:(?:so|and|ok|okay|understood|agreed|right|yes)[,:—–-]+ )?(?:final|settled|agreed|decided|decision|conclusion|in short|in summary|to sum up|summary|net|bottom line|amended|amendment|confirmed|the rule|new rule|policy|root cause|verdict|recap|tl;?dr)\b[^.?!]{0,60}?(?::|—|–| is | are )/i;
const CHAT =
  /^(?:let me|now (?:let me|i)|i'll|i will|i'm going|i need to|good|great|perfect|ok|okay|alright|sure|looking|checking|want me|should i|shall i|would you|do you want|ready to|understood|got it)\b/i;
/** The agent announces its next step: "Now update `populate_folder` …", "Step 4: Desktop". */
const NEXT_STEP =
  /^(?:(?:now|next|then|first|finally)[,:]? (?:also )?(?:add|apply|build|change|check|commit|create|edit|find|fix|handle|implement|install|look|modify|move|push|read|refactor|remove|rename|replace|rewrite|run|test|update|use|verify|view|wire|write)\b|(?:step|task|phase) \d+(?:[:.]| [—–-] )(?!.{60}))/i;
/** Whether a sentence is only talk around the work. */
export const isChat = (sentence: string): boolean => CHAT.test(sentence) || NEXT_STEP.test(sentence);
const NAME = /`[^`]+`|\b\w+[A-Z]\w+\b|\b\w+_\w+\b|\b\w+\.\w{2,}\b|--[a-z-]+/g;

/** One exchange, and how near it is to the prompt (1 for the nearest). */
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
  /** Terms of the records that are injected beside the quotations. */
  readonly records?: ReadonlySet<string>;
  readonly rarity: (term: string) => number;
}

/** The sentences of a few exchanges that say what was settled, within a budget of tokens, in their original order. */
export function quoteSettled(exchanges: readonly QuotedExchange[], prompt: PromptWeights, tokens: number): readonly Quotation[] {
  const candidates = exchanges.flatMap((exchange, nth) => candidatesOf(exchange, nth, prompt));
  const chosen = new Set<Candidate>();
  const quoted = new Set<string>();
  let budget = tokens;
  for (;;) {
    let best: Candidate | undefined;
    let most = 0;
    for (const candidate of candidates) {
      if (chosen.has(candidate) || candidate.tokens > budget) continue;
      const points = candidate.points * (1 - REPEATED * overlap(candidate.terms, quoted, prompt.rarity));
      if (points > most) [best, most] = [candidate, points];
    }
    if (best === undefined) break;
    chosen.add(best);
    budget -= best.tokens;
    for (const term of best.terms) quoted.add(term);
  }
  return candidates.filter((candidate) => chosen.has(candidate)).map(({ exchange, messageId, byUser, text }) => ({ exchange, messageId, byUser, text }));
}

/** Whether a sentence only repeats the prompt or a record beside it. */
const isEcho = (terms: ReadonlySet<string>, { terms: promptTerms, records: recordTerms, rarity }: PromptWeights): boolean =>
  [promptTerms, recordTerms].some((known) => known !== undefined && overlap(terms, known, rarity) >= ECHO);

/** The share of a sentence's weight that is quoted already. */
function overlap(terms: ReadonlySet<string>, quoted: ReadonlySet<string>, rarity: (term: string) => number): number {
  let [total, known] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term);
    total += weight;
    if (quoted.has(term)) known += weight;
  }
  return total === 0 ? 0 : known / total;
}

function candidatesOf({ turns, nearness }: QuotedExchange, exchange: number, prompt: PromptWeights): readonly Candidate[] {
  const lastAnswer = turns.findLastIndex(({ byUser }) => !byUser);
  const lastPrompt = turns.findLastIndex(({ byUser }) => byUser);
  const enough = ENOUGH * [...prompt.terms].reduce((sum, term) => sum + prompt.rarity(term), 0) || 1;
  const offTopic = Math.max(OFF_TOPIC, Math.min(1, ONE_MATTER / turns.reduce((sum, { text }) => sum + text.length, 0)));
  return turns.flatMap((turn, at) => {
    const isLast = at === lastAnswer || (at === lastPrompt && at > 0);
    const place = (isLast ? POINTS.last : 0) + (at === 0 && lastPrompt > 0 ? POINTS.opening : 0);
    const sentences = sentencesIn(turn).map((sentence) => ({ sentence, terms: new Set(analyze(sentence.text)) }));
    const shares = sentences.map(({ terms }) => Math.min(1, promptWeight(terms, prompt) / enough));
    return sentences.flatMap(({ sentence, terms }, nth) => {
      const near = Math.max(shares[nth - 1] ?? 0, shares[nth + 1] ?? 0, (shares[nth - 2] ?? 0) / 2);
      const onTopic = Math.min(1, Math.max(shares[nth] ?? 0, near) / ON_TOPIC);
      const share = offTopic + (1 - offTopic) * onTopic;
      const points = nearness * (share * (place + pointsOf(turn, sentence)) + POINTS.onPrompt * (shares[nth] ?? 0) + POINTS.near * near);
      if (terms.size < FEWEST_TERMS || points <= 0 || isEcho(terms, prompt)) return [];
      const text = cut(plain(sentence.text), CONCLUSION.test(sentence.text) ? LONGEST_CONCLUSION : LONGEST);
      return [{ exchange, messageId: turn.messageId, byUser: turn.byUser, text, terms, points, tokens: tokenCost(text) + (turn.byUser ? 5 : 3) }];
    });
  });
}

/** A long address or a key: the sentence was copied from a program's output and is not worth its tokens. */
const COPIED = /https?:\/\/\S{45}|\b[0-9a-f]{20,}\b/i;

/** Of a prompt only the beginning, without program output: the rest of a long prompt was pasted. */
function sentencesIn({ byUser, text }: Turn): readonly QuotableSentence[] {
  if (!byUser) return quotableSentences(text);
  return isByClient(text)
    ? []
    : quotableSentences(text.slice(0, LONGEST_PROMPT)).filter((sentence) => !isMachineLine(sentence.text) && !COPIED.test(sentence.text));
}

function promptWeight(terms: ReadonlySet<string>, prompt: PromptWeights): number {
  let sum = 0;
  for (const term of terms) if (prompt.terms.has(term)) sum += prompt.rarity(term);
  return sum;
}

function pointsOf({ byUser, text: messageText }: Turn, { text, isMarked, isFirst }: QuotableSentence): number {
  // A conclusion may be long.
  const concludes = CONCLUSION.test(text);
  return (
    POINTS.outcome * Math.min(MOST_OUTCOMES, text.match(OUTCOME)?.length ?? 0) +
    POINTS.name * Math.min(MOST_NAMES, text.match(NAME)?.length ?? 0) +
    (byUser ? (messageText.length < TYPED ? POINTS.typed : 0) : isFirst ? POINTS.first : 0) +
    (isMarked ? POINTS.marked : 0) +
    (isChat(text) ? POINTS.chat : 0) +
    (text.endsWith('?') ? POINTS.question : text.endsWith(':') ? POINTS.announcement : 0) +
    (text.length < SHORT ? POINTS.short : 0) +
    (concludes ? POINTS.conclusion : 0) +
    (concludes ? 0 : POINTS.long * Math.max(0, text.length / LONG - 1))
  );
}
