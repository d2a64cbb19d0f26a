import { once } from '../../core/value.ts';
import { analyze } from '../text/analyze.ts';

/** A record as far as it tells what it is about. */
export interface MatterEntry {
  readonly title: string;
  readonly tags: readonly string[];
  /** The rest of its content. */
  readonly text?: string;
}

/** Words that say that something changed or how much of it there is, not what it is about. */
export const UNTELLING = once(
  () =>
    new Set(
      analyze(
        'now instead longer anymore again still already always never only just use used using keep make put get let need want must may can please one two three four five six seven eight nine ten eleven twelve twenty thirty sixty hundred first last next new old more most less least default',
      ),
    ),
);
const TIMES = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;

export const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word as one term: `PostgreSQL` is one word here, not three. */
export const wordTerm = (word: string): string | undefined => analyze(word).at(-1);

/** A reason says why, and another reason does not make it another thing. */
const REASON = /\s(?:because|since|so that|weil|damit|denn)\s[^]*$/i;
const withoutReason = (text: string): string => text.replace(REASON, '');

/** The subject of a text: its terms without numbers and without words that tell nothing. */
export function matterTerms(text: string): ReadonlySet<string> {
  const terms = wordsOf(text).flatMap((word) => wordTerm(word) ?? []);
  return new Set(terms.filter((term) => !/^\d+$/.test(term) && !UNTELLING().has(term)));
}

/** So far before a word the end of a sentence is looked for: a record may be long, and every word in it is asked. */
const BEFORE = 40;
const STARTS_TEXT = /^["'“‘(]*$/u;
const FOLLOWS_END = /[.!?:;\n]["'”’)]*\s*["'“‘(]*$/u;

function startsSentence(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - BEFORE), index);
  return FOLLOWS_END.test(before) || (index <= BEFORE && STARTS_TEXT.test(before));
}

/** Names in a text, by how they are written: `DHL`, `PostgreSQL`, `A6`, or a capital inside a sentence. */
export function namedThings(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const isOdd = /.\p{Lu}/u.test(word) || (/\p{N}/u.test(word) && /\p{L}/u.test(word));
    const isCapital = /^\p{Lu}/u.test(word) && word !== 'I' && !startsSentence(text, index);
    if ((isOdd || isCapital) && !TIMES.test(word.toLowerCase())) names.add(wordTerm(word) ?? word.toLowerCase());
  }
  return names;
}

/** Numbers of two digits or more; smaller ones are everywhere. */
export const numbersIn = (text: string): readonly string[] => text.match(/(?<![\p{L}\p{N}])\d{2,}(?![\p{L}\p{N}])/gu) ?? [];

/** Words that are exchanged when the same thing is said anew or changes: what is done in general, and how things compare. */
export const EXCHANGEABLE = once(
  () =>
    new Set(
      analyze(
        'go come send take run give hold stay do have ask answer call fetch serve work happen exist contain carry handle support allow accept refuse reject forbid limit require mean try retry fail miss lack trust rely charge cost choose pick raise lower renew move switch replace change migrate drop expect become cannot available possible fine enough whole full complete entire single back between within without above below larger bigger smaller longer shorter greater beside every each once twice mostly usually often nowadays soon',
      ),
    ),
);
/** Amounts and times: values of a rule, not what it is about. */
export const UNITS = once(
  () =>
    new Set(
      analyze(
        'second minute hour day night week month quarter year percent euro dollar kg gram kb mb gb tb ms zero minus metre monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december',
      ),
    ),
);

/** A text as what it is about, with its reason apart: that counts where both have it, and not where one has another. */
export interface Matter {
  readonly main: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

export const matterOf = (text: string): Matter => ({ main: matterTerms(withoutReason(text)), all: matterTerms(text) });

export const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((one) => b.has(one));

export interface KnownMatter<E> {
  readonly entry: E;
  readonly title: Matter;
  readonly tags: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
  /** What only its text says: words that tell something, and numbers. */
  readonly further: ReadonlySet<string>;
  /** Names in title and tags. */
  readonly names: ReadonlySet<string>;
}

export function known<E extends MatterEntry>(entry: E): KnownMatter<E> {
  const [title, tags] = [matterOf(entry.title), matterTerms(entry.tags.join(' '))];
  const names = [...namedThings(`${entry.title}. ${entry.text ?? ''}`)].filter((name) => title.all.has(name) || tags.has(name));
  const body = matterTerms(entry.text ?? '');
  const further = [...body, ...numbersIn(entry.text ?? '')].filter((term) => !title.all.has(term) && !EXCHANGEABLE().has(term) && !UNITS().has(term));
  return { entry, title, tags, body, further: new Set(further), names: new Set(names) };
}

export const everyTerm = ({ title, tags, body }: KnownMatter<unknown>): ReadonlySet<string> => new Set([...title.all, ...tags, ...body]);
