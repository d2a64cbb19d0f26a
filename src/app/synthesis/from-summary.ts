import { isAlike } from '../../capture/summary/text.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import type { RecordOf } from '../../core/record/schema.ts';
import { masterLine, refOf, type Item, type MasterSection } from './item.ts';
import { codeNames, isChoice, isTalk, isSelfContained, worthOf } from './statement.ts';
import { isAutomaticSummary } from '../../core/trust/review.ts';
import { commitChanges } from './from-commits.ts';
import { topicsOf } from './theme.ts';

/** The section for a tracking point, by its label; none for a status, which is soon outdated. */
const SECTION_OF: readonly (readonly [RegExp, MasterSection | undefined])[] = [
  [/decision|decided|chose/i, 'decisions'],
  [/dead end|abandoned|tried/i, 'evolution'],
  [/preference|convention/i, 'decisions'],
  [/discover|learn|insight|pattern|constraint|fix|root cause/i, 'learnings'],
  [/question|open|blocker|risk/i, 'questions'],
  [/status|progress/i, undefined],
];

const sectionOf = (label: string): MasterSection | undefined => {
  const known = SECTION_OF.find(([pattern]) => pattern.test(label));
  return known ? known[1] : 'learnings';
};

/** Labels that only repeat the section. */
const PLAIN = /^(decision|discovery|learning|preference)$/i;

/** The label of working rules, which apply to the whole project. */
const RULE_OF_WORK = /^preference$/i;

/** Reminders for the next session, which are no open questions of the project. */
const REMINDER = /^(not seen done|left alone|not committed|asked last)/i;

/** An agent's problems with its own tools, which say nothing about the project. */
const OWN_TOOLS =
  /\b(?:edit tool|(?:first|second|last) edit|old_string|matching issue|tabs? (?:vs|and|or|instead of) spaces?|tab vs space|tab-based|indentation)\b/i;

/** The first goal, without later requests: those appear under completed work. */
const firstGoal = (goal: string): string => masterLine(goal.split(/; then: | Asked after that: /)[0] ?? goal, LONGEST_GOAL);

export interface SummaryContext {
  /** Recent enough that its open ends may still be open. */
  readonly isRecent: boolean;
  /** The commits, to tell which steps were done since. */
  readonly changes: readonly { readonly what: string; readonly at: number }[];
  /** Changes that a later commit reverted. */
  readonly reverted: readonly { readonly names: readonly string[]; readonly at: number }[];
}

/** The parts of a session's summary that matter beyond its day. */
export function itemsOfSummary(record: RecordOf<'session_summary'>, { isRecent, changes, reverted }: SummaryContext): Item[] {
  const { content } = record;
  const files = record.related_files ?? [];
  const common = { ref: refOf(record), at: epochOf(record.created_at) ?? 0, files };
  // Filter the sentences of automatic summaries; accept approved ones unchanged.
  const isUseful = isAutomaticSummary(record) ? isSelfContained : (): boolean => true;
  const item = (section: MasterSection, text: string): Item => ({
    ...common,
    section,
    text: masterLine(text),
    topics: topicsOf(text, record.tags, files),
    worth: isAutomaticSummary(record) ? worthOf(text) : 1.5,
  });
  const isCommitted = commitsOfSummary(record).length > 0;
  const isTakenBack = (text: string): boolean => reverted.some(({ names, at }) => at > common.at && names.some((name) => text.includes(name)));
  const points = (content.tracking_points ?? []).flatMap(({ label, text }) => {
    const section = sectionOf(label);
    if (section === undefined || (section === 'learnings' && OWN_TOOLS.test(text)) || !isUseful(section, label, text)) return [];
    // If the session was committed, the commits' reasons replace the agent's sentences.
    if (isAutomaticSummary(record) && isCommitted && !isChoice(text) && !RULE_OF_WORK.test(label) && section !== 'evolution') return [];
    if (isAutomaticSummary(record) && isTakenBack(text)) return [];
    const statement = section === 'evolution' ? `Tried and given up: ${text}` : PLAIN.test(label) ? text : `${label}: ${text}`;
    return [RULE_OF_WORK.test(label) ? { ...item(section, statement), topics: [], isGeneral: true as const } : item(section, statement)];
  });
  const isDone = (text: string): boolean => changes.some(({ what, at }) => at > common.at && isAlike(text, what));
  const open = [...(content.blockers ?? []).map((text) => `Blocked: ${text}`), ...content.next_actions].filter(
    (text) => isRecent && !REMINDER.test(text) && !isDone(text) && isUseful('questions', '', text),
  );
  const firstCompleted = content.completed[0];
  // Committed work is listed with the other commits.
  const isOmitted = content.outcome === 'abandoned' || isCommitted || firstCompleted === undefined;
  const outcomeItems =
    isOmitted ||
    isAlike(firstCompleted, content.goal) ||
    (isAutomaticSummary(record) && !(isMeaningfulGoal(content.goal) && isSelfContained('evolution', '', firstCompleted)))
      ? []
      : [item('evolution', `${firstGoal(content.goal)}: ${firstCompleted}`)];
  return [...points, ...outcomeItems, ...open.map((text) => item('questions', text))].filter(({ text }) => text !== '');
}

