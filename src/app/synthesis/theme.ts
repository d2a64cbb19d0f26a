import { type Item, isSessionRef, type MasterSection } from './item.ts';

const EMPTY = new Set([
  'untagged',
  'session',
  'src',
  'lib',
  'app',
  'test',
  'tests',
  'docs',
  'index',
  'main',
  'shared',
  'common',
  'packages',
  'components',
  'types',
  'general',
]);
const GENERAL = 'General';
const MOST = 8;

const wordOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
const isTopic = (word: string): boolean => word.length > 2 && !EMPTY.has(word) && !/^\d+$/.test(word);

/** What an item might be about: its tags, the folders of its files, and those of both that its text names come first. */
export function topicsOf(text: string, tags: readonly string[], files: readonly string[]): string[] {
  const folders = files.flatMap((file) => file.split('/').slice(0, -1));
  const stems = files.map((file) => (file.split('/').at(-1) ?? '').replace(/\.[\w.]+$/, ''));
  // What is done is no subject, unless a file is called so.
  const subjects = tags.filter((tag) => !tag.endsWith('ing'));
  const words = [...new Set([...stems, ...folders, ...subjects].map(wordOf).filter(isTopic))];
  const said = wordOf(text);
  return [...words.filter((word) => said.includes(word)), ...words.filter((word) => !said.includes(word))];
}

export interface Theme {
  readonly name: string;
  readonly items: readonly Item[];
}

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');

/** Files items under topics; what belongs to none is general. */
export function themesOf(items: readonly Item[], chosen: ReadonlySet<string>): Theme[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const topic = item.topics.find((word) => chosen.has(word));
    const name = topic === undefined ? GENERAL : titled(topic);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  // Do not give a single line its own heading if there are others.
  const lone = [...groups].filter(([name, group]) => name !== GENERAL && group.length === 1);
  if (groups.size > 2)
    for (const [name, group] of lone) {
      groups.delete(name);
      groups.set(GENERAL, [...(groups.get(GENERAL) ?? []), ...group]);
    }
  return [...groups]
    .map(([name, group]) => ({ name, items: group.toSorted((a, b) => b.at - a.at || (a.text < b.text ? -1 : 1)) }))
    .toSorted((a, b) => Number(a.name === GENERAL) - Number(b.name === GENERAL) || b.items.length - a.items.length || (a.name < b.name ? -1 : 1));
}

/** The topics that most items share. */
export function sharedTopics(items: readonly Item[]): ReadonlySet<string> {
  const sharing = new Map<string, Set<string>>();
  for (const { topics, ref } of items) for (const topic of topics) sharing.set(topic, (sharing.get(topic) ?? new Set()).add(ref));
  return chooseTopics(items, sharing);
}

/** Topic by topic, the one that files most of what is not yet filed, as long as it brings two records together. */
function chooseTopics(items: readonly Item[], sharing: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const chosen = new Set<string>();
  let open = items.filter(({ topics }) => topics.length > 0);
  while (chosen.size < MOST && open.length > 0) {
    const counts = new Map<string, number>();
    for (const { topics } of open)
      for (const [rank, topic] of topics.entries()) if ((sharing.get(topic)?.size ?? 0) > 1) counts.set(topic, (counts.get(topic) ?? 0) + 1 / (1 + rank));
    const [best] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    if (best === undefined) break;
    chosen.add(best[0]);
    open = open.filter(({ topics }) => !topics.includes(best[0]));
  }
  return chosen;
}

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{N}+|\p{L}{3,}/gu) ?? []);
const ALIKE = 0.7;

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  const all = a.size + b.size - both;
  return all === 0 ? 1 : both / all;
};

const ALL = 0.9;
const FEWEST = 4;

/** What says no more than a part of another. */
const isPart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size >= FEWEST && [...a].filter((word) => b.has(word)).length >= ALL * a.size;

/** The same thing said in two sessions is one thing; the newest wording stays, a record's before a session's. */
export function withoutRepeats(items: readonly Item[]): Item[] {
  const rank = ({ ref }: Item): number => (ref === '' ? 0 : isSessionRef(ref) ? 2 : 1);
  const kept: { readonly item: Item; readonly words: ReadonlySet<string> }[] = [];
  for (const item of items.toSorted((a, b) => rank(a) - rank(b) || b.at - a.at)) {
    const own = words(item.text);
    const isRepeat = kept.some((other) => other.item.section === item.section && (overlap(own, other.words) >= ALIKE || isPart(own, other.words)));
    if (!isRepeat) kept.push({ item, words: own });
  }
  const order = new Map(items.map((item, index) => [item, index]));
  return kept.map(({ item }) => item).toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** What is given up first when a master grows too long: old open ends, then old findings, then what came to be, then decisions. */
const PRICE: Readonly<Record<MasterSection, number>> = { questions: 0, learnings: 1, evolution: 2, decisions: 3, status: 4 };

/** Leaves out the cheapest and oldest items until the text fits; what a person wrote by hand stays. */
export function fit(
  items: readonly Item[],
  limit: number,
  render: (items: readonly Item[], pruned: number) => string,
): { readonly text: string; readonly pruned: number } {
  const cheapest = items.filter(({ ref }) => ref !== '').toSorted((a, b) => PRICE[a.section] - PRICE[b.section] || a.at - b.at);
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
