import type { Match } from '../triage/score.ts';
import type { TextCategory } from '../triage/settings.ts';
import type { Ledger } from './ledger.ts';
import { isAlike, itemOf, withoutMarks } from './text.ts';

export interface TrackingPoint {
  readonly label: string;
  readonly text: string;
}

const LABELS: readonly (readonly [TextCategory, string, number])[] = [
  ['decision', 'Decision', 4],
  ['runbook', 'Discovery', 3],
  ['constraint', 'Learning', 3],
  ['preference', 'Preference', 3],
];
const LIMIT = 280;
/** Lines that make sense only beside what they answer. */
const SAYS_TOO_LITTLE = /^.{0,14}$|^.{0,70}\boption [a-d1-9]\b.{0,30}$/i;
/** Labels that name a part of a report and not what it is about. */
const PLAIN_LABEL =
  /^(?:the |root |proposed )?(?:fix(?:es|ed)?|cause|problem|issue|bug|note|solution|goal|result|summary|decision|why|rationale|changes?|files?|context|current|(?:step|phase|change|fix|bug|problem) \d+)$/i;

const labelled = (match: Match, words: string): string => {
  const label = withoutMarks(match.sentence.label);
  return label === '' || PLAIN_LABEL.test(label) || /^`[^`]+`$/.test(match.sentence.label) || words.startsWith(label) ? words : `${label}: ${words}`;
};

const POINTS_BACK = /^(?:this|that|it|these|which)\b/i;

/** What a sentence that points back points to. */
function before(match: Match): string[] {
  const { sentences } = match.passage;
  const earlier = sentences[sentences.indexOf(match.sentence) - 1];
  return POINTS_BACK.test(match.sentence.plain) && earlier !== undefined && earlier.plain.length > 20 ? [withoutMarks(earlier.text)] : [];
}

/** A match as a line: the sentence, and beside it what makes it whole. */
export function wholeText(match: Match): string {
  const words = withoutMarks(match.sentence.text).replace(/^(?:actually|so|ok(?:ay)?|now|good|perfect|great|exactly|yes|wait)[,.!:—–]+\s*/i, '');
  const beside = match.beside
    .map((sentence) => withoutMarks(sentence.text))
    .filter((text) => !isAlike(text, words) && text.length > 20 && !/^(?:let me|i'll|now |i need)|^`[^`]+`(?: \([^)]*\))?$/i.test(text));
  return [...before(match), labelled(match, words), ...beside].map((text) => text.replace(/[.:\s]+$/, '')).join('. ');
}

const statusOf = (ledger: Ledger): TrackingPoint[] => {
  const checks = ledger.checks.map(({ kind, passed, count }) => {
    if (kind === 'tests') return passed ? (count === undefined ? 'tests pass' : count === 1 ? '1 test passes' : `${count} tests pass`) : 'tests fail';
    return { lint: passed ? 'lint clean' : 'lint fails', types: passed ? 'types check' : 'type errors', build: passed ? 'builds' : 'build fails' }[kind];
  });
  const commit = ledger.commits.at(-1);
  const committed = commit === undefined ? [] : [`last commit ${commit.hash?.slice(0, 8) ?? `"${commit.subject}"`}`];
  const files = ledger.files.length === 0 ? [] : [`${ledger.files.length} ${ledger.files.length === 1 ? 'file' : 'files'} changed`];
  const parts = [...files, ...checks, ...committed];
  return parts.length === 0
    ? []
    : [
        {
          label: 'Status',
          text: `${parts.join(', ')}${ledger.unchecked && checks.length > 0 && ledger.commits.length === 0 ? '; changed since the last test run' : ''}`,
        },
      ];
};

/** What is worth following from here, under S2's labels. `abandoned` tells the matches that did not last. */
export function trackingPoints(matches: (category: TextCategory) => readonly Match[], ledger: Ledger, abandoned: (match: Match) => boolean): TrackingPoint[] {
  const points: TrackingPoint[] = [];
  for (const [category, label, limit] of LABELS) {
    for (const match of matches(category).slice(0, limit * 3)) {
      const text = itemOf(wholeText(match), LIMIT);
      if (SAYS_TOO_LITTLE.test(text)) continue;
      if (points.filter((point) => point.label === label).length >= limit || points.some((point) => isAlike(point.text, text))) continue;
      points.push({ label: category === 'decision' && abandoned(match) ? 'Dead end' : label, text });
    }
  }
  return [...points, ...statusOf(ledger)];
}
