import type { TriageMatch } from '../triage/score.ts';
import type { TextCategory } from '../triage/settings.ts';
import type { ToolActivity } from './ledger.ts';
import { isAnnouncement } from './openers.ts';
import { isDiagnosis, wholeText } from './said.ts';
import { isAlike, listItem } from './text.ts';

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
const statusOf = (ledger: ToolActivity): TrackingPoint[] => {
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
export function trackingPoints(
  matches: (category: TextCategory) => readonly TriageMatch[],
  ledger: ToolActivity,
  abandoned: (match: TriageMatch) => boolean,
): TrackingPoint[] {
  const points: TrackingPoint[] = [];
  for (const [category, label, limit] of LABELS) {
    const telling = matches(category).filter((match) => !isAnnouncement(match.sentence.plain) && !(category === 'decision' && isDiagnosis(match)));
    for (const match of telling.slice(0, limit * 3)) {
      const text = listItem(wholeText(match), LIMIT);
      if (SAYS_TOO_LITTLE.test(text)) continue;
      if (points.filter((point) => point.label === label).length >= limit || points.some((point) => isAlike(point.text, text))) continue;
      points.push({ label: category === 'decision' && abandoned(match) ? 'Dead end' : label, text });
    }
  }
  return [...points, ...statusOf(ledger)];
}
