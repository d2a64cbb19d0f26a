/** Texts as the page shows them. */
const DAY_MS = 24 * 60 * 60 * 1000;

const two = (number: number): string => String(number).padStart(2, '0');

/** `2026-03-01 14:05`, in the reader's own time. */
export function shownTime(at: string | null | undefined): string {
  const date = at ? new Date(at) : undefined;
  if (!date || Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `5 min ago`, `yesterday`, or the date. */
export function agoOf(at: string | null | undefined): string {
  const time = at ? new Date(at).getTime() : Number.NaN;
  if (Number.isNaN(time)) return '';
  const passed = Date.now() - time;
  if (passed < 0 || passed > 7 * DAY_MS) return shownTime(at).slice(0, 10);
  if (passed < 60_000) return 'just now';
  if (passed < 60 * 60_000) return `${Math.floor(passed / 60_000)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / (60 * 60_000))} h ago`;
  const days = Math.floor(passed / DAY_MS);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** When a text was injected. */
export const EVENTS: Readonly<Record<string, string>> = {
  startup: 'at the start',
  prompt: 'for a prompt',
  action: 'before an action',
  resume: 'on resuming',
  clear: 'after a clear',
  compact: 'after a compaction',
  subagent: 'for a subagent',
};

/** The meaning of each part of a search's score. */
export const SIGNALS: Readonly<Record<string, string>> = {
  near: 'words here and around it',
  pairs: 'words close together',
  unit: 'words in all of it',
  bestThree: 'its three best passages',
  length: 'long enough',
  answer: 'may be an answer',
  asks: 'is a question itself',
  speaker: 'said by who is named',
  asked: 'follows such a question',
  time: 'of the time named',
  unitSize: 'length of the session',
  kept: 'kept on purpose',
  recency: 'recent',
  files: 'about files that are named',
  feedback: 'your verdicts',
  use: 'was of use before',
  quoted: 'words in quotation marks',
  superseded: 'was replaced',
  meaning: 'close in meaning',
  words: 'words of its title',
  project: 'of this project',
  replaces: 'replaces an older one',
  repeat: 'another hit of the same',
};

export const words = (name: string): string => name.replaceAll('_', ' ');

export const counted = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export const shortSession = (id: string): string => (id.length > 12 ? id.slice(0, 8) : id);

/** A heading without text below it. `\S` before the trailing blanks keeps matching from taking quadratic time. */
const EMPTY_SECTION = /^## [^\n]+\n+(?=## )|\n## [^\n]*\S\s*$(?![^])/gm;

export const withoutEmptySections = (text: string): string => text.replace(EMPTY_SECTION, '');
