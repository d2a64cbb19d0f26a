import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readerFor } from '../src/capture/transcripts/detect.ts';
import { draftsOf } from '../src/capture/drafts/drafts.ts';
import { SessionSummary } from '../src/capture/summary/summary.ts';
import { triageSettings } from '../src/capture/triage/settings.ts';
import { effectiveConfig } from '../src/core/config/effective.ts';
import type { SessionFacts } from '../src/core/episode/episode.ts';
import { dataIn } from './measure.ts';

/**
 * Summaries of real sessions made without a model, to be read as a colleague would: does each name the goal, what was done and what is open?
 * `npm run bench -- summaries [HOW MANY] [PART OF A NAME]`. The sessions are spread over the whole set by size, so that short and long ones are shown.
 */
const PROJECTS = ['coding-sessions-dev', 'coding-git-sync', 'coding-cipher-box', 'coding-oh-my-posh'];
/** From each project. */
const MANY = 5;

interface Summed {
  readonly name: string;
  readonly facts: SessionFacts;
  readonly summary: SessionSummary;
  readonly messages: number;
}

function summed(file: string): Summed | undefined {
  const reader = readerFor('claude-code', { path: file });
  const summary = new SessionSummary(triageSettings(effectiveConfig({})));
  let facts: SessionFacts | undefined;
  let messages = 0;
  const events = [
    ...fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => reader.push(line)),
    ...reader.end(),
  ];
  for (const event of events) {
    if (event.kind === 'message') {
      summary.add(event.message);
      messages++;
    } else if (event.kind === 'facts') facts = event.facts;
  }
  return facts && { name: path.basename(file, '.jsonl'), facts, summary, messages };
}

const list = (title: string, items: readonly string[] | undefined): string[] =>
  items === undefined || items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  - ${item}`)];

function page({ name, facts, summary, messages }: Summed): string {
  const content = summary.content(facts);
  return [
    `── ${name} (${messages} messages)`,
    `Goal: ${content.goal}`,
    ...(content.context === undefined ? [] : [`Context: ${content.context}`]),
    `Outcome: ${content.outcome}`,
    ...list('Done', content.completed),
    ...list('In progress', content.in_progress),
    ...list('Blockers', content.blockers),
    ...list('Next', content.next_actions),
    ...([content.in_progress, content.blockers, content.next_actions].every((items) => (items ?? []).length === 0) ? ['Open: nothing was left open'] : []),
    ...list('Changed', content.key_changes),
    ...list(
      'Tracking points',
      content.tracking_points?.map(({ label, text }) => `${label}: ${text}`),
    ),
    ...list(
      'Drafts',
      draftsOf(summary, facts).map(({ category, title, trust }) => `${String(category)}: ${String(title)}${trust === 'quarantined' ? ' (quarantined)' : ''}`),
    ),
    '',
  ].join('\n');
}

/** Sessions of a project, spread over its sizes. */
function filesIn(archive: string, folder: string, many: number, part: string): string[] {
  fs.mkdirSync(folder);
  spawnSync('tar', ['xJf', archive, '-C', folder], { stdio: 'inherit' });
  const transcripts = path.join(folder, 'transcripts');
  const files = fs
    .readdirSync(transcripts)
    .filter((name) => name.includes(part))
    .map((name) => path.join(transcripts, name))
    .toSorted((a, b) => fs.statSync(a).size - fs.statSync(b).size);
  const step = Math.max(1, Math.floor(files.length / many));
  return files.filter((_, at) => at % step === Math.floor(step / 2)).slice(0, many);
}

function run(): void {
  const archives = PROJECTS.map((project) => path.join(dataIn(process.argv.slice(2)), project, 'transcripts.tar.xz'));
  const missing = archives.find((archive) => !fs.existsSync(archive));
  if (missing !== undefined) {
    console.log(`skipped: there is no ${missing}; --data names the folder with the data`);
    return;
  }
  const words = process.argv.slice(2).filter((word, at, all) => word !== '--data' && all[at - 1] !== '--data');
  const [many = String(MANY), part = ''] = words;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const chosen = archives.flatMap((archive, at) => filesIn(archive, path.join(folder, String(at)), Number(many), part));
    const pages = chosen.flatMap((file) => summed(file) ?? []);
    for (const one of pages) console.log(page(one));
    const contents = pages.map(({ summary, facts }) => summary.content(facts));
    const open = contents.filter((one) => [one.in_progress, one.blockers, one.next_actions].some((items) => (items ?? []).length > 0)).length;
    console.log(
      `${pages.length} summaries: ${contents.filter(({ goal }) => goal !== 'No goal was stated').length} name a goal, ${contents.filter(({ completed, key_changes: changes }) => completed.length > 0 || (changes ?? []).length > 0).length} what was done, ${open} something open`,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

run();
