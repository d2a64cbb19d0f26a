import type { Wanted } from './parse.ts';

const SIGNS: Readonly<Record<Exclude<Wanted, 'anything'>, RegExp>> = {
  time: /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|this (?:week|month|year|morning|weekend|past)|(?:week|weekend|month|year|day)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|20\d\d)\b/i,
  count: /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|couple|few|several|first|second|third)\b/i,
  place: /\b(?:in|at|to|from|near) (?:the )?\p{Lu}\p{Ll}/u,
  reason: /\b(?:because|since|so that|'?cause|inspired|reason|wanted to|to help)\b/i,
  title: /["“][^"“”]{2,60}["”]/,
};

/** True when a text holds the sort of thing that is asked for. */
export const mayAnswer = (wanted: Wanted, text: string): boolean => wanted !== 'anything' && SIGNS[wanted].test(text);
