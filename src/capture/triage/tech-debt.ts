import type { Passage } from './prose.ts';
import { type TriageMatch, matchOf, nearby, type SignalPart, signIn } from './score.ts';
import { DONE, TECH_DEBT_HEADINGS, MEANT, MENDED_NEXT, OBJECT, PUT_OFF, WHY, WHY_BESIDE } from './tech-debt-words.ts';

/** Debt that is paid in the next breath is none. */
const paid = (passage: Passage, at: number): SignalPart | undefined =>
  nearby(passage, at)
    .slice(-2)
    .some((near) => MENDED_NEXT.test(near.plain))
    ? { why: 'it is mended right after', weight: -0.25 }
    : undefined;

/** Work left on purpose: what is missing and why it waits. */
export function debtsIn(passage: Passage): TriageMatch[] {
  if (passage.voice === 'answer') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const { plain, under, asks } = sentence;
    const put = signIn(plain, PUT_OFF);
    if (put === undefined) return [];
    const own = signIn(plain, WHY);
    const beside = own === undefined ? nearby(passage, at).find((near) => WHY_BESIDE.test(near.plain)) : undefined;
    // A gap counts as debt when somebody means to close it, here or in the next sentence.
    const [before, after] = [passage.sentences[at - 1], passage.sentences[at + 1]];
    const gap = put.why.startsWith('known to be lacking');
    const rest = [plain, before?.plain ?? '', after?.plain ?? ''];
    const meant = gap ? rest.map((near) => signIn(near, [MEANT])).find((part) => part !== undefined) : undefined;
    if (gap && meant === undefined) return [];
    const match = matchOf(
      passage,
      sentence,
      [
        put,
        meant,
        own ?? (beside === undefined ? undefined : { why: 'why it waits, beside it', weight: 0.08 }),
        signIn(plain, OBJECT),
        signIn(under, TECH_DEBT_HEADINGS),
        signIn(plain, DONE) ?? paid(passage, at),
        asks ? { why: 'it is a question', weight: -0.2 } : undefined,
      ],
      beside === undefined ? [] : [beside],
    );
    return match === undefined ? [] : [match];
  });
}
