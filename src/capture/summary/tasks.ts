import { CAUSE_HEADING } from '../triage/runbook-words.ts';
import type { TriageMatch } from '../triage/score.ts';
import { one } from '../triage/words.ts';
import { isAnnouncement, withoutOpener } from './lead-in.ts';
import { isAlike, isCutOff, listItem, startUpper, wholeItem, withoutMarks } from './text.ts';
import type { ToolCall } from '../../core/episode/episode.ts';
import type { TextCategory } from '../triage/settings.ts';
import type { ToolActivity } from './tool-activity.ts';

/** Labels that name a part of a report, not a subject. */
const PART = one(
  'fix(?:es|ed)?|cause|problem|issue|bug|note|solution|goal|result|summary|decision|why|rationale|changes?|files?|context|current',
  String.raw`(?:step|phase|change|fix|bug|problem) \d+`,
);
const PLAIN_LABEL = new RegExp(`^(?:the |root |proposed )?${PART}$`, 'i');

/** A sentence without a subject. */
const LACKS_SUBJECT = /^(?:was|is|were|has|had|now|no longer|[a-z]+s)\s/;

const withLabel = (match: TriageMatch, words: string): string => {
  const label = withoutMarks(match.sentence.label)
    .replace(/^\d+[.)]\s*/, '')
    .replace(/[.:\s]+$/, '');
  if (label === '' || PLAIN_LABEL.test(label) || words.startsWith(label)) return words;
  return /^`[^`]+`$/.test(label) && !LACKS_SUBJECT.test(words.charAt(0).toLowerCase() + words.slice(1)) ? words : `${label}: ${words}`;
};

/** The sentence continues in a list or code, which is left out. */
const BREAKS_OFF = /[,;]?\s+(?:but|and|because|so|which|that|when|where|if)$/i;
const POINTS_BACK = /^(?:this|that|it|these|which)\b/i;
/** The sentence refers to an earlier one, which is left out. */
const GOES_ON =
  /^(?:(?:this|that|these|those|it|each|both|then|either way|even if|whatever|regarding|there'?s also|the answer is|(?:the )?short answer|\w+ing (?:it|them|this|that|these|those))\b|no \w+, no\b)|\b(?:the \w+ above|see (?:above|below))\b/i;
/** An offer, an option, or advice for the moment. */
const PROPOSES =
  /^(?:if|alternatively|bonus|if you'd|a (?:safer|better|cleaner)|tell me|confirm|check|then|re-?run|re-login)\b|\b(?:if you (?:ever )?(?:want|like|need|prefer)|one option is|say the word|let me know|tell me|and\/or|you could|my (?:honest )?take)\b/i;
/** A next step, not a finding. */
const STEP =
  /^(?:add|fix|make|create|update|remove|move|use|pass|set|run|change|implement|clear|strip|land|stream|drop|replace|rename|split|switch|wrap|ensure|guarantee)\s[^:]*$/i;
/** The sentence describes a failure, not a choice. */
const FAILS = /\b(?:fails?|failed|breaks?|broke|rejects?|crash(?:es)?)\b/i;
const PRESCRIBES =
  /\b(?:should|must|instead|rather than|use|used|keep|kept|stays?|adds?|added|replaced?|removed?|default|prefer|always|never|avoid|no longer|so that|chosen?|chose|decided|deliberate(?:ly)?|by design|on purpose)\b/i;
const LEADS_ON = /^(?:so|and|but|also),?\s+(?=\S)/i;

/** Whether a line can be understood alone and fits its label. */
function isClearPoint(category: TextCategory, text: string): boolean {
  if (isCutOff(text) || GOES_ON.test(text) || PROPOSES.test(text)) return false;
  return category === 'decision' ? !FAILS.test(text) || PRESCRIBES.test(text) : !STEP.test(text);
}

/** The previous sentence, if the match refers back to it. */
function previousSentence(match: TriageMatch): string[] {
  const { sentences } = match.passage;
  const earlier = sentences[sentences.indexOf(match.sentence) - 1];
  return POINTS_BACK.test(match.sentence.plain) && earlier !== undefined && earlier.plain.length > 20 ? [withoutOpener(withoutMarks(earlier.text))] : [];
}

/** A match as a line: the sentence with the neighbouring sentences that complete it. */
function wholeText(match: TriageMatch): string {
  const words = withoutOpener(withoutMarks(match.sentence.text));
  const earlier = previousSentence(match);
  const beside = match.beside
    .map((sentence) => withoutOpener(withoutMarks(sentence.text)))
    .filter(
      (text) =>
        !earlier.includes(text) &&
        !isAlike(text, words) &&
        !PROPOSES.test(text) &&
        text.length > 20 &&
        !isAnnouncement(text) &&
        !/^(?:now |i need)|^`[^`]+`(?: \([^)]*\))?$/i.test(text),
    );
  return [...earlier, withLabel(match, words), ...beside].map((text) => startUpper(text.replace(/[.:\s]+$/, '').replace(BREAKS_OFF, ''))).join('. ');
}

