import { rng } from '../measure.ts';

/** A made-up conversation between a person and an agent: words by Zipf's law, a topic for each session, identifiers, paths and error codes. */
export interface MadeSession {
  readonly id: string;
  readonly messages: readonly MadeMessage[];
}

export interface MadeMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** What a question about it would be made of. */
  readonly telling: readonly string[];
}

export const SESSION = 50;
const WORDS = 120_000;
/** Stop words, which no index keeps, stand on the first ranks of any language. */
const FIRST_RANK = 20;
const TOPIC = 60;
const ONSETS = [
  'b',
  'br',
  'c',
  'cl',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'qu',
  'r',
  's',
  'sk',
  'st',
  't',
  'tr',
  'v',
  'w',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'oo'];
const ENDS = ['b', 'd', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 't', 'x', 'nt', 'rk', 'lm'];
const STOP = [
  'the',
  'of',
  'and',
  'to',
  'in',
  'is',
  'that',
  'it',
  'was',
  'for',
  'on',
  'are',
  'with',
  'as',
  'at',
  'be',
  'this',
  'have',
  'from',
  'we',
  'so',
  'if',
];

/** The word on a rank: a name of its own, the commoner the shorter. */
export function spelled(rank: number): string {
  let rest = rank;
  let word = '';
  do {
    word += `${ONSETS[rest % ONSETS.length]}${VOWELS[Math.floor(rest / ONSETS.length) % VOWELS.length]}`;
    rest = Math.floor(rest / (ONSETS.length * VOWELS.length));
  } while (rest > 0);
  return `${word}${ENDS[rank % ENDS.length]}`;
}

type Random = () => number;
const rankOf = (random: Random): number => Math.floor(FIRST_RANK * ((WORDS + FIRST_RANK) / FIRST_RANK) ** random()) - FIRST_RANK;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const capital = (word: string): string => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;

function identifier(random: Random): string {
  const part = (): string => spelled(rankOf(random));
  const kind = random();
  if (kind < 0.35) return `${part()}${capital(part())}`;
  if (kind < 0.6) return `src/${part()}/${part()}.ts`;
  if (kind < 0.8) return `${part()}_${part()}`;
  return `ERR_${part().toUpperCase()}_${Math.floor(random() * 900) + 100}`;
}

/** Half of the words of a session come from its topic, the rest from the language. */
function topicOf(random: Random): readonly string[] {
  return Array.from({ length: TOPIC }, () => (random() < 0.25 ? identifier(random) : spelled(rankOf(random))));
}

function message(random: Random, topic: readonly string[], nth: number): MadeMessage {
  const role = nth % 5 === 0 ? 'user' : 'assistant';
  const length = Math.ceil((role === 'user' ? 12 : 38) * (0.3 + 1.4 * random()));
  const words: string[] = [];
  const telling: string[] = [];
  for (let at = 0; at < length; at++) {
    if (random() < 0.4) words.push(pick(random, STOP));
    const word = random() < 0.35 ? pick(random, topic) : random() < 0.03 ? identifier(random) : spelled(rankOf(random));
    telling.push(word);
    words.push(at % 11 === 10 ? `${word}.` : word);
  }
  return { role, text: `${words.join(' ')}.`, telling };
}

/** The same session in every run, wherever it is asked for. */
export function sessionOf(project: string, nth: number): MadeSession {
  const random = rng(hashed(`${project} ${nth}`));
  const topic = topicOf(random);
  return { id: `${project}-${nth}`, messages: Array.from({ length: SESSION }, (_, at) => message(random, topic, at)) };
}

function hashed(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}

/** A line a message, as `import --format chat` reads it. */
export function* chatLines(project: string, messages: number): Generator<string> {
  for (let nth = 0; nth * SESSION < messages; nth++) {
    const { id, messages: all } = sessionOf(project, nth);
    const started = Date.UTC(2025, 0, 1) + nth * 3_600_000;
    for (const [at, { role, text }] of all.slice(0, messages - nth * SESSION).entries()) {
      const timestamp = new Date(started + at * 30_000).toISOString();
      yield `${JSON.stringify({ project, session_id: id, message_id: `${id}-${at}`, role, timestamp, text })}\n`;
    }
  }
}
