import { once } from '../../core/value.ts';
import { analyze } from '../text/analyze.ts';

/** The parts of a record that show its subject. */
export interface MatterEntry {
  readonly title: string;
  readonly tags: readonly string[];
  /** The rest of its content. */
  readonly text?: string;
}

/** Words for changes and amounts, which do not name a subject. */
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

/** A clause that gives a reason. Records with different reasons may have the same subject. */
const REASON = /\s(?:because|since|so that|weil|damit|denn)\s[^]*$/i;
const withoutReason = (text: string): string => text.replace(REASON, '');

/** The subject of a text: its terms without numbers and without the words in `UNTELLING`. */
export function matterTerms(text: string): ReadonlySet<string> {
  const terms = wordsOf(text).flatMap((word) => wordTerm(word) ?? []);
  return new Set(terms.filter((term) => !/^\d+$/.test(term) && !UNTELLING().has(term)));
}

/** Characters before a word that are searched for the end of a sentence: a record may be long, and each of its words is checked. */
const BEFORE = 40;
const STARTS_TEXT = /^["'“‘(]*$/u;
const FOLLOWS_END = /[.!?:;\n]["'”’)]*\s*["'“‘(]*$/u;

function startsSentence(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - BEFORE), index);
  return FOLLOWS_END.test(before) || (index <= BEFORE && STARTS_TEXT.test(before));
}

/** Names in a text, recognised by their spelling: `DHL`, `PostgreSQL`, `A6`, or a capital inside a sentence. */
export function namedThings(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const isOdd = /.\p{Lu}/u.test(word) || (/\p{N}/u.test(word) && /\p{L}/u.test(word));
    const isCapital = /^\p{Lu}/u.test(word) && word !== 'I' && !startsSentence(text, index);
    if ((isOdd || isCapital) && !TIMES.test(word.toLowerCase())) names.add(wordTerm(word) ?? word.toLowerCase());
  }
  return names;
}

/** Numbers of two digits or more; smaller ones are too common. */
export const numbersIn = (text: string): readonly string[] => text.match(/(?<![\p{L}\p{N}])\d{2,}(?![\p{L}\p{N}])/gu) ?? [];

/** General verbs and comparisons, which may differ when the same fact is rephrased or changed. */
export const EXCHANGEABLE = once(
  () =>
    new Set(
      analyze(
        'go come send take run give hold stay do have ask answer call fetch serve work happen exist contain carry handle support allow accept refuse reject forbid limit require mean try retry fail miss lack trust rely charge cost choose pick raise lower renew move switch replace change migrate drop expect become cannot available possible fine enough whole full complete entire single back between within without above below larger bigger smaller longer shorter greater beside every each once twice mostly usually often nowadays soon',
      ),
    ),
);
/** Units of amounts and times, which are the values of a rule, not its subject. */
export const UNITS = once(
  () =>
    new Set(
      analyze(
        'second minute hour day night week month quarter year percent euro dollar kg gram kb mb gb tb ms zero minus metre monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december',
      ),
    ),
);

/** The subject of a text: `main` without the reason, `all` with it. A shared reason counts as a match, a different reason not as a difference. */
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
  /** Terms and numbers that only its text has. */
  readonly further: ReadonlySet<string>;
  /** Names in title and tags. */
  readonly names: ReadonlySet<string>;
}

export function knownMatter<E extends MatterEntry>(entry: E): KnownMatter<E> {
  const [title, tags] = [matterOf(entry.title), matterTerms(entry.tags.join(' '))];
  const names = [...namedThings(`${entry.title}. ${entry.text ?? ''}`)].filter((name) => title.all.has(name) || tags.has(name));
  const body = matterTerms(entry.text ?? '');
  const further = [...body, ...numbersIn(entry.text ?? '')].filter((term) => !title.all.has(term) && !EXCHANGEABLE().has(term) && !UNITS().has(term));
  return { entry, title, tags, body, further: new Set(further), names: new Set(names) };
}

export const everyTerm = ({ title, tags, body }: KnownMatter<unknown>): ReadonlySet<string> => new Set([...title.all, ...tags, ...body]);
