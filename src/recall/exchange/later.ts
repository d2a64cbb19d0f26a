import { analyze } from '../text/analyze.ts';
import { tellsTopic } from './common-words.ts';
import type { ExchangeIndex, Turn } from './port.ts';
import { rankExchanges, type RankedExchange } from './rank-exchanges.ts';
import { quotableSentences } from './sentences.ts';

/** The most terms of an exchange's last two messages that are searched for. */
const MOST_TERMS = 40;
const LOOKED_AT = 4;
/** Only newer exchanges can change a decision, so the newest matches of a common word are enough. */
const NEWEST = 1_000;
/** Share of the weight of those terms that a later exchange on the same topic must contain. */
const SAME_MATTER = 0.35;

/** Phrases that announce a changed rule or decision; a change in what code does is not meant. */
const CHANGE =
  /\b(?:amend(?:ed|ment|s)?|supersed(?:es|ed|ing)|overrul(?:es|ed|ing)|(?:chang(?:e|es|ed|ing)|updat(?:e|es|ed|ing)|revis(?:e|es|ed|ing|ion)|revers(?:e|es|ed|ing)) (?:to |of )?(?:the|our|that|this) (?:\w+ )?(?:rule|policy|decision|agreement|convention)|(?:rule|policy|decision|convention) (?:from|of) last (?:week|month|time)|we (?:changed our minds?|decided otherwise))\b/i;

/** "90 seconds instead of 30": captures the replaced value. */
const TAKES_PLACE =
  /\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|no longer(?: uses?)?|(?:chang|switch|mov|rais|lower|bump)(?:e|ed|ing|es)? (?:\w+ ){0,7}from)\s+(?:the |an? |our )?[`"']?([\w@.-]*\w)/gi;

/** Topic words besides the value that the sentence must share. */
const SHARED_TERMS = 2;

/** Whether a sentence replaces a number or name that was settled before. */
function replacesValue(later: string, { values, terms }: { readonly values: ReadonlySet<string>; readonly terms: ReadonlySet<string> }): boolean {
  return quotableSentences(later).some(({ text }) => {
    const replaced = [...text.matchAll(TAKES_PLACE)].map(([, value = '']) => value.toLowerCase()).find((value) => values.has(value));
    return replaced !== undefined && analyze(text).filter((term) => term !== replaced && terms.has(term) && tellsTopic(term)).length >= SHARED_TERMS;
  });
}

/** A number or a name without the punctuation around it. Cut in a loop: a pattern anchored at the end takes quadratic time on a long row of marks. */
function valueIn(run: string): string {
  const start = run.search(/[\w@]/);
  let end = run.length;
  while (end > start && !/\w/.test(run.charAt(end - 1))) end -= 1;
  return start < 0 ? '' : run.slice(start, end);
}

const valuesIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => (text.toLowerCase().match(/[\w@.-]+/g) ?? []).map(valueIn)));

/** The newest exchange of a later session that changes what this exchange settled. */
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
  const settledByTurns = { values: valuesIn(last), terms: new Set(terms) };
  for (const one of later) {
    const laterTurns = await index.turns(one.first, one.next);
    if (laterTurns.some(({ text }) => CHANGE.test(text) || replacesValue(text, settledByTurns))) return { ...one, turns: laterTurns };
  }
  return undefined;
}
