import {
  DECISION_CHOICES,
  DECISION_HEADINGS,
  HOLDS_REASON,
  OTHERS,
  REASON_BESIDE,
  REASONS,
  ROUTINE,
  USER_DECIDES,
  SPEAKS_FOR,
  TELLS_FAULT,
  TELLS_NEXT,
} from './decision-words.ts';
import type { Passage, Sentence } from './prose.ts';
import type { PhraseSpan, Sign } from './words.ts';
import { doubts, type TriageMatch, matchOf, nearby, type SignalPart, signIn, withPart } from './score.ts';

const QUOTED = /^["'“].*["'”][.,]?$/;
const CONDITIONAL = /^(?:\w+,? )?if (?:you|the|it|there|we)\b/i;
const ADVICE = /\brecommend|\bi'd suggest\b/i;
/** Choices whose phrase includes the rejected option. */
const ALREADY_CONTRASTS = /^(?:one way|to be done|done one)/;
const TOO_SHORT = 25;
/** Choices for which an argument without "because" counts as a reason. */
const COMMITTED = /^(?:a choice|a way (?:taken|turned|ordered)|one place|how we|done (?:on|one))/;

const overlaps = (a: PhraseSpan | null, b: PhraseSpan | null): boolean =>
  a !== null && b !== null && a.index < b.index + b[0].length && b.index < a.index + a[0].length;

interface Choice {
  readonly part: SignalPart;
  readonly span: PhraseSpan;
}

function choiceIn(plain: string, signs: readonly Sign[]): Choice | undefined {
  const matching = signs.find(([, , pattern]) => pattern.test(plain));
  const part = signIn(plain, signs);
  const span = matching?.[2].exec(plain);
  return part === undefined || span === undefined || span === null ? undefined : { part, span };
}

const stronger = (a: Choice | undefined, b: Choice | undefined): Choice | undefined => ((b?.part.weight ?? 0) > (a?.part.weight ?? 0) ? b : a);

/** An argument without a word such as "because", in the rest of the sentence or in the next one. */
function impliedIn(passage: Passage, at: number, choice: Choice): SignalPart | undefined {
  const sentence = passage.sentences[at] as Sentence;
  const { index } = choice.span;
  const rest = `${sentence.plain.slice(0, index)} … ${sentence.plain.slice(index + choice.span[0].length)}`;
  const next = passage.sentences[at + 1];
  return signIn(rest, [SPEAKS_FOR]) ?? (next === undefined || next.asks || next.under !== sentence.under ? undefined : signIn(next.plain, [SPEAKS_FOR]));
}

/** The stated reason. Words that matched as the choice do not count as its reason too. */
function reasonIn(plain: string, choice: Choice | undefined): SignalPart | undefined {
  const span = choice === undefined || HOLDS_REASON.test(choice.part.why) ? null : choice.span;
  const reason = REASONS.find(([, , pattern]) => pattern.test(plain) && !overlaps(span, pattern.exec(plain)));
  return reason === undefined ? undefined : signIn(plain, [reason]);
}

function counterSigns(sentence: Sentence, passage: Passage, reason: SignalPart | undefined): (SignalPart | undefined)[] {
  const { plain } = sentence;
  return [
    ...doubts(sentence),
    passage.voice === 'agent' && TELLS_NEXT.test(plain) && reason === undefined ? { why: 'it tells the next step', weight: -0.25 } : undefined,
    ROUTINE.test(plain) ? { why: 'it is about a routine step', weight: -0.2 } : undefined,
    TELLS_FAULT.test(plain) && reason?.why.startsWith('its reason') !== true ? { why: 'it tells of a fault', weight: -0.2 } : undefined,
    CONDITIONAL.test(plain) ? { why: 'it depends on an if', weight: -0.2 } : undefined,
    QUOTED.test(sentence.text) ? { why: 'it is a quotation', weight: -0.3 } : undefined,
    plain.length < TOO_SHORT && passage.voice !== 'user' ? { why: 'it is too short to stand alone', weight: -0.2 } : undefined,
  ];
}

function matchAt(passage: Passage, at: number, before: readonly Passage[]): TriageMatch | undefined {
  const sentence = passage.sentences[at] as Sentence;
  const { plain, under } = sentence;
  const heading = signIn(under, DECISION_HEADINGS);
  const chosen = stronger(choiceIn(plain, DECISION_CHOICES), passage.voice === 'user' ? choiceIn(plain, USER_DECIDES) : undefined);
  const choice = chosen?.part;
  if (choice === undefined && (heading === undefined || heading.weight < 0.3)) return undefined;
  const own = reasonIn(plain, chosen);
  const beside = own === undefined ? nearby(passage, at).find((near) => !near.asks && REASON_BESIDE.test(near.plain)) : undefined;
  const implied = chosen !== undefined && COMMITTED.test(chosen.part.why) ? impliedIn(passage, at, chosen) : undefined;
  const followsAdvice =
    own === undefined && beside === undefined && passage.voice === 'user' && before.at(-1)?.sentences.some((other) => ADVICE.test(other.plain + other.under));
  return matchOf(
    passage,
    sentence,
    [
      choice,
      own ?? (beside === undefined ? implied : { why: 'a reason beside it', weight: 0.14 }),
      followsAdvice === true ? { why: 'after a recommendation', weight: 0.14 } : undefined,
      ALREADY_CONTRASTS.test(choice?.why ?? '') ? undefined : signIn(plain, OTHERS),
      heading,
      passage.voice === 'plan' && choice !== undefined && choice.weight < 0.3 && own !== undefined ? { why: 'in a plan', weight: 0.06 } : undefined,
      ...counterSigns(sentence, passage, own),
    ],
    beside === undefined ? [] : [beside],
  );
}

/** Choices with their reasons. */
export function decisionsIn(passage: Passage, before: readonly Passage[]): TriageMatch[] {
  if (passage.voice === 'answer') return pickedAnswers(passage);
  return withRepetition(passage.sentences.map((_, at) => matchAt(passage, at, before)).filter((match) => match !== undefined));
}

/** Raises the best match of a message with several matches, which is likely about a choice. */
function withRepetition(matches: readonly TriageMatch[]): TriageMatch[] {
  const best = matches.toSorted((a, b) => b.score - a.score)[0];
  const others = matches.filter((match) => match !== best && match.score >= 0.2).length;
  if (best === undefined || others === 0) return [...matches];
  const gained = withPart(best, { why: `${others} more like it in the message`, weight: Math.min(0.09, others * 0.03) });
  return matches.map((match) => (match === best ? (gained ?? best) : match));
}

/** An option that the user picked. A permission is no decision. */
function pickedAnswers(passage: Passage): TriageMatch[] {
  return passage.sentences.flatMap((sentence) => {
    const [question = '', answer = ''] = sentence.plain.split(' → ');
    const between = / or \b|\bwhich\b|\bhow should\b/i.test(question);
    if (!between || (/^(?:yes|no|ok|sure)\b/i.test(answer) && answer.length < 40)) return [];
    const match = matchOf(passage, sentence, [
      { why: 'the user picked an answer', weight: 0.45 },
      { why: 'between ways', weight: 0.25 },
    ]);
    return match === undefined ? [] : [match];
  });
}
