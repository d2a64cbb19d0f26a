import type { Item } from './item.ts';

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
