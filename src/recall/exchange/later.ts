import { analyze } from '../text/analyze.ts';
import type { ExchangeIndex, Turn } from './port.ts';
import { rankExchanges, type RankedExchange } from './rank-exchanges.ts';

/** Terms by which an exchange is looked for again: those of its last words. */
const MOST_TERMS = 40;
const LOOKED_AT = 4;
/** What changes it is newer than it: of a word that thousands of exchanges hold, the newest are enough. */
const NEWEST = 1_000;
/** Share of the weight of those terms that a later exchange must hold to be about the same. */
const SAME_MATTER = 0.35;

/** Words that say that something settled is no longer so; what code no longer does is none of that. */
const CHANGE =
  /\b(?:amend(?:ed|ment|s)?|supersed(?:es|ed|ing)|overrul(?:es|ed|ing)|(?:chang(?:e|es|ed|ing)|updat(?:e|es|ed|ing)|revis(?:e|es|ed|ing|ion)|revers(?:e|es|ed|ing)) (?:to |of )?(?:the|our|that|this) (?:\w+ )?(?:rule|policy|decision|agreement|convention)|(?:rule|policy|decision|convention) (?:from|of) last (?:week|month|time)|we (?:changed our minds?|decided otherwise))\b/i;

/** The newest exchange of a later session that says it changes what this one settled. */
export async function changesOf(
  index: ExchangeIndex,
  { turns, session }: { readonly turns: readonly Turn[]; readonly session: RankedExchange['session'] },
): Promise<(RankedExchange & { readonly turns: readonly Turn[] }) | undefined> {
  const last = turns.slice(-2).map(({ text }) => text);
  const terms = [...new Set(analyze(last.join('\n')))].slice(0, MOST_TERMS);
  const { ranked, rarity } = await rankExchanges(index, terms, LOOKED_AT, session.id, NEWEST);
  const weight = terms.reduce((sum, term) => sum + rarity(term), 0);
  const later = ranked
    .filter((one) => one.session.endedAt > session.endedAt && one.evidence.reduce((sum, { term }) => sum + rarity(term), 0) >= SAME_MATTER * weight)
    .toSorted((a, b) => b.session.endedAt - a.session.endedAt);
  for (const one of later) {
    const said = await index.turns(one.first, one.next);
    if (said.some(({ text }) => CHANGE.test(text))) return { ...one, turns: said };
  }
  return undefined;
}
