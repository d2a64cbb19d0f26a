import { unitOf } from '../chunks/split-text.ts';
import { type IndexSize, isCut, type Postings } from '../port.ts';
import { MOST_TERMS } from './postings.ts';

/** A term of the question with the chunks that contain it in each index. */
export interface Term {
  readonly term: string;
  readonly postings: readonly Postings[];
  /** Less than 1 for a likely spelling, a speaker's name or a related term. */
  readonly share: number;
  /** It is not in the question, only related to a term of it. */
  readonly isRelated?: boolean;
}

export interface TermWeight extends Term {
  /** Its weight in chunks and in units: the rarer, the higher. */
  readonly weight: number;
  readonly unitWeight: number;
}

/** A term in more than this share of the chunks is left out if two others remain: it takes most of the time and says little. */
const COMMON_SHARE = 0.25;
const FEWEST = 2;

const rarity = (total: number, holding: number): number => Math.log(1 + (total - holding + 0.5) / (holding + 0.5));

/** The terms with their weights: the question's own before related ones, then the rarest first. */
export interface TermWeightList {
  /** Terms that are matched. */
  readonly telling: readonly TermWeight[];
  /** Terms too common to match; they count only in pairs with others. */
  readonly common: readonly TermWeight[];
}

export function weighTerms(terms: readonly Term[], sizes: readonly IndexSize[]): TermWeightList {
  const chunks = sizes.reduce((sum, size) => sum + size.chunks, 0);
  const units = sizes.reduce((sum, size) => sum + size.units, 0);
  const present = terms.map((term) => ({ ...term, holding: term.postings.reduce((sum, { count }) => sum + count, 0) })).filter(({ holding }) => holding > 0);
  present.sort((a, b) => Number(a.isRelated ?? 0) - Number(b.isRelated ?? 0) || a.holding - b.holding);
  const weighted = present.map((term) => {
    const { postings, share, holding } = term;
    const unitWeight = rarity(units, unitsHolding(postings));
    return { ...term, weight: (share * (rarity(chunks, holding) + unitWeight)) / 2, unitWeight: share * unitWeight };
  });
  const rare = weighted.filter(({ holding, postings }) => holding <= chunks * COMMON_SHARE && !postings.some(isCut));
  const telling = (rare.filter(({ isRelated }) => !isRelated).length >= FEWEST ? rare : weighted.slice(0, FEWEST)).slice(0, MOST_TERMS);
  return { telling, common: weighted.filter((term) => !telling.includes(term)) };
}

/** Number of units that contain a term, extrapolated if its postings were cut. */
function unitsHolding(postings: readonly Postings[]): number {
  let total = 0;
  for (const { ids, count, units: known } of postings) {
    if (known !== undefined) {
      total += known;
      continue;
    }
    let units = 0;
    let last = -1;
    for (let at = 0; at < ids.length; at++) {
      const unit = unitOf(ids[at] as number);
      if (unit === last) continue;
      last = unit;
      units++;
    }
    if (ids.length > 0) total += (units * count) / ids.length;
  }
  return total;
}

/** Sums the weights of the terms in a mask, eight terms at a time. */
export class TermWeights {
  readonly #tables: readonly Float64Array[];
  readonly #first: Float64Array;

  constructor(weights: readonly number[]) {
    this.#tables = [0, 8, 16, 24].filter((from) => from === 0 || from < weights.length).map((from) => tableOf(weights.slice(from, from + 8)));
    this.#first = this.#tables[0] as Float64Array;
  }

  sum(mask: number): number {
    let sum = this.#first[mask & 255] as number;
    for (let nth = 1; nth < this.#tables.length; nth++) sum += (this.#tables[nth] as Float64Array)[(mask >>> (8 * nth)) & 255] as number;
    return sum;
  }
}

/** The weight of each mask of up to eight terms. */
function tableOf(weights: readonly number[]): Float64Array {
  const table = new Float64Array(2 ** weights.length);
  for (let mask = 1; mask < table.length; mask++) {
    const lowest = 31 - Math.clz32(mask & -mask);
    table[mask] = (table[mask & (mask - 1)] as number) + (weights[lowest] as number);
  }
  return table;
}
