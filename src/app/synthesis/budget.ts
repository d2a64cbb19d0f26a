import { type Item, isSessionRef, type MasterSection } from './item.ts';

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{N}+|\p{L}{3,}/gu) ?? []);
const ALIKE = 0.7;

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  const all = a.size + b.size - both;
  return all === 0 ? 1 : both / all;
};

const ALL = 0.9;
const FEWEST = 3;

/** What says no more than a part of another. */
const isPart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size >= FEWEST && [...a].filter((word) => b.has(word)).length >= ALL * a.size;

/** What says of which kind a line is, and nothing else. */
const LABEL = /^(?:Last session|Session before) \([^)]*\): |^(?:Tried and given up|Committed|To do|Blocked|Preference|Proposed|Decision): /;

/** The same thing said in two sessions, or in two sections, is one thing; the newest wording stays, a person's and a record's before a session's. */
export function withoutRepeats(items: readonly Item[]): Item[] {
  const rank = ({ ref, section }: Item): number => (ref === '' ? 0 : section === 'status' ? 2 : isSessionRef(ref) ? 3 : 1);
  const kept: { readonly item: Item; readonly words: ReadonlySet<string> }[] = [];
  for (const item of items.toSorted((a, b) => rank(a) - rank(b) || b.at - a.at)) {
    const own = words(item.text.replace(LABEL, ''));
    const isRepeat = kept.some((other) => overlap(own, other.words) >= ALIKE || isPart(own, other.words));
    if (!isRepeat) kept.push({ item, words: own });
  }
  const order = new Map(items.map((item, index) => [item, index]));
  return kept.map(({ item }) => item).toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** What is given up first when a master grows too long: old open ends, then old findings, then what came to be, then decisions. */
const PRICE: Readonly<Record<MasterSection, number>> = { questions: 0, learnings: 1, evolution: 2, decisions: 3, status: 4 };
/** So much each section keeps before another gets more. */
const FLOOR = 5;

/** Least first: beyond the first few of its section, then by section, by what it is worth, by age. */
function cheapestFirst(items: readonly Item[]): Item[] {
  const places = new Map<Item, number>();
  for (const section of Object.keys(PRICE)) {
    const own = items.filter((item) => item.section === section).toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0) || b.at - a.at);
    for (const [place, item] of own.entries()) places.set(item, place);
  }
  const isSpare = (item: Item): number => Number((places.get(item) ?? 0) < FLOOR);
  return items
    .filter(({ ref }) => ref !== '')
    .toSorted((a, b) => isSpare(a) - isSpare(b) || PRICE[a.section] - PRICE[b.section] || (places.get(b) ?? 0) - (places.get(a) ?? 0));
}

/** Leaves out the cheapest and oldest items until the text fits; what a person wrote by hand stays. */
export function fit(
  items: readonly Item[],
  limit: number,
  render: (items: readonly Item[], pruned: number) => string,
): { readonly text: string; readonly pruned: number } {
  const cheapest = cheapestFirst(items);
  let left: ReadonlySet<Item> = new Set();
  let text = render(items, 0);
  while (text.length > limit && left.size < cheapest.length) {
    const share = Math.max(1, Math.floor(((text.length - limit) / text.length) * items.length * 0.5));
    left = new Set(cheapest.slice(0, left.size + share));
    text = render(
      items.filter((item) => !left.has(item)),
      left.size,
    );
  }
  return { text, pruned: left.size };
}
