import { isAlike } from '../summary/text.ts';
import { ruleIn } from '../../core/rules/standing-rule.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';

export interface OfferedOption {
  readonly label: string;
  /** The agent's description; may be empty. */
  readonly detail: string;
}

/** A question of the agent with options, and the option that the user chose. */
export interface UserChoice {
  readonly question: string;
  readonly chosen: OfferedOption;
  readonly others: readonly OfferedOption[];
  /** The agent's short label for the question, if it is specific. */
  readonly topic?: string;
  /** The answer is in the user's own words. */
  readonly isTyped?: true;
}

const PAIR = /"((?:[^"\\]|\\.){8,600})"\s*=\s*"((?:[^"\\]|\\.){1,600})"/g;
const RECOMMENDED = /\s*\(recommended\)/i;
/** Questions about the next step, the delivery or an event, whose answers have no lasting value. */
const OF_THE_MOMENT = new RegExp(
  [
    String.raw`\b(?:should|shall|may|can) i (?:\w+ ){0,4}(?:start|continue|proceed|open|run|go|also|fix|update|commit|push|merge|rebase|deliver|deploy|remove|delete|install|land|reply|post)\b`,
    String.raw`\b(?:what would you like|would you like (?:me )?to|do you want (?:me )?to (?:implement|start|continue|proceed|open|run|generate|create|commit|push|see))\b`,
    String.raw`\b(?:next (?:area|step|question)|move (?:on|to) (?:the )?next|more questions|which (?:areas|claims|findings|comments|items|todos?)|this todo|mock-?ups?)\b`,
    String.raw`\b(?:version (?:number|bump)|change ?log|release notes?|commit message|pr (?:title|description)|branch name|stale branch|pre-commit hook)\b`,
    String.raw`\b(?:did you (?:mean|see|run)|do you have|can you (?:reproduce|confirm|share|paste)|have you|where did|when did|what (?:scenario|error|happened|did)|in this (?:change|pr|commit|session)|autonomous)\b`,
  ].join('|'),
  'i',
);
/** A question about an event. All questions asked together with it only collect a report. */
const ASKS_REPORT =
  /\b(?:can you (?:reproduce|confirm|share|paste)|did you (?:see|run)|have you (?:seen|tried)|do you have (?:the|an?|any) (?:\w+ ){0,2}(?:error|log|message|trace)|where did|when did|what (?:error|happened|did))\b/i;
/** Answers that name a step, not an approach. */
const A_STEP =
  /^(?:(?:yes|no)(?:$|[,.!])|(?:commit|push|merge|rebase|amend|squash|proceed|continue|start|work on|next|done|fix (?:it|them|all)|all of (?:them|it)|everything)\b.{0,60}$)/i;
/** Answers that leave the choice to the agent or postpone it. */
const NO_CHOICE =
  /^(?:you decide|your (?:call|choice)|up to you|whatever|either|skip|other|none|not sure|no preference|don'?t know|yes|no|ok(?:ay)?|later|proceed|continue|done)\b.{0,12}$/i;
const ASKS_DESIGN =
  /\b(?:should|which|how do(?:es)? (?:we|you want)|do (?:we|you) want|prefer|what (?:kind|format|name|default|happens)|rename)\b[^.]*\?|^[\p{L}\p{N} /-]{8,60}\?$/iu;
const GENERIC =
  /^(?:should|which|what|where|when|would|could|approach|option|options|want|like|based|tradeoffs?|trade-offs?|direction|this|that|these|with|from|your|have|does|handle|handled|implement|about|there|here|take|work|best|prefer|use|using|the|and|for|how|you|everywhere|everything|nowhere|default|apply|change|both)$/i;

/** Answers that ask back, doubt, postpone, or change the subject. */
const UNSETTLED =
  /\?|^h+m+|\b(?:not sure|depends?|maybe|perhaps|i (?:think|guess)|no idea|don'?t (?:know|understand)|for now|right now|until|later|yet|error|let'?s discuss|can you|could you)\b/i;
const OWN_LIMIT = 400;
const LABEL_LIMIT = 80;
const isLabel = (line: string, next: string): boolean =>
  line.length <= LABEL_LIMIT && /^[\p{Lu}\d`"'(-]/u.test(line) && next.length > line.length && /^[\p{Lu}\d`"'(~-]/u.test(next) && /[\p{L})`.\d"']$/u.test(next);

/** The options of a question in a client's tool call: a line for the label, one for the description, then perhaps a preview. */
function optionsOf(input: string, question: string): OfferedOption[] {
  const lines = input.replace(/^questions: /, '').split('\n');
  const start = lines.findIndex((line) => line.trim() === question.trim());
  if (start < 0) return [];
  const rest = lines.slice(start + 1).map((line) => line.replace(/^options: /, '').trim());
  const end = rest.findIndex((_, at) => at > 0 && (rest[at + 1] ?? '').startsWith('header: '));
  const block = (end < 0 ? rest : rest.slice(0, end)).filter((line) => line !== '' && !line.startsWith('header: '));
  const hasPreview = block.some((line) => line.startsWith('preview: '));
  const options: OfferedOption[] = [];
  for (let at = 0; at < block.length; at++) {
    const [label, detail] = [block[at] as string, block[at + 1] ?? ''];
    // Without previews the lines alternate. A preview may be any text and follows label and detail.
    if (hasPreview && !(block[at + 2] ?? '').startsWith('preview: ') && !isLabel(label, detail)) continue;
    options.push({ label: label.replace(RECOMMENDED, ''), detail });
    at++;
  }
  return options.filter(({ label }) => !NO_CHOICE.test(label));
}

/** Labels that fit any question. */
const ANY_TOPIC =
  /^(?:(?:fix|rewrite|next|the|overall) )?(?:scope|reach|approach(?:es)?|actions?|choices?|options?|next|design|strategy|direction|shape|plans?|placement|location|algorithm|syntax|sequencing|compatibility|trigger|cadence|details?|format|type|method|mode|priority|timing|question|decision|behaviou?r|preference|topic|h)$/i;

/** The label that the client's tool gives a question. */
function topicOf(input: string, question: string): string {
  const lines = input.replace(/^questions: /, '').split('\n');
  const [, label = ''] =
    lines
      .slice(lines.findIndex((line) => line.trim() === question.trim()))
      .find((line) => line.startsWith('header: '))
      ?.split('header: ') ?? [];
  return ANY_TOPIC.test(label.trim()) ? '' : label.trim();
}

const topicWords = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu) ?? []).filter((word) => !GENERIC.test(word)));

/** The number of topic words in a text. */
export const topicCount = (text: string): number => topicWords(text).size;

/** Whether a question has no topic of its own: one about "the fix" or "your vision" cannot be understood later. */
const isBare = (question: string): boolean => topicCount(question) < 4 && /\b(?:the|this|that|it|your|these|those)\b/i.test(question);

/** An answer with so many topic words is clear without its question. */
const TELLING_ANSWER = 3;

const isSettled = (question: string, answer: string, detail = ''): boolean =>
  ASKS_DESIGN.test(question) &&
  (!isBare(question) || topicCount(answer) >= TELLING_ANSWER) &&
  topicCount(`${question} ${answer} ${detail}`) >= 4 &&
  !OF_THE_MOMENT.test(question) &&
  !A_STEP.test(answer) &&
  !NO_CHOICE.test(answer);

/** Whether a typed answer settles the question beyond the current step. */
const isOwnAnswer = (question: string, reply: string): boolean =>
  reply.length <= OWN_LIMIT &&
  reply.split(' ').length >= 4 &&
  !UNSETTLED.test(reply) &&
  isSettled(question, reply) &&
  typedSentences(reply).length > 0 &&
  !typedSentences(reply).some((sentence) => ruleIn(sentence));

/** The options that the user picked, and the sentences that the user typed instead. `open` is the previous question if the user answered it with a question. */
export function choicesIn(input: string, answer: string, open = ''): { readonly choices: readonly UserChoice[]; readonly typed: readonly string[] } {
  const choices: UserChoice[] = [];
  const typed: string[] = [];
  const answered = answeredIn(answer);
  if (answered.some(([questionText]) => ASKS_REPORT.test(questionText))) return { choices, typed: answered.flatMap(([, reply]) => typedSentences(reply)) };
  for (const [questionText, reply] of answered) {
    const options = optionsOf(input, questionText);
    const topic = topicOf(input, questionText);
    const topicField = topic === '' ? {} : { topic };
    const question = isBare(questionText) && open !== '' ? `${open} ${questionText}` : questionText;
    const label = reply.replace(RECOMMENDED, '').trim();
    const picked = options.find((option) => option.label === label);
    const several = options.filter((option) => label.split(', ').includes(option.label));
    if (picked === undefined && several.length < 2) {
      if (options.length > 0 && isOwnAnswer(question, reply))
        choices.push({ question, chosen: { label: reply.trim(), detail: '' }, others: options, isTyped: true, ...topicField });
      else if (options.length > 0) typed.push(...typedSentences(reply));
      else if (isSettled(question, label) && label.split(' ').length <= 12 && !label.includes('?'))
        choices.push({ question, chosen: { label, detail: '' }, others: [], ...topicField });
      continue;
    }
    if (!isSettled(question, label, picked?.detail ?? several.map(({ detail }) => detail).join(' '))) continue;
    const chosen = picked ?? { label: several.map((option) => option.label).join(', '), detail: '' };
    const chosenOptions = new Set(picked === undefined ? several : [picked]);
    choices.push({ question, chosen, others: options.filter((option) => !chosenOptions.has(option)), ...topicField });
  }
  return { choices, typed };
}

/** The questions of a client's tool with the user's answers. */
export const answeredIn = (answer: string): readonly (readonly [question: string, reply: string])[] =>
  [...answer.matchAll(PAIR)].map(([, question = '', reply = '']) => [question, reply] as const);

/** The question that the user answered with a question. */
export const openQuestion = (answer: string): string => answeredIn(answer).find(([, reply]) => /\?["')\s]*$/.test(reply))?.[0] ?? '';

const NUMBER_OR_LETTER = /(?<![\p{L}\p{N}])(?:\p{N}[\p{L}\p{N}.]*|\p{Lu})(?![\p{L}\p{N}])/gu;

/** A word without its ending: `users` and `user`, `stored` and `store` become equal. */
const plainForm = (word: string): string => word.replace(/(?:ies|es|s|ed|ing|e|y)$/, '');
const plainWords = (text: string): ReadonlySet<string> => new Set([...topicWords(text)].map(plainForm));

/** Whether two questions are the same: similar, with all topic words of one in the other, and no different number. `Phase 2` is not `Phase 3`. */
export function asksSame(a: string, b: string): boolean {
  if (!isAlike(a, b)) return false;
  const [numbers, others] = [a, b].map((text) => new Set(text.match(NUMBER_OR_LETTER)));
  if (numbers && others && numbers.size > 0 && others.size > 0 && ![...numbers].some((one) => others.has(one))) return false;
  const [left, right] = [plainWords(a), plainWords(b)];
  return [...left].every((word) => right.has(word)) || [...right].every((word) => left.has(word));
}

/** Whether a later choice replaces an earlier one: it answers the same question, or the user now rejects the option chosen before. */
export function replacesChoice(later: UserChoice, earlier: UserChoice): boolean {
  if (asksSame(later.question, earlier.question) && topicCount(later.question) >= 3) return true;
  const chosen = topicWords(earlier.chosen.label);
  return later.others.some(({ label }) => isAlike(label, earlier.chosen.label) && [...topicWords(label)].filter((word) => chosen.has(word)).length >= 2);
}
