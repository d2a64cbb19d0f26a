import { AGAINST, CONTRAST, NORMS, REASON, SCOPE, WISH } from './preference-words.ts';
import type { Passage } from './prose.ts';
import { doubts, type TriageMatch, matchOf, nearby, signIn } from './score.ts';

/** What the user wants done in a certain way, in their own words. */
export function preferencesIn(passage: Passage): TriageMatch[] {
  if (passage.voice !== 'user') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const { plain } = sentence;
    const norm = signIn(plain, NORMS);
    if (norm === undefined) return [];
    const isRule = norm.why.startsWith('a rule') || norm.why.startsWith('asked');
    const beside = nearby(passage, at).some((near) => REASON[2].test(near.plain)) ? { why: 'a reason beside it', weight: 0.08 } : undefined;
    const match = matchOf(passage, sentence, [
      norm,
      signIn(plain, SCOPE),
      signIn(plain, CONTRAST),
      signIn(plain, [REASON]) ?? beside,
      isRule ? undefined : signIn(plain, AGAINST),
      ...(WISH.test(plain) ? [] : doubts(sentence)),
    ]);
    return match === undefined ? [] : [match];
  });
}
