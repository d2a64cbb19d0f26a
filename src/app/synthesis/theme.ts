import { EVERYDAY, REQUEST_WORDS } from '../../recall/exchange/common-words.ts';
import { stem } from '../../recall/text/stem.ts';
import { STOP_WORDS } from '../../recall/text/words.ts';
import type { Item } from './item.ts';

/** Stemmed words of folders, files and commits that are too general for a theme, besides request words and stop words. */
const NO_THEMES = new Set(
  (
    'untagged session claude gemini codex copilot src lib app test spec docs doc index main shared common packages components types general git survey redacted ' +
    'pkg cmd internal util helper hook service store module page route controller dto model entity interface asset public static dist build script code file folder ' +
    'data state context todo readme changelog research review summary feature feat chore refactor style perf misc github workflow json yaml yml toml phase pending ' +
    'golang init initial default simplify handler client server key list set mode base core request response version info learnings const constants class function ' +
    'method name line text item bug error section badge header row column label agent skill prompt tool dead-end https www com across between beyond within previously'
  )
    .split(' ')
    .map((word) => rootOf(word)),
);
export const GENERAL = 'General';
const MOST_TOPICS = 8;

const wordOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
const isTopic = (word: string): boolean =>
  word.length > 2 &&
  word.length <= 24 &&
  ![NO_THEMES, REQUEST_WORDS, STOP_WORDS].some((set) => set.has(rootOf(word)) || set.has(word)) &&
  !/^\d|[-\d]\d+$|^[0-9a-f]{7,}$/.test(word);

/** Possible themes of an item: its tags, the folders of its files, and the files it names; those that its text names come first. */
export function topicsOf(text: string, tags: readonly string[], files: readonly string[]): string[] {
  const folders = files.flatMap((file) => file.split('/').slice(0, -1));
  const stems = files.filter((file) => !/\.mdx?$/i.test(file)).map((file) => (file.split('/').at(-1) ?? '').replace(/\.[\w.]+$/, ''));
  // A tag for an activity is no theme.
  const subjects = tags.filter((tag) => !tag.endsWith('ing'));
  const term = wordOf(text);
  const wordsOf = (names: readonly string[]): string[] => names.map(wordOf).filter(isTopic);
  const words = [...new Set([...wordsOf(stems).filter((word) => term.includes(word)), ...wordsOf(folders), ...wordsOf(subjects)])];
  return [...words.filter((word) => term.includes(word)), ...words.filter((word) => !term.includes(word))];
}

const FEWEST_FILES = 2;

const partsOfPath = (path: string): string[] =>
  path
    .replace(/\.\w+$/, '')
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((part) => part.toLowerCase());

