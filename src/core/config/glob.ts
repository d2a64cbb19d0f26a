/** Bounds of a glob in a setting: a config file that comes with a clone must not make matching dear. */
const LENGTH = 200;
const STARS = 12;
const ALTERNATIVES = 8;

const WILDCARD = /[*?{}[\]!^,/\\.\s-]/g;
const CLASS = /\[[!^]?([^\]]+)\]/g;
const RANGE = /([^-])-([^-])/g;

const runsBackwards = (members: string): boolean => [...members.matchAll(RANGE)].some(([, from = '', to = '']) => from > to);

/** Why a glob is not accepted, in words that follow it; undefined where it is fine. */
export function globFault(glob: string): string | undefined {
  if (glob.length > LENGTH) return `is longer than ${LENGTH} characters`;
  if ((glob.match(/\*+/g)?.length ?? 0) > STARS) return `has more than ${STARS} stars`;
  if ((glob.match(/\{[^]*\}/)?.[0].match(/,/g)?.length ?? 0) > ALTERNATIVES) return `has more than ${ALTERNATIVES} commas in braces`;
  for (const [words, members = ''] of glob.matchAll(CLASS)) if (runsBackwards(members)) return `has a range that runs backwards: ${words}`;
  return undefined;
}

/** Whether a glob names nothing of its own, so that it covers nearly every file. */
export const coversEverything = (glob: string): boolean => glob.replaceAll(WILDCARD, '') === '';
