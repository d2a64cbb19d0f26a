import { analyze } from '../text/analyze.ts';
import { KIND_NUMBER, kindNumberOf } from '../chunks/split-text.ts';
import type { Question } from '../query/parse.ts';
import type { IndexSize, RecallIndex, UnitRow } from '../port.ts';
import type { Matches, Stretch } from './postings.ts';
import { UNIT_BM25 } from './weights.ts';

/** What a unit has of the question word for word. */
export interface PhraseMatch {
  /** Words of the question that follow each other in it too, by how few of the units have them. */
  readonly followed: number;
  /** Names in the question that are written in it, by how few of the units have them. */
  readonly named: number;
}

export const NO_PHRASE_MATCH: PhraseMatch = { followed: 0, named: 0 };

/** Terms that follow each other, as places among those looked for. */
interface Run {
  readonly places: readonly number[];
  readonly mask: number;
  readonly isName: boolean;
}

const { code: CODE, said: SAID } = KIND_NUMBER;
/** Reading the order of terms costs most here, so each unit has a share of so many chunks: those that may hold most. */
const MOST_READ = 150;
const FEWEST_READ = 2;

/** The question's neighbouring words and its names of which all terms are looked for. */
function runsOf({ sequence, names }: Pick<Question, 'sequence' | 'names'>, terms: readonly string[]): readonly Run[] {
  const placeOf = new Map(terms.map((term, place) => [term, place]));
  const runs = new Map<string, Run>();
  const add = (words: readonly string[], isName: boolean): void => {
    const places = words.map((word) => placeOf.get(word) ?? -1);
    if (places.includes(-1) || (!isName && places[0] === places[1])) return;
    runs.set(`${isName} ${places.join(' ')}`, { places, mask: places.reduce((mask, place) => mask | (1 << place), 0), isName });
  };
  for (let at = 0; at + 1 < sequence.length; at++) add(sequence.slice(at, at + 2), false);
  for (const name of names) add(name, true);
  return [...runs.values()];
}

/** What each unit of agents at work has word for word; talk is worded anew by everyone who asks about it. */
export async function wordings(
  index: RecallIndex,
  question: Pick<Question, 'sequence' | 'names'>,
  terms: readonly string[],
  { ids, masks }: Matches,
  units: readonly { readonly row: UnitRow; readonly stretch: Stretch }[],
  size: IndexSize,
): Promise<ReadonlyMap<number, PhraseMatch>> {
  const runs = runsOf(question, terms);
  const worked = units.filter(({ row, stretch }) => row.type === 'session' && kindNumberOf(ids[stretch.from] as number) !== SAID);
  if (runs.length === 0 || worked.length === 0) return new Map();
  const counts = worked.map(() => new Float64Array(runs.length));
  const longer = runs.filter(({ places }) => places.length > 1).map(({ mask }) => mask);
  const each = Math.max(FEWEST_READ, Math.floor(MOST_READ / worked.length));
  const read = worked.flatMap(({ stretch }, unit) => {
    const likely: { readonly id: number; readonly unit: number; readonly may: number }[] = [];
    let anywhere = 0;
    for (let at = stretch.from; at < stretch.to; at++) {
      const [id, held] = [ids[at] as number, masks[at] as number];
      if (kindNumberOf(id) === CODE) continue;
      anywhere |= held;
      const may = isOne(held) ? 0 : heldOf(longer, held);
      if (may > 0) likely.push({ id, unit, may });
    }
    for (const [nth, { places, mask }] of runs.entries()) if (places.length === 1 && (anywhere & mask) !== 0) (counts[unit] as Float64Array)[nth] = 1;
    return likely.length <= each ? likely : likely.toSorted((a, b) => b.may - a.may).slice(0, each);
  });
  const orders = await ordersOf(
    index,
    read.map(({ id }) => id),
    terms,
  );
  for (const [nth, { unit }] of read.entries()) countIn(orders[nth] ?? [], runs, counts[unit] as Float64Array);
  return weighed(worked, runs, counts, size);
}

/** From the index where it keeps the order of terms, from the text elsewhere. */
async function ordersOf(index: RecallIndex, ids: readonly number[], terms: readonly string[]): Promise<readonly ArrayLike<number>[]> {
  if (index.orders) return index.orders(ids, terms);
  const placeOf = new Map(terms.map((term, place) => [term, place]));
  const chunks = new Map((await index.chunks(ids)).map((chunk) => [chunk.id, chunk]));
  return ids.map((id) => {
    const chunk = chunks.get(id);
    return (chunk?.terms ?? analyze(chunk?.text ?? '')).map((term) => placeOf.get(term) ?? -1);
  });
}

/** Most chunks hold one term only, and nothing follows it there. */
const isOne = (mask: number): boolean => (mask & (mask - 1)) === 0;

/** How many of the masks lie in one. */
function heldOf(masks: readonly number[], held: number): number {
  let count = 0;
  for (const mask of masks) if ((held & mask) === mask) count++;
  return count;
}

function countIn(order: ArrayLike<number>, runs: readonly Run[], counts: Float64Array): void {
  for (let at = 0; at + 1 < order.length; at++) {
    if ((order[at] as number) < 0 || (order[at + 1] as number) < 0) continue;
    for (let nth = 0; nth < runs.length; nth++) {
      const { places } = runs[nth] as Run;
      if (order[at] !== places[0] || order[at + 1] !== places[1]) continue;
      if (places.every((place, step) => order[at + step] === place)) counts[nth] = (counts[nth] as number) + 1;
    }
  }
}

function weighed(
  units: readonly { readonly row: UnitRow }[],
  runs: readonly Run[],
  counts: readonly Float64Array[],
  size: IndexSize,
): ReadonlyMap<number, PhraseMatch> {
  const rarity = runs.map((_, nth) => {
    const holding = counts.filter((count) => (count[nth] as number) > 0).length;
    return Math.log(1 + (units.length - holding + 0.5) / (holding + 0.5));
  });
  const { k1, b } = UNIT_BM25;
  const found = new Map<number, PhraseMatch>();
  for (const [unit, { row }] of units.entries()) {
    const norm = k1 * (1 - b + (b * row.size * size.units) / Math.max(1, size.terms));
    let [followed, named] = [0, 0];
    for (const [nth, { isName }] of runs.entries()) {
      const count = counts[unit]?.[nth] ?? 0;
      if (count === 0) continue;
      if (isName) named += rarity[nth] as number;
      else followed += ((rarity[nth] as number) * count * (k1 + 1)) / (count + norm);
    }
    found.set(row.unit, { followed, named });
  }
  return found;
}
