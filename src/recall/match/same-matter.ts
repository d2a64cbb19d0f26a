import { CHANGE, isAnother } from './another-matter.ts';
import { everyTerm, known, type KnownMatter, type Matter, type MatterEntry, matterOf, namedThings, shares } from './matter.ts';

/** How strongly the new information must speak of the record, in its title and in all it says. */
const ENOUGH = { title: 0.5, info: 0.4, sum: 1.25, change: 0.95 } as const;
/** Of two records that could be meant, the better must lead by so much; otherwise neither is. */
const LEAD = 0.1;

type Weigh = (terms: readonly string[]) => number;

/** How much of a text another one has. */
function coverage({ main, all }: Matter, other: ReadonlySet<string>, weigh: Weigh): number {
  const matched = [...all].filter((term) => other.has(term));
  const missing = [...main].filter((term) => !other.has(term));
  return matched.length === 0 ? 0 : weigh(matched) / weigh([...matched, ...missing]);
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
  const [matter, names, isChange] = [matterOf(info), namedThings(info), CHANGE.test(info)];
  const records = entries.map(known);
  const weigh = weights(records);
  const found = records.flatMap((record) => {
    if (isAnother(info, matter, names, record)) return [];
    const [ofTitle, ofInfo] = [coverage(record.title, matter.all, weigh), coverage(matter, everyTerm(record), weigh)];
    const needed = isChange && shares(names, record.names) ? ENOUGH.change : ENOUGH.sum;
    const score = Math.round((ofTitle + ofInfo) * 100) / 100;
    return ofTitle >= ENOUGH.title && ofInfo >= ENOUGH.info && score >= needed ? [{ entry: record.entry, score }] : [];
  });
  const [best, second] = found.toSorted((a, b) => b.score - a.score);
  return best && best.score - (second?.score ?? 0) >= LEAD ? best : undefined;
}
