import { analyze } from '../text/analyze.ts';
import { tellsTopic } from './common-words.ts';
import type { ExchangeIndex, Turn } from './port.ts';
import { rankExchanges, type RankedExchange } from './rank-exchanges.ts';
import { quotableSentences } from './sentences.ts';

/** Terms by which an exchange is looked for again: those of its last words. */
const MOST_TERMS = 40;
const LOOKED_AT = 4;
/** Only newer exchanges can change it, so of a word that thousands of exchanges hold, the newest are enough. */
const NEWEST = 1_000;
/** Share of the weight of those terms that a later exchange must hold to be about the same. */
const SAME_MATTER = 0.35;

/** Words that say that something settled is no longer so; what code no longer does is none of that. */
const CHANGE =
  /\b(?:amend(?:ed|ment|s)?|supersed(?:es|ed|ing)|overrul(?:es|ed|ing)|(?:chang(?:e|es|ed|ing)|updat(?:e|es|ed|ing)|revis(?:e|es|ed|ing|ion)|revers(?:e|es|ed|ing)) (?:to |of )?(?:the|our|that|this) (?:\w+ )?(?:rule|policy|decision|agreement|convention)|(?:rule|policy|decision|convention) (?:from|of) last (?:week|month|time)|we (?:changed our minds?|decided otherwise))\b/i;

/** "90 seconds instead of 30": what a choice takes the place of. */
const TAKES_PLACE =
  /\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|no longer(?: uses?)?|(?:chang|switch|mov|rais|lower|bump)(?:e|ed|ing|es)? (?:\w+ ){0,7}from)\s+(?:the |an? |our )?[`"']?([\w@.-]*\w)/gi;

/** Telling words that the sentence must share besides, to be about the same. */
const SHARED = 2;

/** Whether a sentence says that something takes the place of a number or a name that was settled before. */
function replacesValue(later: string, { values, terms }: { readonly values: ReadonlySet<string>; readonly terms: ReadonlySet<string> }): boolean {
  return quotableSentences(later).some(({ text }) => {
    const replaced = [...text.matchAll(TAKES_PLACE)].map(([, value = '']) => value.toLowerCase()).find((value) => values.has(value));
    return replaced !== undefined && analyze(text).filter((term) => term !== replaced && terms.has(term) && tellsTopic(term)).length >= SHARED;
  });
}

/** A number or a name without the marks around it. Cut in code: a pattern that looks for its end takes the square of a long row of marks. */
function valueIn(run: string): string {
  const start = run.search(/[\w@]/);
  let end = run.length;
  while (end > start && !/\w/.test(run.charAt(end - 1))) end -= 1;
  return start < 0 ? '' : run.slice(start, end);
}

const valuesIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => (text.toLowerCase().match(/[\w@.-]+/g) ?? []).map(valueIn)));

/** The newest exchange of a later session that says it changes what this one settled. */
export async function changesOf(
  index: ExchangeIndex,
  { turns, session }: { readonly turns: readonly Turn[]; readonly session: RankedExchange['session'] },
): Promise<(RankedExchange & { readonly turns: readonly Turn[] }) | undefined> {
  if (session.newer === 0) return undefined;
  const last = turns.slice(-2).map(({ text }) => text);
  const terms = [...new Set(analyze(last.join('\n')))].slice(0, MOST_TERMS);
  const { ranked, rarity } = await rankExchanges(index, terms, LOOKED_AT, session.id, NEWEST);
  const weight = terms.reduce((sum, term) => sum + rarity(term), 0);
  const later = ranked
    .filter((one) => one.session.endedAt > session.endedAt && one.evidence.reduce((sum, { term }) => sum + rarity(term), 0) >= SAME_MATTER * weight)
    .toSorted((a, b) => b.session.endedAt - a.session.endedAt);
  if (later.length === 0) return undefined;
  const settled = { values: valuesIn(last), terms: new Set(terms) };
  for (const one of later) {
    const laterTurns = await index.turns(one.first, one.next);
    if (laterTurns.some(({ text }) => CHANGE.test(text) || replacesValue(text, settled))) return { ...one, turns: laterTurns };
  }
  return undefined;
}
