import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messagesIn, type Episode } from '../src/app/episodes/read.ts';
import type { MemoryRecord } from '../src/core/record/schema.ts';
import { draftsFrom, draftsFromChats, type ProjectDrafts } from './drafts/sessions.ts';
import { dataIn } from './measure.ts';

/**
 * The quality of drafts without a model: all records saved from the sessions of four real projects, each judged by reading its transcript to the end.
 * `good`: true, worth keeping weeks later, understandable alone, right category. `weak`: true, but one of these is missing. `false`: not so, or taken back.
 * `duplicate`: another record says it. Labels are references (project, session, message, a hash), never text. `--judge FILE` writes the input of a judge, which does not mention the rules.
 */
const PROJECTS = ['coding-cipher-box', 'coding-git-sync', 'coding-oh-my-posh', 'coding-sessions-dev'];
/** Conversations between people, without an agent: records saved from them are noise, or by chance a rule. */
const CHATS = ['locomo-dev', 'sde-dev'];
const LABELS = 'bench/drafts/labels.jsonl';
const WORST = 10;
const BARS = { good: 0.8, false: 0.03, duplicate: 0.05 };
const NORMAL_95 = 1.96;

type Verdict = 'good' | 'weak' | 'false' | 'duplicate' | 'unjudged';
const ORDER: readonly Verdict[] = ['false', 'duplicate', 'weak', 'unjudged', 'good'];

interface Label {
  readonly id: string;
  readonly label: Exclude<Verdict, 'unjudged'>;
  /** The judge: a person who has not read the rules, or their author. */
  readonly by?: 'apart' | 'author';
  readonly why?: string;
}

interface Judged {
  readonly project: string;
  readonly record: MemoryRecord;
  readonly id: string;
  readonly verdict: Verdict;
  readonly why: string;
}

/** The same draft of the same message has the same id, and a draft that says something else needs a new judgement. */
const idOf = (project: string, { origin, category, title }: MemoryRecord): string =>
  createHash('sha256').update([project, origin?.session_id, origin?.message_ids?.[0], category, title].join('\n')).digest('hex').slice(0, 16);

function judged({ project, records }: ProjectDrafts, labels: ReadonlyMap<string, Label>): Judged[] {
  return records.map((record) => {
    const id = idOf(project, record);
    const known = labels.get(id);
    return { project, record, id, verdict: known?.label ?? 'unjudged', why: known?.why ?? '' };
  });
}

const percent = (count: number, all: number): string => `${all === 0 ? 0 : Math.round((100 * count) / all)} %`;

/** The range that holds the true share in 95 of 100 samples of this size. */
function wilson(share: number, count: number): [number, number] {
  const z = NORMAL_95 ** 2 / Math.max(1, count);
  const half = (NORMAL_95 / Math.sqrt(Math.max(1, count))) * Math.sqrt(share * (1 - share) + z / 4);
  return [(share + z / 2 - half) / (1 + z), (share + z / 2 + half) / (1 + z)];
}

function row(name: string, drafts: readonly Judged[], sessions: number): string {
  const count = (verdict: Verdict): number => drafts.filter((draft) => draft.verdict === verdict).length;
  const cells = (['good', 'weak', 'false', 'duplicate', 'unjudged'] as const).map(
    (verdict) => `${verdict} ${count(verdict)} (${percent(count(verdict), drafts.length)})`,
  );
  return `${name.padEnd(20)} ${String(drafts.length).padStart(3)} drafts of ${sessions} sessions, ${Math.round((100 * drafts.length) / Math.max(1, sessions))} a hundred: ${cells.join(', ')}`;
}

const draftLine = ({ project, record, verdict, why }: Judged): string =>
  `  ${verdict.padEnd(9)} ${project} ${record.category}: ${record.title}${why === '' ? '' : ` [${why}]`}`;

const LONG = 4_000;
const SHORT = 400;
const LATER = 40;

