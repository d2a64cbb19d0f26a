import {
  EXCHANGEABLE,
  everyTerm,
  type KnownMatter,
  type Matter,
  type MatterEntry,
  matterTerms,
  numbersIn,
  shares,
  UNITS,
  UNTELLING,
  wordsOf,
  wordTerm,
} from './matter.ts';

/** Words that announce a change. */
export const CHANGE = /\b(?:instead of|no longer|no more|any ?more|from .+ to |mov(?:e|es|ed|ing) |switch(?:es|ed)? |replac|chang|migrat|drop(?:s|ped)? )/i;

const BELONGS = /^(?:of|for|from)$/i;
const SPAN = /^(?:second|minute|hour|day|night|week|month|quarter|year)s?$/i;
const ARTICLE = /^(?:a|an|the|our|your|my|its|their|this|that|all|each|every)$/i;

const tellingTerm = (word: string | undefined): readonly string[] => {
  const term = word === undefined ? undefined : wordTerm(word);
  return term === undefined || /^\d+$/.test(term) || UNTELLING().has(term) ? [] : [term];
};

/** The words before a term that narrow it, such as `phone` in `phone orders`. */
function modifiersOf(words: readonly string[], term: string): readonly string[] {
  return words.flatMap((word, at) => (wordTerm(word) === term ? tellingTerm(words[at - 1]) : []));
}

/** The term that another belongs to, such as `patients` in `messages for patients`. */
function ownersOf(words: readonly string[], term: string): readonly string[] {
  return words.flatMap((word, at) => {
    if (wordTerm(word) !== term || !BELONGS.test(words[at + 1] ?? '')) return [];
    const owner = words.slice(at + 2).find((next) => !ARTICLE.test(next)) ?? '';
    return SPAN.test(owner) ? [] : tellingTerm(owner);
  });
}

/** Whether the new information has another word in the place of this word of the title: `tugs` for `pilots` in `book pilots through Portnet`. */
function isReplaced(term: string, title: readonly string[], info: readonly string[]): boolean {
  const at = title.indexOf(term);
  if (at < 0 || info.includes(term)) return false;
  const [before, after] = [title.slice(0, at).findLast((word) => info.includes(word)), title.slice(at + 1).find((word) => info.includes(word))];
  const start = before === undefined ? 0 : info.indexOf(before) + 1;
  const end = after === undefined ? info.length : info.indexOf(after);
  return (before !== undefined || after !== undefined) && info.slice(start, end).some((word) => !title.includes(word));
}

/** Whether the terms contain a word, perhaps in a form with another stem: `ad(ding)` and `add`, `emb(eds)` and `embed`. */
const hasForm = (terms: ReadonlySet<string>, term: string): boolean =>
  [term, `${term}${term.at(-1)}`, `${term}ed`, term.replace(/(.)\1$/, '$1'), term.replace(/ed$/, '')].some((form) => terms.has(form));

/** The nearest shared terms before and after a term. */
function neighboursOf(term: string, list: readonly string[], shared: ReadonlySet<string>): readonly string[] {
  const at = list.indexOf(term);
  return [list.slice(0, at).findLast((one) => shared.has(one)), list.slice(at + 1).find((one) => shared.has(one))].flatMap((one) => one ?? []);
}

/** Whether the new information replaces a word of the record's title by another: `staff files` for `patient files`. */
function isSubstituted(info: string, { main, all }: Matter, names: ReadonlySet<string>, record: KnownMatter<MatterEntry>): boolean {
  const terms = everyTerm(record);
  const hasUnit = shares(UNITS(), all);
  const telling = (list: ReadonlySet<string>): readonly string[] => [...list].filter((term) => !EXCHANGEABLE().has(term) && !(hasUnit && UNITS().has(term)));
  const [title, infoTerms] = [telling(record.title.main), telling(main)];
  const [missing, foreign] = [title.filter((term) => !hasForm(all, term)), infoTerms.filter((term) => !hasForm(terms, term))];
  const shared = new Set([...title.filter((term) => hasForm(all, term)), ...infoTerms.filter((term) => hasForm(terms, term))]);
  const places = new Set(missing.flatMap((term) => neighboursOf(term, title, shared)));
  if (!foreign.some((term) => neighboursOf(term, infoTerms, shared).some((one) => places.has(one)))) return false;
  if (missing[0] === title[0] && foreign[0] === infoTerms[0]) return true;
  const old = info.split(CHANGE).slice(1).join(' ');
  if (old !== '' && (shares(names, record.names) || shares(matterTerms(old), record.title.main))) return foreign.some((term) => !names.has(term));
  return [...all, ...numbersIn(info)].filter((term) => record.further.has(term)).length < missing.length;
}

/** Whether the new information names another thing than the record: another name, or another subject in like words. */
export function isAnother(info: string, { main, all }: Matter, names: ReadonlySet<string>, record: KnownMatter<MatterEntry>): boolean {
  if (names.size > 0 && record.names.size > 0 && !shares(names, record.names) && !shares(all, record.names)) return true;
  // A tag that is in the title is its subject.
  const subject = new Set([...record.tags].filter((term) => record.title.main.has(term)));
  if (subject.size > 0 && !shares(subject, all)) return true;
  const terms = everyTerm(record);
  const [title, words] = [wordsOf(record.entry.title), wordsOf(info)];
  const differ = (mine: readonly string[], theirs: readonly string[]): boolean =>
    mine.length > 0 && theirs.length > 0 && !mine.some((word) => all.has(word)) && !theirs.some((word) => terms.has(word));
  if ([...main].some((term) => differ(ownersOf(title, term), ownersOf(words, term)))) return true;
  if (isSubstituted(info, { main, all }, names, record)) return true;
  return [...subject].some((term) => {
    const isNarrowed = differ([...modifiersOf(title, term), ...ownersOf(title, term)], [...modifiersOf(words, term), ...ownersOf(words, term)]);
    return isNarrowed || isReplaced(term, [...record.title.main], [...main]);
  });
}
