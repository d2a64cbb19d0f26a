import { irregularBase, stem } from './stem.ts';
import { STOP_WORDS } from './words.ts';

/** Longer runs are hashes, keys and minified code; they are cut so that a stray blob costs one term. */
const LONGEST = 64;
const CACHE_LIMIT = 50_000;

const NO_TERMS: readonly string[] = [];
const DIGIT = 1;
const LOWER = 2;
const UPPER = 4;
const JOINER = 8;
const OTHER = 16;

const KIND = new Uint8Array(128);
for (let code = 48; code < 58; code++) KIND[code] = DIGIT;
for (let code = 65; code < 91; code++) KIND[code] = UPPER;
for (let code = 97; code < 123; code++) KIND[code] = LOWER;
KIND[95] = JOINER;

const kindOf = (code: number): number => (code < 128 ? (KIND[code] as number) : OTHER);

/** A run of letters and digits as written, with its terms. */
export interface WordRun {
  readonly text: string;
  readonly terms: readonly string[];
  /** The last list that it was added to. */
  lastList: WordRun[] | undefined;
}

/** Runs repeat far more often than new ones appear, so each is analysed once. */
let runCache = new Map<string, WordRun>();

/** `text.charCodeAt` is looked up again for every character if texts have different representations in memory. */
const codeAt = String.prototype.charCodeAt;

/**
 * The terms of a text, in order, for indexed texts and questions alike. Stop words are left out, words are stemmed, identifiers give their parts and then
 * the whole, scripts without spaces give pairs of letters. A term has only letters and digits.
 */
export const analyze = (text: string): string[] => analyzeInto(text, undefined);

/** The same; adds each run to the list once. */
export function analyzeInto(text: string, list: WordRun[] | undefined): string[] {
  const terms: string[] = [];
  const end = text.length;
  let at = 0;
  while (at < end) {
    let kinds = kindOf(codeAt.call(text, at));
    if (kinds === 0) {
      at++;
      continue;
    }
    const start = at++;
    while (at < end) {
      const kind = kindOf(codeAt.call(text, at));
      if (kind === 0) break;
      kinds |= kind;
      at++;
    }
    const run = text.slice(start, at);
    let wordRun = runCache.get(run);
    if (wordRun === undefined) wordRun = analyzeRun(run, kinds);
    if (list !== undefined && wordRun.lastList !== list) {
      wordRun.lastList = list;
      list.push(wordRun);
    }
    const own = wordRun.terms;
    for (let i = 0; i < own.length; i++) terms.push(own[i] as string);
  }
  return terms;
}

function analyzeRun(run: string, kinds: number): WordRun {
  const text = detached(run);
  const wordRun: WordRun = { text, terms: kinds & OTHER ? foreignTerms(run) : asciiTerms(run, kinds), lastList: undefined };
  if (run.length > LONGEST) return wordRun;
  if (runCache.size >= CACHE_LIMIT) runCache = new Map();
  runCache.set(text, wordRun);
  return wordRun;
}

/** Copies a slice: a cached slice would keep its whole source text in memory. */
const detached = (run: string): string => ` ${run}`.slice(1);

function asciiTerms(run: string, kinds: number): readonly string[] {
  const lower = run.toLowerCase();
  if (kinds === LOWER || (kinds & ~LOWER) === 0) return wordTerms(lower);
  if (!(kinds & JOINER) && (kinds === UPPER || /^[A-Z]?[a-z]+$/.test(run))) return wordTerms(lower);
  if (kinds === DIGIT) return [lower.slice(0, LONGEST)];
  return identifierTerms(run);
}

const baseOf = (word: string): string => stem(irregularBase(word) ?? word);

function wordTerms(lower: string): readonly string[] {
  if (STOP_WORDS.has(lower)) return NO_TERMS;
  return [baseOf(lower.slice(0, LONGEST))];
}