/** Whether a match is under a heading of causes: a cause is no decision. */
const isDiagnosis = ({ sentence }: TriageMatch): boolean => CAUSE_HEADING.test(sentence.under.split(' > ').at(-1) ?? '');

export type TaskState = 'pending' | 'in_progress' | 'completed';

export interface Task {
  readonly subject: string;
  readonly state: TaskState;
}

const MAX_TASKS = 200;
const stateOf = (word: string | undefined): TaskState | undefined =>
  word === 'completed' || word === 'done'
    ? 'completed'
    : word === 'in_progress' || word === 'active'
      ? 'in_progress'
      : word === 'pending' || word === 'todo'
        ? 'pending'
        : undefined;

/** The agent's list of tasks, from its client's tools: one call for each task, or the whole list each time. */
export class TaskList {
  #tasks = new Map<string, Task>();
  /** Calls that create a task whose number comes with the answer. */
  readonly #unnumbered = new Map<string, string>();

  get tasks(): readonly Task[] {
    return [...this.#tasks.values()];
  }

  addCall(call: ToolCall): void {
    if (/^TaskCreate$/i.test(call.name)) this.#unnumbered.set(call.id, (call.input.split('\n')[0] ?? '').trim());
    else if (/^TaskUpdate$/i.test(call.name)) this.#update(call.input);
    else if (/^(?:TodoWrite|update_plan|write_todos|todowrite)$/i.test(call.name)) this.#replace(call.input);
  }

  addAnswer(callId: string, text: string): void {
    const subject = this.#unnumbered.get(callId);
    const number = /#(\d+)/.exec(text)?.[1];
    this.#unnumbered.delete(callId);
    if (subject !== undefined && subject !== '' && number !== undefined && this.#tasks.size < MAX_TASKS) this.#tasks.set(number, { subject, state: 'pending' });
  }

  #update(input: string): void {
    const id = /taskId: (\d+)/.exec(input)?.[1] ?? '';
    const word = /status: (\w+)/.exec(input)?.[1];
    const task = this.#tasks.get(id);
    if (word === 'deleted') this.#tasks.delete(id);
    const state = stateOf(word);
    if (task !== undefined && state !== undefined) this.#tasks.set(id, { ...task, state });
  }

  #replace(input: string): void {
    const tasks: Task[] = [];
    let subject = '';
    for (const line of input.replace(/^(?:todos|plan): /, '').split('\n')) {
      const state = stateOf(/^status: (\w+)/.exec(line)?.[1]);
      if (state !== undefined && subject !== '') {
        tasks.push({ subject, state });
        subject = '';
      } else if (!/^(?:id|priority|activeForm|explanation|status): /.test(line) && line.trim() !== '')
        subject = line.replace(/^(?:content|step|description): /, '').trim();
    }
    if (tasks.length > 0) this.#tasks = new Map(tasks.slice(0, MAX_TASKS).map((task, at) => [String(at), task]));
  }
}

export interface TrackingPoint {
  readonly label: string;
  readonly text: string;
}

