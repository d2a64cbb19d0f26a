import type { TriageMatch } from '../triage/score.ts';
import { withoutMarks } from './text.ts';

/** Where a message stands: under which prompt, and how far into the session. */
export interface SpokenPlace {
  readonly turn: string;
  readonly at: number;
}

/** Words of an agent that is still choosing between ways. */
const CHOOSING =
  /\b(?:simplest|cleanest|easiest|safest|best|better|right|simpler|cleaner) (?:\w+ ){0,2}(?:approach|fix|way|solution|option)\b|^(?:actually|instead|wait)\b|^i'll\b/i;

const isChoosing = ({ passage, sentence }: TriageMatch): boolean =>
  passage.voice === 'agent' && CHOOSING.test(withoutMarks(`${sentence.label} ${sentence.text}`));

/** Of the ways that an agent thought of in one turn, the last is the one it took: the others were never decided. */
export function lastThoughts(matches: readonly TriageMatch[], placeOf: (messageId: string) => SpokenPlace | undefined): TriageMatch[] {
  const last = new Map<string, { readonly match: TriageMatch; readonly at: number }>();
  for (const match of matches.filter(isChoosing)) {
    const place = placeOf(match.passage.messageId);
    if (place === undefined) continue;
    const at = place.at + match.sentence.line / 1e6;
    if (at >= (last.get(place.turn)?.at ?? -1)) last.set(place.turn, { match, at });
  }
  const kept = new Set([...last.values()].map(({ match }) => match));
  return matches.filter((match) => !isChoosing(match) || kept.has(match) || placeOf(match.passage.messageId) === undefined);
}
