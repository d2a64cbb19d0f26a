import { AUTHORITY, CONSTRAINT_HEADINGS, LASTING, CONSTRAINT_LIMITS, MEASURE, PASSING, PLATFORM, RESULT_BESIDE, RESULTS } from './constraint-words.ts';
import type { Passage } from './prose.ts';
import { doubts, type TriageMatch, matchOf, nearby, signIn } from './score.ts';

/** A wall that stays: of a tool, a platform, the surroundings or a rule. */
export function constraintsIn(passage: Passage): TriageMatch[] {
  if (passage.voice === 'answer') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const { plain, under } = sentence;
    const limit = signIn(plain, CONSTRAINT_LIMITS);
    if (limit === undefined) return [];
    const beside = nearby(passage, at).some((near) => RESULT_BESIDE.test(near.plain)) ? { why: 'what follows stands beside it', weight: 0.06 } : undefined;
    const match = matchOf(passage, sentence, [
      limit,
      signIn(plain, [LASTING]),
      signIn(plain, [PLATFORM]),
      signIn(plain, [MEASURE]),
      signIn(plain, [AUTHORITY]),
      passage.voice === 'user' ? { why: 'the user says so', weight: 0.08 } : undefined,
      signIn(plain, [RESULTS]) ?? beside,
      signIn(under, CONSTRAINT_HEADINGS),
      signIn(plain, PASSING),
      ...doubts(sentence),
    ]);
    return match === undefined ? [] : [match];
  });
}