const LABELS: readonly (readonly [TextCategory, string, number])[] = [
  ['decision', 'Decision', 4],
  ['runbook', 'Discovery', 3],
  ['constraint', 'Learning', 3],
];
const STATED: Readonly<Partial<Record<TextCategory, string>>> = { decision: 'Decision', constraint: 'Learning', preference: 'Preference' };
const MOST_STATED = 6;
const LIMIT = 280;
/** Questions. */
const ASKS = /\?["'”)*_`]*(?:\s+https?:\S+)?$/;
/** Suggestions of the agent. */
const SUGGESTS = /\b(?:i'd|i would) (?!just|already)\w/i;
const SAYS_TOO_LITTLE = /^.{0,14}$|^(?:error|warning|fatal)\b|^.{0,70}\boption [a-d1-9]\b.{0,30}$/i;
/** Phrases for a choice that was made. */
const MADE = new RegExp(
  [
    String.raw`\b(?:i|we)(?:'ve| have)? (?:(?:also|then|initially|finally|\w+ly) )?(?:decided|chose|chosen|went with|go with|picked|opted|settled|kept|keep|left|split|dropped|moved|switched|replaced|used|use|took|made|put|skipped|avoided|don't|do not|won't)\b`,
    String.raw`\b(?:decided|decision|chosen|chose|opted|settled on|going with|went with|by design|on purpose|deliberate(?:ly)?|intentional(?:ly)?)\b|\b(?:use|uses|used|using|keep|keeps|kept|stays?)\b.*\b(?:instead of|rather than|over)\b`,
  ].join('|'),
  'i',
);
/** A possibility, a guess or a plan, not a finding or decision. */
const SUPPOSES =
  /\b(?:if you|you could|would|could|should|might|expect|probably|most likely|sensible|good idea|option \(?\w\)?|i need to|worth noting|realistic(?:ally)?|the question is|my (?:honest )?take)\b|^(?:\d+\.:? )?(?:strip|set|add|stream|land|let's) /i;

/** A reason, which may have such words. */
const REASON = /\s(?:because|since|so that|as it|given that)\s.*$/i;

/** An agent's agreement at the start of a sentence. */
const AGREES = /^(?:good (?:call|catch|point|question)|great|exactly|yes|right)\s*[—–,.!-]+\s*(?:that'?s )?/i;
const statusOf = (activity: ToolActivity): TrackingPoint[] => {
  const checks = activity.checks.map(({ kind, passed, count }) => {
    if (kind === 'tests') return passed ? (count === undefined ? 'tests pass' : count === 1 ? '1 test passes' : `${count} tests pass`) : 'tests fail';
    return { lint: passed ? 'lint clean' : 'lint fails', types: passed ? 'types check' : 'type errors', build: passed ? 'builds' : 'build fails' }[kind];
  });
  const commit = activity.commits.at(-1);
  const committed = commit === undefined ? [] : [`last commit ${commit.hash?.slice(0, 8) ?? `"${commit.subject}"`}`];
  const files = activity.files.length === 0 ? [] : [`${activity.files.length} ${activity.files.length === 1 ? 'file' : 'files'} changed`];
  const parts = [...files, ...checks, ...committed];
  return parts.length === 0
    ? []
    : [
        {
          label: 'Status',
          text: `${parts.join(', ')}${activity.changedSinceCheck && checks.length > 0 && activity.commits.length === 0 ? '; changed since the last test run' : ''}`,
        },
      ];
};

interface SessionStatements {
  /** The user's rules and choices, and limits that the agent met. */
  readonly records: readonly { readonly category: TextCategory; readonly title: string }[];
  /** The agent's statements, by category. */
  readonly matches: (category: TextCategory) => readonly TriageMatch[];
  readonly activity: ToolActivity;
  /** Whether the session abandoned the content of a match. */
  readonly isAbandoned: (match: TriageMatch) => boolean;
  /** Statements that the agent itself calls a discovery. */
  readonly discoveries: readonly string[];
}

/** Whether a sentence introduces a list or code, which is left out. */
const leadsUp = ({ sentence }: TriageMatch): boolean => /:["'*_`)]*\s*$/.test(sentence.text) && !BREAKS_OFF.test(sentence.text.replace(/[:\s*_]+$/, ''));

/** The points worth tracking, under the labels of the specification. */
export function trackingPoints({ records: stated, matches, activity, isAbandoned, discoveries }: SessionStatements): TrackingPoint[] {
  const points: TrackingPoint[] = [
    ...stated.slice(-MOST_STATED).map(({ category, title }) => ({ label: STATED[category] ?? 'Discovery', text: listItem(title, LIMIT) })),
    ...discoveries.slice(0, 3).map((text) => ({ label: 'Discovery', text: listItem(text, LIMIT) })),
  ];
  for (const [category, label, limit] of LABELS) {
    const telling = matches(category).filter(
      (match) => !isAnnouncement(match.sentence.plain) && !leadsUp(match) && !(category === 'decision' && isDiagnosis(match)),
    );
    // Causes in a plan were known before the session, so one of them is enough.
    const planned = telling.filter(({ passage }) => passage.voice === 'plan').slice(category === 'runbook' ? 1 : telling.length);
    for (const match of telling.filter((candidate) => !planned.includes(candidate)).slice(0, limit * 3)) {
      const text = wholeItem(wholeText(match).replace(AGREES, '').replace(LEADS_ON, ''), LIMIT);
      if (SAYS_TOO_LITTLE.test(text) || ASKS.test(text) || SUGGESTS.test(text) || !isClearPoint(category, text)) continue;
      if (
        match.passage.voice === 'agent' &&
        category !== 'runbook' &&
        (SUPPOSES.test(text.replace(REASON, '')) || (category === 'decision' && !MADE.test(text)))
      )
        continue;
      if (points.filter((point) => point.label === label).length >= limit || points.some((point) => isAlike(point.text, text))) continue;
      points.push({ label: category === 'decision' && isAbandoned(match) ? 'Dead end' : label, text });
    }
  }
  return [...points, ...statusOf(activity)];
}
