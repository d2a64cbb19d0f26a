import { listItem, shortened, withoutMarks } from '../summary/text.ts';
import type { StandingRule } from '../../core/rules/standing-rule.ts';
import type { UserChoice } from './choices.ts';
import type { PlanDecisions } from './plan-decisions.ts';

const UNSAID = 'Not recorded';
const REASON = /(?:[,;—–-]\s*)?\b(?:because|since|so that|given that|as (?=we |it |they |this ))\s*(.+)$/i;
/** A reason at the start ends at the comma. */
const REASON_FIRST = /^(?:because|since|given|as)\s+([^,]+),\s/i;
const INSTEAD_OF = /\b(?:instead of|rather than|over)\s+([^,.;()]{3,80}?)(?=\s+(?:because|since|so that|as it|due)\b|[,.;()]|$)/i;

const reasonIn = (words: string): string => REASON_FIRST.exec(words)?.[1] ?? REASON.exec(words)?.[1] ?? '';

export const preferenceContent = ({ text, kind }: StandingRule): object => {
  const words = withoutMarks(text);
  const avoid = INSTEAD_OF.exec(words)?.[1];
  return {
    topic: listItem(words, 80),
    value: listItem(words, 300),
    reason: listItem(reasonIn(words) || UNSAID, 240),
    strength: kind === 'taste' ? 'default' : 'strong',
    ...(avoid === undefined ? {} : { examples: { prefer: [], avoid: [listItem(avoid, 100)] } }),
  };
};

export const constraintContent = (text: string, kind: 'policy' | 'limitation'): object => {
  const words = withoutMarks(text);
  const after = /,\s*(?:so|which means|therefore)\s+(.+)$/i.exec(words)?.[1];
  const rule = after === undefined ? words : words.slice(0, words.length - after.length).replace(/,\s*(?:so|which means|therefore)\s*$/i, '');
  return {
    kind,
    rule: listItem(rule, 400),
    impact: [listItem((after ?? (kind === 'policy' ? reasonIn(words) : '')) || UNSAID, 240)],
    workarounds: [],
    severity: 'medium',
    active: true,
    expires: 'none',
  };
};

export const ruleDecision = ({ text }: StandingRule, task: string): object => {
  const words = withoutMarks(text);
  const option = INSTEAD_OF.exec(words)?.[1];
  const reason = listItem(reasonIn(words) || UNSAID, 240);
  return {
    status: 'accepted',
    context: shortened(task, 300),
    decision: listItem(words, 400),
    alternatives: option === undefined ? [] : [{ option: listItem(option, 120), rejected_reason: reason }],
    rationale: [reason === UNSAID ? 'Stated by the user' : reason],
    consequences: [],
  };
};

const QUESTION_CONTEXT = ' (asked while working on: ';

/** The question of a choice's record, without the task. */
export const questionIn = (context: string): string => context.split(QUESTION_CONTEXT)[0] ?? context;

const NOT_CHOSEN = 'Offered and not chosen by the user';

/** Marks the agent's description of an option, which may not have come true. */
const AS_OFFERED = ' (as offered: ';

/** The option of a choice's record, without the agent's description. */
export const optionIn = (decision: string): string => decision.split(decision.includes(AS_OFFERED) ? AS_OFFERED : ': ')[0] ?? decision;

/** The content of a choice's record: question, answer, and the agent's descriptions of the options. */
export const choiceDecision = ({ question, chosen, others, isTyped }: UserChoice, task: string): object => ({
  status: 'accepted',
  context: shortened(`${withoutMarks(question)}${task === '' ? '' : `${QUESTION_CONTEXT}${task})`}`, 400),
  decision:
    chosen.detail === ''
      ? listItem(chosen.label, 400)
      : `${listItem(chosen.label, 120)}${AS_OFFERED}${shortened(withoutMarks(chosen.detail).replace(/[.;,\s]+$/, ''), 300)})`,
  alternatives: others.slice(0, 4).map(({ label, detail }) => ({
    option: listItem(label, 120),
    rejected_reason: detail === '' ? NOT_CHOSEN : listItem(`${NOT_CHOSEN}: ${detail}`, 240),
  })),
  rationale: [isTyped === true ? 'Answered by the user in place of the options offered' : 'Chosen by the user among the options offered'],
  consequences: [],
});

/** The content of a plan's record. Its decisions stay together, because they explain each other. */
export const planContent = ({ plan, items }: PlanDecisions): object => ({
  status: 'accepted',
  context: shortened(plan, 300),
  decision: items.map(({ text }) => `- ${text}`).join('\n'),
  alternatives: [],
  rationale: ['Listed as decided in the plan that the user asked to carry out'],
  consequences: [],
});