/** The input of a judge, one line of JSON for each draft: the record, the conversation around its message, and all later prompts. */
function forJudge({ id, project, record }: Judged, sessions: readonly Episode[]): string {
  const { category, title, content, trust, origin } = record;
  const session = sessions.find(({ facts }) => facts.sessionId === origin?.session_id);
  const messages = session === undefined ? [] : [...messagesIn(session)].filter(({ agentId }) => agentId === undefined);
  const at = messages.findIndex((message) => message.id === origin?.message_ids?.[0]);
  const linesBetween = (from: number, to: number, limit: number): string[] =>
    messages
      .slice(Math.max(0, from), Math.max(0, to))
      .filter(({ role, text }) => role !== 'tool' && text.trim() !== '')
      .map(({ role, text }) => `${role}: ${text.slice(0, limit)}`);
  const later = messages.slice(at + 1);
  const transcript = `${project}/transcripts/${origin?.session_id ?? ''}.jsonl`;
  return JSON.stringify({
    id,
    transcript,
    message: origin?.message_ids?.[0],
    record: { category, title, content, trust },
    before: linesBetween(at - 8, at, SHORT),
    said: messages[at]?.text.slice(0, LONG),
    next: linesBetween(at + 1, at + 6, SHORT),
    userLater: later
      .filter(({ role, text }) => role === 'user' && text.trim() !== '')
      .map(({ text }) => text.slice(0, SHORT))
      .slice(0, LATER),
    lastWords: later.findLast(({ role, text }) => role === 'assistant' && text.trim() !== '')?.text.slice(-LONG),
  });
}

async function run(): Promise<void> {
  const data = dataIn(process.argv.slice(2));
  const archives = PROJECTS.map((project) => [project, path.join(data, project, 'transcripts.tar.xz')] as const);
  const missing = archives.find(([, archive]) => !fs.existsSync(archive));
  if (missing) {
    console.log(`skipped: there is no ${missing[1]}; --data names the folder with the data`);
    return;
  }
  const judge = process.argv.includes('--judge') ? process.argv[process.argv.indexOf('--judge') + 1] : undefined;
  if (judge !== undefined) fs.writeFileSync(judge, '');
  const rows = fs.existsSync(LABELS) ? fs.readFileSync(LABELS, 'utf8').split('\n').filter(Boolean) : [];
  const labels = new Map(rows.map((line) => JSON.parse(line) as Label).map((label) => [label.id, label]));
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const all: Judged[] = [];
    let sessions = 0;
    for (const [project, archive] of archives) {
      const made = await draftsFrom(archive, project, scratch);
      const drafts = judged(made, labels);
      console.log(row(project, drafts, made.sessions.length));
      if (judge !== undefined) for (const draft of drafts) fs.appendFileSync(judge, `${forJudge(draft, made.sessions)}\n`);
      all.push(...drafts);
      sessions += made.sessions.length;
    }
    for (const category of new Set(all.map(({ record }) => record.category)))
      console.log(
        row(
          category,
          all.filter(({ record }) => record.category === category),
          sessions,
        ),
      );
    console.log(row('all', all, sessions));
    const leaving = new Set(all.map(({ record }) => record.origin?.session_id)).size;
    console.log(`${leaving} of ${sessions} sessions leave a record (${percent(leaving, sessions)}).`);
    for (const name of CHATS) {
      const chats = path.join(data, name, 'messages.jsonl');
      if (!fs.existsSync(chats)) continue;
      const { records, sessions: talks } = await draftsFromChats(chats, name, scratch);
      console.log([`${name}: ${records.length} drafts of ${talks.length} conversations.`, ...records.map(({ title }) => `  ${title}`)].join('\n'));
    }
    const worst = all.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)).slice(0, WORST);
    console.log(['', 'The worst ten:', ...worst.map(draftLine)].join('\n'));
    const share = (verdict: Verdict): number => all.filter((draft) => draft.verdict === verdict).length / Math.max(1, all.length);
    const isPrecise = share('good') >= BARS.good && share('false') <= BARS.false && share('duplicate') <= BARS.duplicate;
    const good = (project: string): number => {
      const own = all.filter((draft) => draft.project === project);
      return own.filter(({ verdict }) => verdict === 'good').length / Math.max(1, own.length);
    };
    const apart = all.filter(({ id }) => labels.get(id)?.by === 'apart').length;
    console.log(`\nPrecision (good at least 80 %, false at most 3 %, duplicates at most 5 %): ${isPrecise ? 'reached' : 'missed'}.`);
    console.log(`The worst project: ${Math.round(100 * Math.min(...PROJECTS.map(good)))} % good.`);
    const [low, high] = wilson(share('good'), all.length);
    console.log(`With ${all.length} drafts the share of good ones lies between ${percent(low, 1)} and ${percent(high, 1)} (95 %).`);
    console.log(`${apart} of ${all.length} were judged by a person who had not read the rules.`);
    if (!isPrecise) process.exitCode = 1;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

void run();
