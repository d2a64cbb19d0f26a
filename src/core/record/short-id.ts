import { CATEGORIES, isCategory, type Category } from './category.ts';

/** The first letter of a short id, which names the category. */
const LETTERS: Readonly<Record<Category, string>> = {
  session_summary: 's',
  decision: 'd',
  runbook: 'r',
  constraint: 'c',
  tech_debt: 't',
  preference: 'p',
  analysis: 'a',
  subagent_report: 'g',
};

/** Without i, l, o and u, which are misread. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';
/** The least length of a printed short id. */
const SHORTEST = 4;
const LONGEST = 8;
const BEGINNING = new RegExp(`^[${CATEGORIES.map((category) => LETTERS[category]).join('')}][0-9][${SIGNS}]{${SHORTEST - 2},${LONGEST - 2}}$`);

/** A number of 53 bits, spread evenly over texts that differ by a letter. */
function spread(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}

/** The short id of a record in full: eight characters made of its category and id, the same on every machine and for ever. */
export function longShortId(category: Category, id: string): string {
  let rest = spread(`${category}/${id}`);
  let text = `${LETTERS[category]}${rest % 10}`;
  rest = Math.floor(rest / 10);
  while (text.length < LONGEST) {
    text += SIGNS[rest % SIGNS.length];
    rest = Math.floor(rest / SIGNS.length);
  }
  return text;
}

/** The same for a name such as `decision/use-sqlite`; undefined for any other. */
export function shortIdOfName(name: string): string | undefined {
  const slash = name.indexOf('/');
  const category = name.slice(0, Math.max(0, slash));
  return isCategory(category) ? longShortId(category, name.slice(slash + 1)) : undefined;
}

/** Whether a text can be a printed short id: a record's own id may begin alike, but then the short id counts. */
export const isShortId = (text: string): boolean => BEGINNING.test(text);

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** The least beginning of a long short id, four characters or more, that none of its neighbours in order of the alphabet shares. */
export const cutShortId = (long: string, neighbours: readonly string[]): string =>
  long.slice(0, Math.max(SHORTEST, ...neighbours.map((other) => sharedLength(long, other) + 1)));