const LONGEST_GOAL = 120;
const LONGEST_STATUS = 400;
/** Most characters of a commit's subject in a line with several. */
export const SUBJECT = 90;
const UNCOMMITTED = /^not committed: /i;
const COMMITTED = /^committed(?: ([0-9a-f]{7,40}))?: (.+)$/is;

/** The commits that a summary names. */
export const commitsOfSummary = ({ content, created_at: at }: RecordOf<'session_summary'>): CommitFacts[] =>
  content.completed.flatMap((text) => {
    const [, id = '', subject] = COMMITTED.exec(text) ?? [];
    return subject === undefined || subject.endsWith('…') ? [] : [{ id, at, subject, body: '', merge: false, files: [] }];
  });

/** Whether a goal makes sense to a reader who does not know the session. */
const isMeaningfulGoal = (goal: string): boolean => goal.length > 20 && !/^no goal was stated|https?:|^\S+\??$/i.test(goal) && /(?:\S+\s+){3,}/.test(goal);

/** The sentences before the first one with code names. */
function withoutCode(text: string): string {
  const sentences = text.split(/(?<=[.!?])\s+(?=[\p{Lu}`])/u);
  const at = sentences.findIndex((sentence) => (sentence.match(/`[^`]+`/g) ?? []).length + codeNames(sentence.replaceAll(/`[^`]+`/g, '')) > 0);
  return at > 0 ? sentences.slice(0, at).join(' ') : text;
}

/** Points to the sections that list a session's changes with their reasons. */
const listedElsewhere = (themes: readonly string[]): string =>
  `${themes.length === 1 ? 'one change' : `${themes.length} changes`}, told under ${[...new Set(themes)].join(' and ')}`;

/** A status line on one of the latest sessions. `placeOf` names the section that lists a change with its reason. */
export function statusItem(record: RecordOf<'session_summary'>, isLatest: boolean, placeOf: (what: string) => string | undefined = () => undefined): Item {
  const { content } = record;
  const subjects = commitChanges(commitsOfSummary(record)).map(({ what }) => what);
  const inProgress = isLatest ? content.in_progress?.[0] : undefined;
  const goal = firstGoal(content.goal);
  const isRepeated = subjects.some((subject) => isAlike(goal, subject));
  const open = subjects.filter((subject) => placeOf(subject) === undefined);
  const doneText =
    subjects.length > 0
      ? `committed ${
          open.length === 0
            ? listedElsewhere(subjects.flatMap((subject) => placeOf(subject) ?? []))
            : open
                .toReversed()
                .slice(0, 2)
                .map((subject) => `“${masterLine(subject, SUBJECT)}”`)
                .join(', ')
        }`
      : content.completed[0] === undefined || isAlike(content.completed[0], goal)
        ? ''
        : `done: ${withoutCode(content.completed[0])}`;
  // Commits describe the work better than the first request.
  const isRequest = isTalk(goal) || /[?…:]$/.test(goal) || goal.length > SUBJECT;
  const aim = isRepeated || (subjects.length > 0 && (!isMeaningfulGoal(goal) || isRequest)) ? '' : isRequest ? `asked: “${goal}”` : goal;
  const text = [aim, doneText, ...(inProgress === undefined ? [] : [UNCOMMITTED.test(inProgress) ? inProgress.replace(/^N/, 'n') : `under way: ${inProgress}`])]
    .filter((part) => part !== '')
    .map((part, at, parts) => (at < parts.length - 1 ? part.replace(/\.$/, '') : part))
    .join('; ');
  const files = record.related_files ?? [];
  return {
    section: 'status',
    text: masterLine(`${isLatest ? 'Last session' : 'Session before'} (${content.outcome}): ${text}`, LONGEST_STATUS),
    ref: refOf(record),
    at: epochOf(record.created_at) ?? 0,
    topics: topicsOf(content.goal, record.tags, files),
    files,
  };
}
