import type { SessionFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { titleOf } from '../../core/record/from-text.ts';
import type { StandingRule } from '../../core/rules/standing-rule.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import type { SessionSummary } from '../summary/summary.ts';
import { firstSentence, isAlike, listItem, tagsFor, withoutMarks } from '../summary/text.ts';
import type { TextCategory } from '../triage/settings.ts';
import { choiceDecision, constraintContent, planContent, preferenceContent, ruleDecision } from './content.ts';
import { asksSame, topicCount } from './choices.ts';
import { objectionIn } from './objections.ts';
import type { PlanDecisions } from './plan-decisions.ts';
import type { SessionStatement } from './statements.ts';

/** The most drafts of each kind from one session, so that a person can review them. */
const MOST: Readonly<Record<SessionStatement['kind'], number>> = { rule: 4, choice: 12, limit: 2, plan: 2 };
/** Less than 1, because a person has to confirm. Statements of the user are surer than limits that the agent met. */
const CONFIDENCE: Readonly<Record<SessionStatement['kind'], number>> = { rule: 0.8, choice: 0.85, limit: 0.7, plan: 0.8 };
const FILE = /`([\w@./-]+\/[\w.-]+\.\w{1,8}|[\w-]+\.(?:tsx?|jsx?|mjs|py|rs|go|rb|java|md|json|ya?ml|toml|sql|sh|css|html?))(?::[\d-]+)?`/g;
/** Words about the agent's work, not about the product. */
const OF_THE_WORK =
  /^(?:please )?(?:always|never|don'?t|do not|avoid|stop|before|after|whenever|make sure|from now on|no need|keep|use|run|write)\b|\byou\b|\bplease\b/i;

/** Something that is impossible here. */
const IMPOSSIBLE = /\b(?:have access|not allowed|is impossible)\b/i;
const ABSOLUTE = /\b(?:must|never|ever|cannot|can't|may not)\b/i;

/** A question with fewer topic words is unclear without the task. */
const TELLING = 4;

interface DraftParts {
  readonly category: TextCategory;
  readonly title: string;
  readonly text: string;
  readonly content: object;
}

function ruleParts(standing: StandingRule, next: string | undefined, task: string): DraftParts {
  const { kind } = standing;
  const title = listItem(firstSentence(withoutMarks(standing.text)), 110);
  const text = next === undefined ? standing.text : `${standing.text.replace(/[.!\s]+$/, '')}. ${next}`;
  const rule = { ...standing, text };
  if (kind === 'ban' && IMPOSSIBLE.test(text)) return { category: 'constraint', title, text, content: constraintContent(text, 'limitation') };
  if (kind === 'ban' && !OF_THE_WORK.test(text) && ABSOLUTE.test(text))
    return { category: 'constraint', title, text, content: constraintContent(text, 'policy') };
  const isProduct = kind === 'design' || kind === 'choice' || (kind === 'ban' && !OF_THE_WORK.test(text));
  return isProduct
    ? { category: 'decision', title, text, content: ruleDecision(rule, task) }
    : { category: 'preference', title, text, content: preferenceContent(rule) };
}

function draftParts(statement: SessionStatement, task: string): DraftParts {
  if (statement.kind === 'rule') return ruleParts(statement.rule, statement.next, task);
  if (statement.kind === 'limit') {
    const { text } = statement;
    return { category: 'constraint', title: listItem(firstSentence(withoutMarks(text)), 110), text, content: constraintContent(text, 'limitation') };
  }
  if (statement.kind === 'plan') {
    const decided = { ...statement.plan, plan: statement.plan.plan || task };
    const { plan, items } = decided;
    const text = items.map((item) => item.text).join('\n');
    return { category: 'decision', title: listItem(planTitle(decided), 120), text: `${plan} ${text}`, content: planContent(decided) };
  }
  const { question, chosen, topic = '' } = statement.choice;
  // The title has room only for the question itself, not for the sentences before it.
  const last = withoutMarks(question)
    .split(/(?<=[.!?]) (?=\p{Lu})/u)
    .at(-1) as string;
  const subject = topicCount(last) < TELLING ? withoutMarks(question) : coreOf(last);
  const isCut = subject.length < withoutMarks(question).length;
  const about = statement.about ?? (isCut && namesMore(topic, `${subject} ${chosen.label}`) ? topic : '');
  const title = listItem(`${about === '' ? '' : `${about}: `}${withoutMarks(chosen.label)} — ${subject.replace(/\?+$/, '')}`, 120);
  return {
    category: 'decision',
    title,
    text: `${question} ${chosen.label} ${chosen.detail}`,
    content: choiceDecision(statement.choice, statement.about ?? (topicCount(question) < TELLING ? task : '')),
  };
}

/** Whether a label names something that the title would not. */
const namesMore = (topic: string, title: string): boolean =>
  topic !== '' && (topic.toLowerCase().match(/\p{L}{3,}/gu) ?? []).some((word) => !title.toLowerCase().includes(word.slice(0, 5)));

/** The title of a plan's record names its decisions, so that records of one plan differ. */
function planTitle({ plan, items }: PlanDecisions): string {
  const labels = items.map(({ label }) => label).filter((label) => label !== '');
  return labels.length < 2 ? `${plan}: ${items[0]?.text ?? ''}` : `${plan}: ${labels.join(', ')}`;
}

const LONG_QUESTION = 80;

/** A long question without its introduction: of `With the new order, should there be one diff or two` the part after the comma. */
function coreOf(question: string): string {
  const core =
    question.length > LONG_QUESTION
      ? /^.{20,}[,;:)] ((?:should|which|how|what|where|do|does)\b(?! (?:it|they|this|that)\b).{20,})$/i.exec(question)?.[1]
      : undefined;
  return core === undefined || topicCount(core) < TELLING ? question : core;
}

const keyOf = (statement: SessionStatement): string => {
  if (statement.kind === 'rule') return statement.rule.text;
  if (statement.kind === 'plan') return statement.plan.plan || statement.plan.items.map(({ text }) => text).join(' ');
  return statement.kind === 'limit' ? statement.text : statement.choice.question;
};

/** Of statements with the same meaning only the last, which is the newest. */
function distinctStatements(statements: readonly SessionStatement[]): SessionStatement[] {
  const distinct: SessionStatement[] = [];
  for (const statement of statements.toReversed()) {
    const full = distinct.filter(({ kind }) => kind === statement.kind).length >= MOST[statement.kind];
    const isSame = statement.kind === 'choice' ? asksSame : isAlike;
    if (!full && !distinct.some((other) => other.kind === statement.kind && isSame(keyOf(other), keyOf(statement)))) distinct.push(statement);
  }
  return distinct.toReversed();
}

interface StatedRecord extends DraftParts {
  readonly statement: SessionStatement;
}

/** The statements of a session, each as a record. */
export function statedRecords(summary: Pick<SessionSummary, 'task' | 'workStatements'>): StatedRecord[] {
  const { task } = summary;
  const isNamed = (statement: SessionStatement): boolean => statement.kind !== 'plan' || statement.plan.plan !== '' || task !== '';
  return distinctStatements(summary.workStatements.filter(isNamed)).map((statement) => {
    const near = statement.kind !== 'plan' && topicCount(statement.during) >= TELLING ? statement.during : task;
    // A prompt that corrects the agent does not describe the task.
    const around = objectionIn(near) === undefined ? near : '';
    return { statement, ...draftParts(statement, isAlike(around, keyOf(statement)) ? '' : around) };
  });
}

/** Draft records of a finished session: rules that the user typed, choices that the user made, limits that the agent met. */
export function draftsOf(summary: SessionSummary, facts: SessionFacts): Draft[] {
  return statedRecords(summary).map(({ statement, category, title, text, content }) => {
    const files = [...new Set([...text.matchAll(FILE)].map((match) => match[1] as string))].slice(0, 6);
    return {
      category,
      title: titleOf(title),
      tags: tagsFor(text, files),
      ...(files.length === 0 ? {} : { related_files: files }),
      confidence: CONFIDENCE[statement.kind],
      trust: trustFrom(statement.foreign ? 'tool-output' : 'capture'),
      origin: { channel: 'capture', client: facts.client, session_id: facts.sessionId, message_ids: [statement.messageId] },
      content,
    };
  });
}
