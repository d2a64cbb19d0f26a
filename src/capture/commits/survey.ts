import type { CommitFacts } from '../../core/episode/episode.ts';
import { daysInMs, epochOf, utcSeconds } from '../../core/instant.ts';
import type { Draft } from '../../core/record/draft.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import { listItem } from '../summary/text.ts';
import { HOUSEKEEPING } from './commit-draft.ts';

export const SURVEY_TAG = 'survey';
const RECENT = daysInMs(90);
const PLACES = 5;
const SUBJECTS = 8;
/** Files that change with every commit and say nothing about the work. */
const EVERYWHERE = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|CHANGELOG\.md)$/i;

const countNames = (names: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
};

/** The folder of a file, two levels deep at most. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/') || '.';

const times = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const nameList = (pairs: readonly (readonly [string, number])[]): string => pairs.map(([name, count]) => `${name} (${count})`).join(', ');

/** A survey of a history: its age, the folders with most work, and the latest commits. */
export function surveyOf(commits: readonly CommitFacts[], name: string): Draft | undefined {
  const [newest, oldest] = [commits[0], commits.at(-1)];
  if (newest === undefined || oldest === undefined) return undefined;
  const end = epochOf(newest.at) ?? 0;
  const recent = commits.filter(({ at }) => end - (epochOf(at) ?? 0) <= RECENT);
  const files = recent.map((commit) => commit.files.filter((file) => !EVERYWHERE.test(file)));
  const folders = countNames(files.flatMap((list) => [...new Set(list.map(folderOf))])).slice(0, PLACES);
  const busiest = countNames(files.flat()).slice(0, PLACES);
  const subjects = commits.filter(({ merge, subject }) => !merge && !HOUSEKEEPING.test(subject)).slice(0, SUBJECTS);
  const day = (at: string): string => at.slice(0, 10);
  const where = folders.length === 0 ? '' : ` Work goes on in ${nameList(folders)}.`;
  return {
    category: 'analysis',
    title: `What the history of ${name} tells`,
    tags: [SURVEY_TAG, 'git'],
    related_files: busiest.map(([file]) => file),
    confidence: 0.75,
    trust: trustFrom('commits'),
    created_at: utcSeconds(end),
    origin: { channel: 'git', message_ids: [newest.id] },
    content: {
      path: '.',
      type: 'component',
      summary: `${times(commits.length, 'commit')} from ${day(oldest.at)} to ${day(newest.at)}, ${times(recent.length, 'commit')} in the last 90 days.${where}`,
      key_findings: [
        ...(busiest.length > 0 ? [`Changed most of late: ${nameList(busiest)}`] : []),
        ...subjects.map(({ at, subject }) => `${day(at)}: ${listItem(subject, 120)}`),
      ],
    },
  };
}