/** Words that several paths of a project share: the names of its parts. */
export function wordsOfPaths(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (const word of new Set(partsOfPath(path))) if (isTopic(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= FEWEST_FILES).map(([word]) => word);
}

const FEWEST_TEXTS = 4;

/** Words that many texts use, without everyday words; if paths are known, only words that also occur in them or in the introduction. */
export function wordsOfTexts(texts: readonly string[], paths: readonly string[], introduced: string): string[] {
  const counts = new Map<string, number>();
  const known = new Set([...paths.flatMap(partsOfPath), ...wordsOf(introduced.toLowerCase())].map(rootOf));
  for (const text of texts)
    for (const word of new Set(wordsOf(text).map((one) => one.toLowerCase()))) {
      const root = rootOf(word);
      if (word.length > 3 && isTopic(word) && !EVERYDAY.has(root) && (paths.length === 0 || known.has(root))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  return [...counts].filter(([, count]) => count >= FEWEST_TEXTS).map(([word]) => word);
}

/** The stem of a word, so that "share", "shares" and "sharing" are one topic. */
function rootOf(word: string): string {
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}][\p{L}\p{N}]{2,23}/gu) ?? [];

/** The word stems of an item's subject, without its reason. */
const subjectOf = (text: string): readonly string[] => [...new Set(wordsOf(text.split(' – ')[0] ?? '').map((word) => rootOf(word.toLowerCase())))];

/** Gives each topic one spelling, adds topics that occur in an item's text, and returns the display name of each topic. */
export function unifyTopics(
  items: readonly Item[],
  vocabulary: readonly string[] = [],
  introduced = '',
): { readonly items: readonly Item[]; readonly names: ReadonlyMap<string, string> } {
  const spellings = new Map<string, Map<string, number>>();
  const count = (root: string, word: string, weight = 1): void => {
    const known = spellings.get(root) ?? new Map<string, number>();
    spellings.set(root, known.set(word, (known.get(word) ?? 0) + weight));
  };
  const countSpellings = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      const root = rootOf(word.toLowerCase());
      // Keep inner capitals, as in API or Web3Auth, but not the capital at the start of a sentence.
      if (spellings.has(root)) count(root, /.\p{Lu}/u.test(word) ? word : word.toLowerCase(), weight);
    }
  };
  // Spellings in sentences weigh more than names of folders.
  for (const { topics } of items) for (const topic of topics) count(rootOf(topic), topic, 0.1);
  for (const word of vocabulary) count(rootOf(word), word, 0.01);
  for (const { text } of items) countSpellings(text, 1);
  countSpellings(introduced, 0.01);
  const best = (root: string): string => [...(spellings.get(root) ?? [])].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? root;
  // Prefer the plural if it is used: "Packs" is a theme, "Pack" could be an order.
  const spelling = (root: string): string => (spellings.get(root)?.has(`${best(root)}s`) ? `${best(root)}s` : best(root));
  const names = new Map([...spellings.keys()].map((root) => [best(root).toLowerCase(), titled(spelling(root))]));
  const spread = new Map<string, number>();
  for (const { text } of items)
    for (const root of new Set(wordsOf(text).map((word) => rootOf(word.toLowerCase())))) spread.set(root, (spread.get(root) ?? 0) + 1);
  const unified = items.map((item) => {
    if (item.isGeneral) return item;
    const ownRoots = item.topics.map(rootOf);
    const known = (root: string): boolean => spellings.has(root) && !ownRoots.includes(root) && isTopic(best(root).toLowerCase());
    const subject = subjectOf(item.text);
    const namedRoots = [...ownRoots.slice(1).filter((root) => subject.includes(root)), ...subject.filter(known)];
    const bySpread = (roots: readonly string[]): string[] => roots.toSorted((a, b) => (spread.get(b) ?? 0) - (spread.get(a) ?? 0));
    const roots = [...ownRoots.slice(0, 1), ...bySpread(namedRoots), ...ownRoots.slice(1)];
    return { ...item, topics: [...new Set(roots.map((root) => best(root).toLowerCase()))] };
  });
  return { items: unified, names };
}

export interface Theme {
  readonly name: string;
  readonly items: readonly Item[];
}

/** Words that are written in capitals. */
const ACRONYMS = new Set('api cli ui ux ci cd db sql http https ssh tls url css html ide sdk mcp llm ai pr os e2e jwt csv xml tee orm dns'.split(' '));

const titled = (word: string): string => {
  const words = word
    .replaceAll('-', ' ')
    .split(' ')
    .map((one) => (ACRONYMS.has(one) ? one.toUpperCase() : one));
  return words.join(' ').replace(/^\p{Ll}/u, (first) => first.toUpperCase());
};

/** Groups items by topic; the rest is general. */
export function themesOf(items: readonly Item[], chosen: ReadonlySet<string>, names: ReadonlyMap<string, string> = new Map()): Theme[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const topic = item.topics.find((word) => chosen.has(word));
    const name = topic === undefined ? GENERAL : (names.get(topic) ?? titled(topic));
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  // A single item gets no heading of its own if there are other themes.
  const singles = [...groups].filter(([name, group]) => name !== GENERAL && group.length === 1);
  if (groups.size > 2)
    for (const [name, group] of singles) {
      groups.delete(name);
      groups.set(GENERAL, [...(groups.get(GENERAL) ?? []), ...group]);
    }
  return [...groups]
    .map(([name, group]) => ({ name, items: group.toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0) || b.at - a.at || (a.text < b.text ? -1 : 1)) }))
    .toSorted((a, b) => Number(a.name === GENERAL) - Number(b.name === GENERAL) || b.items.length - a.items.length || (a.name < b.name ? -1 : 1));
}

/** The topics that most items have in common. */
export function sharedTopics(items: readonly Item[]): ReadonlySet<string> {
  const sharing = new Map<string, Set<string>>();
  for (const { topics, ref } of items) for (const topic of topics) sharing.set(topic, (sharing.get(topic) ?? new Set()).add(ref));
  return chooseTopics(items, sharing);
}

/** Greedily chooses the topic that covers most of the remaining items, as long as it joins two sources. */
function chooseTopics(items: readonly Item[], sharing: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const chosen = new Set<string>();
  let open = items.filter(({ topics }) => topics.length > 0);
  while (chosen.size < MOST_TOPICS && open.length > 0) {
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
