import type { Passage, Sentence } from '../triage/prose.ts';
import type { Match } from '../triage/score.ts';
import type { TextCategory } from '../triage/settings.ts';
import { CAUSE_HEADING, CAUSES, PROVEN, REMEDIES, REMEDY_HEADING, SYMPTOMS } from '../triage/runbook-words.ts';
import { signIn } from '../triage/score.ts';
import { distinct, itemOf, shortened, withoutMarks } from './text.ts';
import { wholeText } from './tracking.ts';

const UNSAID = 'Not recorded';
const REASON = /(?:[,;—–-]\s*)?\b(?:because|since|so that|given that|as (?=we |it |they |this ))\s*(.+)$/i;
const PURPOSE =
  /\b(to (?:avoid|prevent|keep|reduce|minimi[sz]e|maximi[sz]e|preserve|save)\b.+|for (?:consistency|simplicity|safety|performance|clarity|backwards?[- ]compat\w*).*)$/i;
const TURNED_DOWN = /\b(?:instead of|rather than|over)\s+([^,.;()]{3,80})|\((?:not|no longer) ([^)]{3,80})\)|, not ([^,.;()]{3,60})/i;

const textsOf = (sentences: readonly Sentence[]): string[] => distinct(sentences.map((sentence) => itemOf(sentence.text, 240)));

/** The sentences around a match that stand under the same heading. */
function neighbours(match: Match, reach: number): Sentence[] {
  const { sentences } = match.passage;
  const at = sentences.indexOf(match.sentence);
  return sentences.slice(Math.max(0, at - reach), at + reach + 1).filter((sentence) => sentence !== match.sentence);
}

const reasonsIn = (match: Match): string[] => {
  const said = [match.sentence, ...match.beside].flatMap((sentence) => {
    const words = withoutMarks(sentence.text);
    return [REASON.exec(words)?.[1] ?? PURPOSE.exec(words)?.[1] ?? ''];
  });
  const beside = match.beside.map((sentence) => withoutMarks(sentence.text));
  const reasons = distinct([...said, ...beside].filter((reason) => reason !== '').map((reason) => itemOf(reason, 240)));
  return reasons.length === 0 ? [UNSAID] : reasons;
};

const decision = (match: Match, isDeadEnd: boolean): object => {
  const text = wholeText(match);
  const other = TURNED_DOWN.exec(withoutMarks(match.sentence.text));
  const option = other?.[1] ?? other?.[2] ?? other?.[3];
  const reasons = reasonsIn(match);
  return {
    status: isDeadEnd
      ? 'deprecated'
      : match.sentence.plain.includes('→') || match.passage.voice === 'user'
        ? 'accepted'
        : match.passage.voice === 'plan'
          ? 'accepted'
          : 'proposed',
    context: shortened(match.sentence.under, 200),
    decision: shortened(text, 400),
    alternatives: option === undefined ? [] : [{ option: itemOf(option, 120), rejected_reason: reasons[0] ?? UNSAID }],
    rationale: reasons,
    consequences: isDeadEnd ? ['Tried and given up later in the same session'] : [],
  };
};

const pick = (passage: Passage, test: (sentence: Sentence) => boolean, limit: number): string[] =>
  textsOf(passage.sentences.filter((sentence) => !sentence.asks && test(sentence))).slice(0, limit);

const runbook = (match: Match): object => {
  const { passage, sentence } = match;
  const symptoms = pick(passage, (one) => one !== sentence && signIn(one.plain, SYMPTOMS) !== undefined && signIn(one.plain, CAUSES) === undefined, 2);
  const steps = textsOf([
    ...match.beside,
    ...neighbours(match, 4).filter((one) => REMEDY_HEADING.test(one.under) || (signIn(one.plain, REMEDIES)?.weight ?? 0) >= 0.24),
  ]);
  const proof = pick(passage, (one) => signIn(one.plain, PROVEN) !== undefined, 1)[0];
  const isCause = signIn(sentence.plain, CAUSES) !== undefined || CAUSE_HEADING.test(sentence.under);
  const words = itemOf(sentence.text, 300);
  return {
    trigger: symptoms[0] ?? words,
    symptoms,
    steps: steps.length > 0 ? steps.slice(0, 5) : [isCause ? UNSAID : words],
    verification: proof ?? '',
    ...(isCause ? { root_cause: words } : {}),
  };
};

const constraint = (match: Match): object => {
  const words = withoutMarks(match.sentence.text);
  const after = /,\s*(?:so|which means|therefore)\s+(.+)$/i.exec(words)?.[1];
  const rule = after === undefined ? words : words.slice(0, words.length - after.length).replace(/,\s*(?:so|which means|therefore)\s*$/i, '');
  const follows = neighbours(match, 1).filter((one) => /^(?:so|this means|therefore|we need|you need)\b/i.test(one.plain));
  const kind = /\b(?:must (?:not|never)|never|not allowed|forbidden|policy|rules?)\b/i.test(words)
    ? 'policy'
    : /\b(?:no longer|not supported|unsupported|doesn't|does not|can't|cannot)\b/i.test(words)
      ? 'limitation'
      : 'technical';
  return {
    kind,
    rule: shortened(rule, 400),
    impact: [itemOf(after ?? follows[0]?.text ?? UNSAID, 240)],
    workarounds: textsOf(match.beside.filter((one) => /\b(?:instead|workaround|use)\b/i.test(one.plain))),
    severity: 'medium',
    active: true,
    expires: 'none',
  };
};

const techDebt = (match: Match): object => {
  const words = withoutMarks(match.sentence.text);
  const reason =
    REASON.exec(words)?.[1] ??
    /\b((?:not related|unrelated|out of scope|harmless|per plan|as planned|not introduced)\b.*)$/i.exec(words)?.[1] ??
    match.beside[0]?.text;
  return {
    status: 'open',
    priority: 'medium',
    description: shortened(wholeText(match), 400),
    reason_deferred: itemOf(reason ?? UNSAID, 240),
    impact: [],
    suggested_fix: [],
    acceptance_criteria: [],
  };
};

const preference = (match: Match): object => {
  const words = withoutMarks(match.sentence.text);
  const isStrong = /\b(?:always|never|must|from now on|remember|don't|do not)\b/i.test(words);
  const avoid = TURNED_DOWN.exec(words)
    ?.slice(1)
    .find((option) => option !== undefined);
  return {
    topic: itemOf(words, 80),
    value: shortened(words, 300),
    reason: itemOf(REASON.exec(words)?.[1] ?? 'Stated by the user', 240),
    strength: isStrong ? 'strong' : /\b(?:i think|maybe|would|i'd)\b/i.test(words) ? 'soft' : 'default',
    ...(avoid === undefined ? {} : { examples: { prefer: [], avoid: [itemOf(avoid, 100)] } }),
  };
};

const CONTENT: Readonly<Record<TextCategory, (match: Match, isDeadEnd: boolean) => object>> = {
  decision,
  runbook,
  constraint,
  tech_debt: techDebt,
  preference,
};

/** The content of a record from what was said: nothing is invented, and what was not said is marked so. */
export const contentOf = (category: TextCategory, match: Match, isDeadEnd: boolean): object => CONTENT[category](match, isDeadEnd);
