import { daysInMs } from '../../core/instant.ts';

/** A time that a question mentions: a range, or a date of which some parts are given. */
export type TimeHint =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'date'; readonly year?: number; readonly month?: number; readonly day?: number };

export interface TimeContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** When an event named in the question happened, such as "the release"; undefined when unknown. */
  readonly anchor?: (words: string) => number | undefined;
}

const DAY = daysInMs(1);
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const MONTH = '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY_OF_MONTH = '(\\d{1,2})(?:st|nd|rd|th)?';
const UNIT = '(day|week|month|year)s?';
const COUNT = `(\\d{1,3}|an?|${NUMBERS.slice(1).join('|')}|couple of|few)`;

const startOfDay = (at: number): number => at - (((at % DAY) + DAY) % DAY);
const range = (from: number, to: number): TimeHint => ({ kind: 'range', from, to });
const monthOf = (word: string): number => MONTHS.findIndex((month) => month.startsWith(word.toLowerCase().slice(0, 3)));

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  if (word === 'couple of') return 2;
  if (word === 'few') return 3;
  return Math.max(1, NUMBERS.indexOf(word));
}

/** The day, week (from Monday), month or year that contains `at`, moved by `offset` of them. */
function periodOf(unit: string, at: number, offset: number): TimeHint {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  if (unit === 'year') return range(Date.UTC(year + offset, 0), Date.UTC(year + offset + 1, 0));
  if (unit === 'month') return range(Date.UTC(year, month + offset), Date.UTC(year, month + offset + 1));
  const days = unit === 'week' ? 7 : 1;
  const start = startOfDay(at) - (unit === 'week' ? ((date.getUTCDay() + 6) % 7) * DAY : 0);
  return range(start + offset * days * DAY, start + (offset + 1) * days * DAY);
}

function weekdayBefore(name: string, now: number): TimeHint {
  const back = (new Date(now).getUTCDay() - WEEKDAYS.indexOf(name) + 7) % 7 || 7;
  return periodOf('day', now, -back);
}

function dateHint(year: string | undefined, month: string | undefined, day: string | undefined): TimeHint {
  const parts = {
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(month === undefined ? {} : { month: monthOf(month) }),
    ...(day === undefined ? {} : { day: Number(day) }),
  };
  return { kind: 'date', ...parts };
}

type Rule = readonly [RegExp, (match: RegExpMatchArray, context: TimeContext) => TimeHint | undefined];

/** The first match counts, so the more exact rules come first. Compiled on first use, because most questions mention no time. */
const makeRules = (): readonly Rule[] => [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/, ([, year, month, day]) => ({ kind: 'date', year: Number(year), month: Number(month) - 1, day: Number(day) })],
  [/\b(\d{4})-(\d{2})\b(?!-)/, ([, year, month]) => ({ kind: 'date', year: Number(year), month: Number(month) - 1 })],
  [new RegExp(`\\b${DAY_OF_MONTH}(?: of)? ${MONTH}\\b\\.?,?(?: (\\d{4})\\b)?`), ([, day, month, year]) => dateHint(year, month, day)],
  [new RegExp(`\\b${MONTH}\\.? ${DAY_OF_MONTH}\\b,?(?: (\\d{4})\\b)?`), ([, month, day, year]) => dateHint(year, month, day)],
  [new RegExp(`\\b${MONTH}\\.?,? (\\d{4})\\b`), ([, month, year]) => dateHint(year, month, undefined)],
  [new RegExp(`\\b(?:in|during|since|of|by|last|this|late|early|mid|before|after|until) ${MONTH}\\b`), ([, month]) => dateHint(undefined, month, undefined)],
  [new RegExp(`\\b(?:${MONTHS.filter((month) => month !== 'may' && month !== 'march').join('|')})\\b`), ([month]) => dateHint(undefined, month, undefined)],
  [/\byesterday\b/, (_, { now }) => periodOf('day', now, -1)],
  [/\b(?:today|this morning|tonight|earlier today)\b/, (_, { now }) => periodOf('day', now, 0)],
  [/\blast night\b/, (_, { now }) => periodOf('day', now, -1)],
  [new RegExp(`\\b(?:last|previous) ${UNIT}\\b`), ([, unit], { now }) => periodOf(unit as string, now, -1)],
  [new RegExp(`\\bthis ${UNIT}\\b`), ([, unit], { now }) => periodOf(unit as string, now, 0)],
  [
    new RegExp(`\\b(?:last|past|previous) ${COUNT} ${UNIT}\\b`),
    ([, count, unit], { now }) => range(addUnits(now, unit as string, -countOf(count as string)), now),
  ],
  [
    new RegExp(`\\b${COUNT} ${UNIT} ago\\b`),
    ([, count, unit], { now }) => periodOf(unit as string, addUnits(now, unit as string, -countOf(count as string)), 0),
  ],
  [new RegExp(`\\b(?:last|on|since|this) (${WEEKDAYS.join('|')})\\b`), ([, name], { now }) => weekdayBefore(name as string, now)],
  [/\b(?:in|during|of|since|before|after|until) ((?:19|20)\d{2})\b/, ([, year]) => dateHint(year, undefined, undefined)],
  [
    /\b(?:before|after|since|until) (?:the |we |our )?([\p{L}\p{N}._-]+(?: [\p{L}\p{N}._-]+){0,3})/u,
    ([, words], { anchor }) => anchorHint(words as string, anchor),
  ],
];

