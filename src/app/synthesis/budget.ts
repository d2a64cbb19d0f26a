import { stem } from '../../recall/text/stem.ts';
import { STOP_WORDS } from '../../recall/text/words.ts';
import { type Item, isSessionRef, type MasterSection } from './item.ts';

const REPEAT_SHARE = 0.7;

/** The stemmed words of a statement, without stop words. */
export const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,}|\p{N}+/gu) ?? [])
      .filter((word) => !STOP_WORDS.has(word))
      .map((word) => (/^[a-z]+$/.test(word) ? stem(word) : word)),
  );

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  const all = a.size + b.size - both;
  return all === 0 ? 1 : both / all;
};

const PART_SHARE = 0.9;
const FEWEST_WORDS = 3;

/** Whether a statement is contained in another. */
const isPart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size >= FEWEST_WORDS && [...a].filter((word) => b.has(word)).length >= PART_SHARE * a.size;

const SAME_FACT_SHARE = 0.7;
const FEWEST_FACT_WORDS = 8;

/** Whether two texts state the same fact in other words: the longer contains most words of the shorter. */
const isSameFact = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const [short, long] = a.size < b.size ? [a, b] : [b, a];
  return short.size >= FEWEST_FACT_WORDS && [...short].filter((word) => long.has(word)).length >= SAME_FACT_SHARE * short.size;
};

/** Prefixes that only name the kind of a line. */
const LABEL =
  /^(?:Last session|Session before) \([^)]*\): |^(?:Tried and given up|Committed|To do|Blocked|Preference|Proposed|Decision): |(?<=→ )(?:settled on|tried) /g;

export const isReplacement = ({ section, text }: Item): boolean => section === 'evolution' && text.includes(' → ');

/** Removes repeated statements. Prefers text by a person, then a record's, then a session's; then the newest. */
export function withoutRepeats(items: readonly Item[]): Item[] {
  // Prefer the line on the last session over a replacement found in a commit.
  const rank = ({ ref, section }: Item): number => (ref === '' ? 0 : section === 'status' ? 2 : isSessionRef(ref) || section === 'evolution' ? 3 : 1);
  const remaining: { readonly item: Item; readonly words: ReadonlySet<string> }[] = [];
  for (const item of items.toSorted((a, b) => rank(a) - rank(b) || b.at - a.at)) {
    const own = wordsIn(item.text.replaceAll(LABEL, ''));
    // A statement of a replacement is more specific than a finding that names both things.
    const isPartOf = (other: (typeof remaining)[number]): boolean => isPart(own, other.words) && !(isReplacement(item) && other.item.section === 'learnings');
    const isRepeat = remaining.some((other) => overlap(own, other.words) >= REPEAT_SHARE || isPartOf(other) || isSameFact(own, other.words));
    if (!isRepeat) remaining.push({ item, words: own });
  }
  const order = new Map(items.map((item, index) => [item, index]));
  return remaining.map(({ item }) => item).toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

const STEP_SHARE = 0.5;

/** Whether two subjects are steps of one change: they share at least half of what the shorter says. */
export function isStepOf(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const both = [...a].filter((word) => b.has(word)).length;
  return both >= FEWEST_WORDS && both >= STEP_SHARE * Math.min(a.size, b.size);
}

/** Keeps one item of each change that took several steps: the first in the given order. */
export function withoutSteps(items: readonly Item[]): Item[] {
  const remaining: { readonly item: Item; readonly words: ReadonlySet<string> }[] = [];
  for (const item of items) {
    const own = wordsIn(item.text.replaceAll(LABEL, ''));
    if (!remaining.some((other) => isStepOf(own, other.words))) remaining.push({ item, words: own });
  }
  return remaining.map(({ item }) => item);
}

/** Sections with lower numbers lose items first when the master is too long. */
const SECTION_PRIORITY: Readonly<Record<MasterSection, number>> = { questions: 0, learnings: 1, evolution: 2, decisions: 3, status: 4 };
/** Best items of each section that are omitted last. */
const PROTECTED_ITEMS = 5;

/** Sorts the items to omit: unprotected ones first, then by section, worth and age. */
function leastValuableFirst(items: readonly Item[]): Item[] {
  const places = new Map<Item, number>();
  for (const section of Object.keys(SECTION_PRIORITY)) {
    const own = items.filter((item) => item.section === section).toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0) || b.at - a.at);
    for (const [place, item] of own.entries()) places.set(item, place);
  }
  const isProtected = (item: Item): number => Number((places.get(item) ?? 0) < PROTECTED_ITEMS);
  return items
    .filter(({ ref }) => ref !== '')
    .toSorted(
      (a, b) => isProtected(a) - isProtected(b) || SECTION_PRIORITY[a.section] - SECTION_PRIORITY[b.section] || (places.get(b) ?? 0) - (places.get(a) ?? 0),
    );
}

/** Omits the least valuable items until the text fits; text that a person wrote stays. */
export function fitToLimit(
  items: readonly Item[],
  limit: number,
  render: (items: readonly Item[], pruned: number) => string,
): { readonly text: string; readonly pruned: number } {
  const leastValuable = leastValuableFirst(items);
  let omitted: ReadonlySet<Item> = new Set();
  let text = render(items, 0);
  while (text.length > limit && omitted.size < leastValuable.length) {
    const share = Math.max(1, Math.floor(((text.length - limit) / text.length) * items.length * 0.5));
    omitted = new Set(leastValuable.slice(0, omitted.size + share));
    text = render(
      items.filter((item) => !omitted.has(item)),
      omitted.size,
    );
  }
  return { text, pruned: omitted.size };
}
