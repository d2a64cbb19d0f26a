import type { Sentence } from '../triage/prose.ts';
import type { TriageMatch } from '../triage/score.ts';
import type { TextCategory } from '../triage/settings.ts';
import { one } from '../triage/words.ts';
import { withoutOpener } from './open-work.ts';
import { wholeText } from './tasks.ts';
import { distinct, listItem, shortened, withoutMarks } from './text.ts';

const UNSAID = 'Not recorded';
const REASON = /(?:[,;—–-]\s*)?\b(?:because|since|so that|given that|as (?=we |it |they |this ))\s*(.+)$/i;
/** A reason put first ends at the comma. */
const REASON_FIRST = /^(?:because|since|given that|as)\s+([^,]+),\s/i;
const AIMS = one(
  String.raw`to (?:avoid|prevent|keep|reduce|minimi[sz]e|maximi[sz]e|preserve|save)\b.+`,
  String.raw`for (?:consistency|simplicity|safety|performance|clarity|backwards?[- ]compat\w*).*`,
);
const PURPOSE = new RegExp(String.raw`\b(${AIMS})$`, 'i');
const TURNED_DOWN = new RegExp(
  [
    String.raw`\b(?:instead of|rather than|over)\s+([^,.;()]{3,80}?)(?=\s+(?:because|since|so that|so it|as it|due)\b|[,.;()]|$)`,
    String.raw`\((?:not|no longer) ([^)]{3,80})\)|, not ([^,.;()]{3,60})`,
  ].join('|'),
  'i',
);

/** A part of a sentence may end with a bracket that opened before it. */
function balanced(part: string): string {
  const open = (part.match(/\(/g) ?? []).length - (part.match(/\)/g) ?? []).length;
  return open < 0 ? part.replace(/\)[.\s]*$/, '') : part;
}

/** The reason that a sentence gives; empty when it gives none. */
const reasonIn = (words: string): string =>
  balanced(REASON_FIRST.exec(words)?.[1] ?? REASON.exec(words)?.[1] ?? PURPOSE.exec(words)?.[1]?.replace(/;.*$/, '') ?? '');

/** What it stands under, without the label that it repeats. */
const placeOf = ({ under, label }: Sentence): string => {
  const heads = under.split(' > ');
  return (label === '' ? heads : heads.slice(0, -1)).join(' > ');
};

const textsOf = (sentences: readonly Sentence[]): string[] => distinct(sentences.map((sentence) => listItem(sentence.text, 240)));

/** The sentences around a match that stand under the same heading. */
function neighbours(match: TriageMatch, reach: number): Sentence[] {
  const { sentences } = match.passage;
  const at = sentences.indexOf(match.sentence);
  return sentences.slice(Math.max(0, at - reach), at + reach + 1).filter((sentence) => sentence !== match.sentence);
}

const reasonsIn = (match: TriageMatch): string[] => {
  const said = [match.sentence, ...match.beside].map((sentence) => reasonIn(withoutMarks(sentence.text)));
  const beside = match.beside.map((sentence) => withoutMarks(sentence.text));
  const reasons = distinct([...said, ...beside].filter((reason) => reason !== '').map((reason) => listItem(reason, 240)));
  return reasons.length === 0 ? [UNSAID] : reasons;
};

/** What was asked and what was answered, where a person picked an answer. */
export function answerIn(match: TriageMatch): { readonly question: string; readonly answer: string } | undefined {
  if (match.passage.voice !== 'answer') return undefined;
  const [question = '', answer = ''] = withoutMarks(match.sentence.text).split(' → ');
  return { question, answer: answer.replace(/\s*\(recommended\)/i, '') };
}

const decision = (match: TriageMatch, isDeadEnd: boolean): object => {
  const answered = answerIn(match);
  const text = answered?.answer ?? wholeText(match);
  const other = TURNED_DOWN.exec(withoutMarks(match.sentence.text));
  const option = other?.[1] ?? other?.[2] ?? other?.[3];
  const reasons = reasonsIn(match);
  return {
    // An agent's choice stands once it acted on it; a person's stands at once.
    status: isDeadEnd ? 'deprecated' : match.passage.voice !== 'agent' || match.passage.acts ? 'accepted' : 'proposed',
    context: shortened(answered?.question ?? placeOf(match.sentence), 300),
    decision: listItem(text, 400),
    alternatives: option === undefined ? [] : [{ option: listItem(option, 120), rejected_reason: reasons[0] ?? UNSAID }],
    rationale: reasons,
    consequences: isDeadEnd ? ['Tried and given up later in the same session'] : [],
  };
};

const constraint = (match: TriageMatch): object => {
  const words = withoutOpener(withoutMarks(match.sentence.text));
  const after = /,\s*(?:so|which means|therefore)\s+(.+)$/i.exec(words)?.[1];
  const rule = after === undefined ? words : words.slice(0, words.length - after.length).replace(/,\s*(?:so|which means|therefore)\s*$/i, '');
  const follows = neighbours(match, 1).filter(({ plain }) => /^(?:so|this means|therefore|we need|you need)\b/i.test(plain));
  const kind = /\b(?:must (?:not|never)|never|not allowed|forbidden|policy|rules?)\b/i.test(words)
    ? 'policy'
    : /\b(?:no longer|not supported|unsupported|doesn't|does not|can't|cannot)\b/i.test(words)
      ? 'limitation'
      : 'technical';
  return {
    kind,
    rule: listItem(rule, 400),
    impact: [listItem(after ?? follows[0]?.text ?? UNSAID, 240)],
    workarounds: textsOf(match.beside.filter(({ plain }) => /\b(?:instead|workaround|use)\b/i.test(plain))),
    severity: 'medium',
    active: true,
    expires: 'none',
  };
};

const techDebt = (match: TriageMatch): object => {
  const words = withoutMarks(match.sentence.text);
  const reason =
    (reasonIn(words) || undefined) ??
    /\b((?:not related|unrelated|out of scope|harmless|per plan|as planned|not introduced)\b.*)$/i.exec(words)?.[1] ??
    match.beside[0]?.text;
  return {
    status: 'open',
    priority: 'medium',
    description: shortened(wholeText(match), 400),
    reason_deferred: listItem(balanced(reason ?? UNSAID), 240),
    impact: [],
    suggested_fix: [],
    acceptance_criteria: [],
  };
};

const preference = (match: TriageMatch): object => {
  const words = withoutOpener(withoutMarks(match.sentence.text));
  const isStrong = /\b(?:always|never|must|from now on|remember|don't|do not)\b/i.test(words);
  const avoid = TURNED_DOWN.exec(words)
    ?.slice(1)
    .find((option) => option !== undefined);
  return {
    topic: listItem(words, 80),
    value: listItem(words, 300),
    reason: listItem(reasonIn(words) || 'Stated by the user', 240),
    strength: isStrong ? 'strong' : /\b(?:i think|maybe|would|i'd)\b/i.test(words) ? 'soft' : 'default',
    ...(avoid === undefined ? {} : { examples: { prefer: [], avoid: [listItem(avoid, 100)] } }),
  };
};

export type SaidCategory = Exclude<TextCategory, 'runbook'>;

const CONTENT: Readonly<Record<SaidCategory, (match: TriageMatch, isDeadEnd: boolean) => object>> = {
  decision,
  constraint,
  tech_debt: techDebt,
  preference,
};

/** The content of a record from what was said: nothing is invented, and what was not said is marked so. */
export const contentOf = (category: SaidCategory, match: TriageMatch, isDeadEnd: boolean): object => CONTENT[category](match, isDeadEnd);