let rules: readonly Rule[] | undefined;

function anchorHint(words: string, anchor: TimeContext['anchor']): TimeHint | undefined {
  const at = anchor?.(words);
  return at === undefined ? undefined : range(startOfDay(at), startOfDay(at) + DAY);
}

function addUnits(now: number, unit: string, by: number): number {
  const date = new Date(now);
  if (unit === 'year') return Date.UTC(date.getUTCFullYear() + by, date.getUTCMonth(), date.getUTCDate());
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, date.getUTCDate());
  return now + by * DAY * (unit === 'week' ? 7 : 1);
}

/** Every rule needs one of these. The check is cheap; compiling the rules costs more than a whole search. */
const MAY_SPEAK_OF_TIME =
  /\d|yesterday|today|tonight|morning|night|day|week|month|year|last|past|previous|before|prior|after|since|until|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/;

/** The time that a question mentions, if any. */
export function timeIn(question: string, context: TimeContext): TimeHint | undefined {
  const text = question.toLowerCase();
  if (!MAY_SPEAK_OF_TIME.test(text)) return undefined;
  for (const [pattern, read] of (rules ??= makeRules())) {
    const match = text.match(pattern);
    const hint = match && read(match, context);
    if (hint) return applyPreposition(hint, text.slice(0, (match.index ?? 0) + match[0].length));
  }
  return undefined;
}

/** "Before", "after" and "since" make the range open on one side; "the week before" a day is one week long and includes that day, when people talk about it. */
function applyPreposition(hint: TimeHint, upTo: string): TimeHint {
  const word = /\b(before|until|prior to|after|since)\b(?:(?!\b(?:before|until|after|since)\b).){0,40}$/.exec(upTo)?.[1];
  const bounds = word === undefined ? undefined : boundsOf(hint);
  if (bounds === undefined) return hint;
  const [, count = '', unit] = /(?:(\w+) )?(day|week|month|year)(?:s|end)? (?:before|after)\b/.exec(upTo) ?? [];
  if (unit !== undefined)
    return word === 'after' ? range(bounds.from, addUnits(bounds.to, unit, countOf(count))) : range(addUnits(bounds.from, unit, -countOf(count)), bounds.to);
  if (word === 'since') return range(bounds.from, Infinity);
  return word === 'after' ? range(bounds.to, Infinity) : range(-Infinity, bounds.from);
}

/** Undefined for a date without a year. */
function boundsOf(hint: TimeHint): { readonly from: number; readonly to: number } | undefined {
  if (hint.kind === 'range') return hint;
  const { year, month, day } = hint;
  if (year === undefined) return undefined;
  if (month === undefined) return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
  return day === undefined
    ? { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
    : { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1) };
}

/** People talk about an event after it happened: a moment this long after a range still counts in part. */
const AFTERMATH = daysInMs(7);
const SAME_MONTH = 0.6;
const ONLY_YEAR = 0.3;
const NEARLY = 0.5;

/** How well a moment fits the time that a question mentions, from 0 to 1. */
export function timeShare(hint: TimeHint, at: number): number {
  if (hint.kind === 'range') {
    if (at >= hint.from && at < hint.to) return 1;
    return at >= hint.to && at < hint.to + AFTERMATH ? NEARLY : 0;
  }
  const date = new Date(at);
  const yearFits = hint.year === undefined || hint.year === date.getUTCFullYear();
  if (hint.month === undefined) return yearFits ? ONLY_YEAR : 0;
  if (hint.month !== date.getUTCMonth()) return 0;
  const exact = hint.day === undefined || hint.day === date.getUTCDate() ? 1 : SAME_MONTH;
  return yearFits ? exact : NEARLY * exact;
}
