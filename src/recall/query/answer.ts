import type { Wanted } from './parse.ts';

const TIMES =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|this (?:week|month|year|morning|weekend|past)|(?:week|weekend|month|year|day)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|20\d\d)\b/i;
const COUNTS = /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|couple|few|several|first|second|third)\b/i;

/** True when a text holds the sort of thing that is asked for. */
export function mayAnswer(wanted: Wanted, text: string): boolean {
  if (wanted === 'time') return TIMES.test(text);
  return wanted === 'count' && COUNTS.test(text);
}
