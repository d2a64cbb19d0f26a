import { isAlike } from '../../capture/summary/text.ts';
import { epochOf } from '../../core/instant.ts';
import type { RecordOf } from '../../core/record/schema.ts';
import { masterLine, refOf, type Item, type MasterSection } from './item.ts';
import { topicsOf } from './theme.ts';

/** What a label of a tracking point says about where it belongs; a status is true only of its own day. */
const SECTION_OF: readonly (readonly [RegExp, MasterSection | undefined])[] = [
  [/decision|decided|chose/i, 'decisions'],
  [/dead end|abandoned|tried/i, 'evolution'],
  [/discover|learn|insight|pattern|constraint|fix|root cause|preference|convention/i, 'learnings'],
  [/question|open|blocker|risk/i, 'questions'],
  [/status|progress/i, undefined],
];

const sectionOf = (label: string): MasterSection | undefined => {
  const known = SECTION_OF.find(([pattern]) => pattern.test(label));
  return known ? known[1] : 'learnings';
};

/** Labels that say no more than the section does. */
const PLAIN = /^(decision|discovery|learning)$/i;

/** What the extractor could not see done is a reminder for the next session, not a question of the project. */
const PASSING = /^(not seen done|left alone|not committed|asked last)/i;

/** An agent's trouble with its own tools says nothing about the project. */
const OWN_TOOLS = /\b(?:edit tool|tabs? (?:vs|and|or|instead of) spaces?|tab vs space|tab-based|indentation)\b/i;

/** The goal as it was set first; what was asked for later stands in what was done. */
const firstGoal = (goal: string): string => masterLine(goal.split(/; then: | Asked after that: /)[0] ?? goal, GOAL);

/** What a session's summary has to say beyond its day. */
export function itemsOfSummary(record: RecordOf<'session_summary'>, isLatest: boolean): Item[] {
  const { content } = record;
  const files = record.related_files ?? [];
  const common = { ref: refOf(record), at: epochOf(record.created_at) ?? 0, files };
  const item = (section: MasterSection, text: string): Item => ({ ...common, section, text: masterLine(text), topics: topicsOf(text, record.tags, files) });
  const points = (content.tracking_points ?? []).flatMap(({ label, text }) => {
    const section = sectionOf(label);
    if (section === undefined || (section === 'learnings' && OWN_TOOLS.test(text))) return [];
    const said = section === 'evolution' ? `Tried and given up: ${text}` : PLAIN.test(label) ? text : `${label}: ${text}`;
    return [item(section, said)];
  });
  const open = [...(content.blockers ?? []).map((text) => `Blocked: ${text}`), ...content.next_actions].filter((text) => isLatest || !PASSING.test(text));
  const done = doneIn(record);
  const came =
    done === undefined || content.outcome === 'abandoned' ? [] : [item('evolution', asOne(content.goal, done) ?? `${firstGoal(content.goal)}: ${done}`)];
  return [...points, ...came, ...open.map((text) => item('questions', text))].filter(({ text }) => text !== '');
}

const GOAL = 120;

/** What a session brought: its commit, which says it best, or what it first called done. */
const doneIn = ({ content }: RecordOf<'session_summary'>): string | undefined =>
  content.completed.find((text) => /^committed /i.test(text)) ?? content.completed[0];

const COMMITTED = /^committed ([0-9a-f]{7,40}): (.+)$/is;

/** A goal and what came of it; a commit that says the goal again stands for both. */
function asOne(goal: string, done: string): string | undefined {
  const [, hash = '', subject = ''] = COMMITTED.exec(done) ?? [];
  return subject !== '' && isAlike(goal, subject) ? `${masterLine(subject, GOAL)} (commit ${hash})` : undefined;
}

/** Where the work stands, from the sessions that are newest. */
export function statusItem(record: RecordOf<'session_summary'>, isLatest: boolean): Item {
  const { content } = record;
  const done = doneIn(record);
  const doing = content.in_progress?.find((text) => isLatest || !PASSING.test(text));
  const both = done === undefined ? undefined : asOne(content.goal, done);
  const text = [
    `${both ?? firstGoal(content.goal)} (${content.outcome})`,
    ...(done === undefined || both !== undefined ? [] : [`done: ${done}`]),
    ...(doing === undefined ? [] : [`under way: ${doing}`]),
  ].join('; ');
  const files = record.related_files ?? [];
  return {
    section: 'status',
    text: masterLine(text),
    ref: refOf(record),
    at: epochOf(record.created_at) ?? 0,
    topics: topicsOf(content.goal, record.tags, files),
    files,
  };
}
