import fs from 'node:fs';
import path from 'node:path';
import { TRIAGED } from '../../src/core/config/categories.ts';
import type { TriageCategory } from '../../src/capture/triage/settings.ts';
import type { TriageResult } from '../../src/capture/triage/triage.ts';
import { messagesIn, triaged } from './judge.ts';

/**
 * One judgement of a person: the lines of a transcript, what they hold, and what two careful people might disagree about (counted neither way, and
 * shown apart). A stretch of kind `text` is a short run of messages, judged for the five text categories; one of kind `activity` is a session up to
 * some point, judged for whether it is worth a summary.
 */
export interface Label {
  readonly source: keyof typeof ARCHIVES;
  readonly file: string;
  readonly first: number;
  readonly last: number;
  readonly kind: 'text' | 'activity';
  readonly holds?: readonly TriageCategory[];
  readonly doubtful?: readonly TriageCategory[];
}

interface Tally {
  right: number;
  wrong: number;
  missed: number;
  doubtful: number;
}

export type Judged = ReadonlyMap<Label, TriageResult>;

export const ARCHIVES = {
  'coding-sessions-dev': 'coding-sessions-dev/transcripts.tar.xz',
  'transcript-layouts': 'transcript-layouts.tar.xz',
  'layout-fixtures': 'transcript-layouts.tar.xz',
} as const;
const FOLDERS = {
  'coding-sessions-dev': 'transcripts',
  'transcript-layouts': 'transcript-layouts/claude-code-log/real_projects',
  'layout-fixtures': 'transcript-layouts/_fixtures',
} as const;

export function labelsIn(file: string): Label[] {
  if (!fs.existsSync(file)) return [];
  const rows = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Partial<Label>);
  return rows.filter((row): row is Label => row.source !== undefined && row.file !== undefined);
}

/** What triage says of each stretch; `folder` holds the transcripts. */
export function judgedIn(folder: string, labels: readonly Label[]): Judged {
  const results = new Map<Label, TriageResult>();
  let name = '';
  let lines: string[] = [];
  for (const label of labels.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.first - b.first))) {
    const file = path.join(folder, FOLDERS[label.source], label.file);
    if (file !== name) [name, lines] = [file, fs.readFileSync(file, 'utf8').split('\n')];
    results.set(label, triaged(messagesIn(lines.slice(label.first - 1, label.last), 'claude-code')));
  }
  return results;
}

const share = (part: number, whole: number): string => (whole === 0 ? '  – ' : (part / whole).toFixed(2).padStart(4));

export function printed(title: string, results: Judged): void {
  const tallies = new Map<string, Tally>([...TRIAGED, 'all'].map((name) => [name, { right: 0, wrong: 0, missed: 0, doubtful: 0 }]));
  for (const [label, { categories }] of results) {
    for (const { category, fired } of categories) {
      if ((category === 'session_summary') !== (label.kind === 'activity')) continue;
      const held = label.holds?.includes(category) ?? false;
      const field = label.doubtful?.includes(category) ? (fired ? 'doubtful' : undefined) : held ? (fired ? 'right' : 'missed') : fired ? 'wrong' : undefined;
      if (field !== undefined) for (const name of [category, 'all']) (tallies.get(name) as Tally)[field]++;
    }
  }
  console.log(`\n${title}: ${results.size} stretches`);
  console.log('                   precision  recall   right  wrong  missed  fired on doubtful');
  for (const [name, { right, wrong, missed, doubtful }] of tallies) {
    const counts = [right, wrong, missed, doubtful].map((count) => String(count).padStart(6)).join(' ');
    console.log(`  ${name.padEnd(16)}      ${share(right, right + wrong)}    ${share(right, right + missed)}  ${counts}`);
  }
}

/** Where triage and the person disagree, with what triage read there. */
export function disagreements(results: Judged): void {
  for (const [label, { categories }] of results) {
    for (const { category, fired, score, lines } of categories) {
      if ((category === 'session_summary') !== (label.kind === 'activity') || label.doubtful?.includes(category)) continue;
      if ((label.holds?.includes(category) ?? false) === fired) continue;
      console.log(`${fired ? 'wrong ' : 'missed'} ${category} ${score.toFixed(2)} ${label.file}:${label.first}-${label.last} ${lines[0]?.text ?? ''}`);
    }
  }
}
