import { once } from '../../core/value.ts';
import { analyze } from '../text/analyze.ts';

/** A record as far as it tells what it is about. */
export interface MatterEntry {
  readonly title: string;
  readonly tags: readonly string[];
  /** What else it says. */
  readonly text?: string;
}

/** Words that say that something changed or how much of it there is, not what it is about. */
const UNTELLING = once(
  () =>
    new Set(
      analyze(
        'now instead longer anymore again still already always never only just use used using keep make put get let need want must may can please one two three four five six seven eight nine ten eleven twelve twenty thirty sixty hundred first last next new old more most less least default',
      ),
    ),
);
const TIMES = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word as one term: `PostgreSQL` is one word here, not three. */
const wordTerm = (word: string): string | undefined => analyze(word).at(-1);

/** A reason says why, and another reason does not make it another thing. */
const REASON = /\s(?:because|since|so that|weil|damit|denn)\s[^]*$/i;
const withoutReason = (text: string): string => text.replace(REASON, '');

/** What a text is about: its terms without numbers and without words that tell nothing. */
function matterTerms(text: string): ReadonlySet<string> {
  const terms = wordsOf(text).flatMap((word) => wordTerm(word) ?? []);
  return new Set(terms.filter((term) => !/^\d+$/.test(term) && !UNTELLING().has(term)));
}

/** Names in a text, by how they are written: `DHL`, `PostgreSQL`, `A6`, or a capital inside a sentence. */
function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const startsSentence = /(?:^|[.!?:;\n]["'”’)]*\s*)["'“‘(]*$/u.test(text.slice(0, index));
    const isOdd = /.\p{Lu}/u.test(word) || (/\p{N}/u.test(word) && /\p{L}/u.test(word));
    const isCapital = /^\p{Lu}\p{L}+/u.test(word) && !startsSentence;
    if ((isOdd || isCapital) && !TIMES.test(word.toLowerCase())) names.add(wordTerm(word) ?? '');
  }
  return names;
}

/** Words by which somebody says that something is not what it was. */
const CHANGE = /\b(?:instead of|no longer|any ?more|from .+ to |mov(?:e|es|ed|ing) |switch|replac|chang|migrat|drop(?:s|ped)? )/i;

/** How strongly the new information must speak of the record, in its title and in all it says. */
const ENOUGH = { title: 0.5, info: 0.4, sum: 1.25, change: 0.95 } as const;
/** Of two records that could be meant, the better must lead by so much; otherwise neither is. */
const LEAD = 0.1;

const BELONGS = /^(?:of|for|from)$/i;
const SPAN = /^(?:second|minute|hour|day|night|week|month|quarter|year)s?$/i;
const ARTICLE = /^(?:a|an|the|our|your|my|its|their|this|that|all|each|every)$/i;

const tellingTerm = (word: string | undefined): readonly string[] => {
  const term = word === undefined ? undefined : wordTerm(word);
  return term === undefined || /^\d+$/.test(term) || UNTELLING().has(term) ? [] : [term];
};

/** The words that narrow a term, as `phone` does in `phone orders`. */
function modifiersOf(words: readonly string[], term: string): readonly string[] {
  return words.flatMap((word, at) => (wordTerm(word) === term ? tellingTerm(words[at - 1]) : []));
}

/** What a term belongs to, as `patients` in `messages for patients`. */
function ownersOf(words: readonly string[], term: string): readonly string[] {
  return words.flatMap((word, at) => {
    if (wordTerm(word) !== term || !BELONGS.test(words[at + 1] ?? '')) return [];
    const owner = words.slice(at + 2).find((next) => !ARTICLE.test(next)) ?? '';
    return SPAN.test(owner) ? [] : tellingTerm(owner);
  });
}

/** Whether another word stands in the new information where the title has this one: `tugs` for `pilots` in `book pilots through Portnet`. */
function isReplaced(term: string, title: readonly string[], info: readonly string[]): boolean {
  const at = title.indexOf(term);
  if (at < 0 || info.includes(term)) return false;
  const [before, after] = [title.slice(0, at).findLast((word) => info.includes(word)), title.slice(at + 1).find((word) => info.includes(word))];
  const start = before === undefined ? 0 : info.indexOf(before) + 1;
  const end = after === undefined ? info.length : info.indexOf(after);
  return (before !== undefined || after !== undefined) && info.slice(start, end).some((word) => !title.includes(word));
}