/** A commit or content hash, which is not split into digits and letters. */
const HASH = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{6,}$/;
const PARTS = /[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** `parseHTTPUrl_v2` is found by parse, http, url, v, 2 and by the whole in any case and with or without underscores. */
function identifierTerms(run: string): readonly string[] {
  const whole = run.replaceAll('_', '').toLowerCase().slice(0, LONGEST);
  if (whole === '' || STOP_WORDS.has(whole)) return NO_TERMS;
  if (HASH.test(run)) return [whole];
  const parts = (run.length > LONGEST ? run.slice(0, LONGEST) : run).match(PARTS) ?? [];
  const terms: string[] = [];
  for (const part of parts) {
    const lower = part.toLowerCase();
    if (!STOP_WORDS.has(lower)) terms.push(baseOf(lower));
  }
  const joined = stem(whole);
  if (!(terms.length === 1 && terms[0] === joined)) terms.push(joined);
  return terms;
}

/** The classes of letters beyond ASCII; compiled on first use, because their tables are large. */
const makeScripts = () => ({
  marks: /\p{Mn}+/gu,
  word: /[\p{L}\p{N}\p{M}_]+/gu,
  withoutSpaces: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu,
  /** In these a mark is not part of the spelling, but an accent to fold away. */
  accented: /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u,
});
let scripts: ReturnType<typeof makeScripts> | undefined;

function foreignTerms(run: string): readonly string[] {
  const terms: string[] = [];
  const known = (scripts ??= makeScripts());
  for (const [word] of run.normalize('NFKC').matchAll(known.word)) {
    let from = 0;
    for (const match of word.matchAll(known.withoutSpaces)) {
      spacedTerms(word.slice(from, match.index), terms, known);
      pairTerms(match[0], terms);
      from = match.index + match[0].length;
    }
    spacedTerms(word.slice(from), terms, known);
  }
  return terms;
}

function spacedTerms(word: string, terms: string[], { accented, marks }: ReturnType<typeof makeScripts>): void {
  if (word === '') return;
  const folded = accented.test(word) ? word.normalize('NFD').replace(marks, '').normalize('NFC') : word;
  const plain = folded.replaceAll('ß', 'ss').replaceAll('æ', 'ae').replaceAll('ø', 'o').replaceAll('ł', 'l');
  if (/^[\x00-\x7f]+$/.test(plain)) terms.push(...asciiTerms(plain, /^[a-z]+$/.test(plain) ? LOWER : UPPER | LOWER | DIGIT | JOINER));
  else {
    const lower = plain.replaceAll('_', '').toLowerCase().slice(0, LONGEST);
    if (lower !== '') terms.push(lower);
  }
}

/** Overlapping pairs of letters; a single letter is its own term. */
function pairTerms(letters: string, terms: string[]): void {
  const chars = [...letters];
  if (chars.length === 1) terms.push(letters);
  for (let at = 0; at + 1 < chars.length; at++) terms.push(`${chars[at]}${chars[at + 1]}`);
}

/** Whether two paths name one file; either may lack its upper folders. */
const isSame = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/** Those of the files that a record is about. */
export const filesAbout = (files: readonly string[], about: readonly string[]): readonly string[] =>
  about.length === 0 ? [] : files.filter((file) => about.some((other) => isSame(file, other)));

const NOT_ASCII = /[^\x00-\x7f]/;
const ANY_LETTERS = /[\p{L}\p{N}\p{M}_]+/gu;

/** The words of a text as typed. An ASCII text avoids the table of all letters, which takes half a millisecond to build. */
export const wordRuns = (text: string): readonly string[] => text.match(NOT_ASCII.test(text) ? ANY_LETTERS : /\w+/g) ?? [];

/** The words of a text that produce the given terms, as typed, each once. */
export function typedWords(text: string, terms: readonly string[]): readonly string[] {
  const typed = new Map<string, string>();
  for (const word of wordRuns(text)) for (const term of analyze(word)) if (!typed.has(term)) typed.set(term, word);
  return [...new Set(terms.map((term) => typed.get(term) ?? term))];
}
