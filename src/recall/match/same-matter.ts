import { CHANGE, isAnother } from './another-matter.ts';
import { everyTerm, knownMatter, type KnownMatter, type Matter, type MatterEntry, matterOf, namedThings, shares } from './matter.ts';

/** The least coverage of the title by the new information, of the new information by the record, and of both together. */
const ENOUGH = { title: 0.5, info: 0.4, sum: 1.25, change: 0.95 } as const;
/** The lead that the best record needs over the second; otherwise neither matches. */
const LEAD = 0.1;

type Weigh = (terms: readonly string[]) => number;

/** The share of a text's weight that another text contains. */
function coverage({ main, all }: Matter, other: ReadonlySet<string>, weigh: Weigh): number {
  const matched = [...all].filter((term) => other.has(term));
  const missing = [...main].filter((term) => !other.has(term));
  return matched.length === 0 ? 0 : weigh(matched) / weigh([...matched, ...missing]);
}

/** Weighs terms by their rarity: a word of every record distinguishes them least. */
function weights(records: readonly KnownMatter<unknown>[]): Weigh {
  const frequency = new Map<string, number>();
  for (const record of records) for (const term of everyTerm(record)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return (terms) => terms.reduce((sum, term) => sum + 1 / Math.sqrt(frequency.get(term) ?? 1), 0);
}

/**
 * The one record that new information repeats or changes. A different name (`UPS`, not `DHL`) or a different subject in similar words is no match. In doubt
 * the answer is undefined: a second record can be merged later, but one overwritten by mistake is lost.
 */
export function sameMatter<E extends MatterEntry>(info: string, entries: readonly E[]): { readonly entry: E; readonly score: number } | undefined {
  const [matter, names, isChange] = [matterOf(info), namedThings(info), CHANGE.test(info)];
  const records = entries.map(knownMatter);
  const weigh = weights(records);
  const matches = records.flatMap((record) => {
    if (isAnother(info, matter, names, record)) return [];
    const [ofTitle, ofInfo] = [coverage(record.title, matter.all, weigh), coverage(matter, everyTerm(record), weigh)];
    const needed = isChange && shares(names, record.names) ? ENOUGH.change : ENOUGH.sum;
    const score = Math.round((ofTitle + ofInfo) * 100) / 100;
    return ofTitle >= ENOUGH.title && ofInfo >= ENOUGH.info && score >= needed ? [{ entry: record.entry, score }] : [];
  });
  const [best, second] = matches.toSorted((a, b) => b.score - a.score);
  return best && best.score - (second?.score ?? 0) >= LEAD ? best : undefined;
}