/** A text as what it is about, with its reason apart: that counts where both have it, and not where one has another. */
interface Matter {
  readonly main: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const matterOf = (text: string): Matter => ({ main: matterTerms(withoutReason(text)), all: matterTerms(text) });

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((one) => b.has(one));

type Weigh = (terms: readonly string[]) => number;

/** How much of a text another one has. */
function coverage({ main, all }: Matter, other: ReadonlySet<string>, weigh: Weigh): number {
  const matched = [...all].filter((term) => other.has(term));
  const missing = [...main].filter((term) => !other.has(term));
  return matched.length === 0 ? 0 : weigh(matched) / weigh([...matched, ...missing]);
}

interface KnownMatter<E> {
  readonly entry: E;
  readonly title: Matter;
  readonly tags: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
  /** Names in title and tags. */
  readonly names: ReadonlySet<string>;
}

function known<E extends MatterEntry>(entry: E): KnownMatter<E> {
  const [title, tags] = [matterOf(entry.title), matterTerms(entry.tags.join(' '))];
  const names = [...namesIn(`${entry.title}. ${entry.text ?? ''}`)].filter((name) => title.all.has(name) || tags.has(name));
  return { entry, title, tags, body: matterTerms(entry.text ?? ''), names: new Set(names) };
}

const everyTerm = ({ title, tags, body }: KnownMatter<unknown>): ReadonlySet<string> => new Set([...title.all, ...tags, ...body]);

/** Whether the new information names another thing than the record: another name, or another subject in like words. */
function isAnother(info: string, { main, all }: Matter, names: ReadonlySet<string>, record: KnownMatter<MatterEntry>): boolean {
  if (names.size > 0 && record.names.size > 0 && !shares(names, record.names) && !shares(all, record.names)) return true;
  // A tag that stands in the title is its subject.
  const subject = new Set([...record.tags].filter((term) => record.title.main.has(term)));
  if (subject.size > 0 && !shares(subject, all)) return true;
  const terms = everyTerm(record);
  const [title, words] = [wordsOf(record.entry.title), wordsOf(info)];
  const differ = (mine: readonly string[], theirs: readonly string[]): boolean =>
    mine.length > 0 && theirs.length > 0 && !mine.some((word) => all.has(word)) && !theirs.some((word) => terms.has(word));
  if ([...main].some((term) => differ(ownersOf(title, term), ownersOf(words, term)))) return true;
  return [...subject].some((term) => {
    const isNarrowed = differ([...modifiersOf(title, term), ...ownersOf(title, term)], [...modifiersOf(words, term), ...ownersOf(words, term)]);
    return isNarrowed || isReplaced(term, [...record.title.main], [...main]);
  });
}

/** A word of every record tells them apart least. */
function weights(records: readonly KnownMatter<unknown>[]): Weigh {
  const frequency = new Map<string, number>();
  for (const record of records) for (const term of everyTerm(record)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return (terms) => terms.reduce((sum, term) => sum + 1 / Math.sqrt(frequency.get(term) ?? 1), 0);
}

/**
 * The one record that new information is about: the same thing said anew, or its change. Another name is another thing (`UPS` is not `DHL`), and so is
 * another subject in like words. In doubt there is none: a second record can be merged later, a record overwritten by mistake is lost to its reader.
 */
export function sameMatter<E extends MatterEntry>(info: string, entries: readonly E[]): { readonly entry: E; readonly score: number } | undefined {
  const [said, names, isChange] = [matterOf(info), namesIn(info), CHANGE.test(info)];
  const records = entries.map(known);
  const weigh = weights(records);
  const found = records.flatMap((record) => {
    if (isAnother(info, said, names, record)) return [];
    const [ofTitle, ofInfo] = [coverage(record.title, said.all, weigh), coverage(said, everyTerm(record), weigh)];
    const needed = isChange && shares(names, record.names) ? ENOUGH.change : ENOUGH.sum;
    const score = Math.round((ofTitle + ofInfo) * 100) / 100;
    return ofTitle >= ENOUGH.title && ofInfo >= ENOUGH.info && score >= needed ? [{ entry: record.entry, score }] : [];
  });
  const [best, second] = found.toSorted((a, b) => b.score - a.score);
  return best && best.score - (second?.score ?? 0) >= LEAD ? best : undefined;
}
