import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataIn } from './measure.ts';
import { PlainQuotes } from './replay/plain-quotes.ts';
import { BenchProgram, type Spoken } from './replay/program.ts';
import { jsonLines } from './replay/sessions.ts';

/**
 * Does the rule that decides a bug report reach the agent? Conversations and commits are imported as users do it, each report is a prompt to `recall`, and
 * the share of the rule's words in its answer is counted, beside plain FTS5. `npm run bench -- help`.
 */
interface Report {
  readonly project: string;
  readonly prompt: string;
  readonly kind: string;
  readonly rule_words: readonly string[];
  readonly gold_sessions: readonly string[];
  readonly stale_sessions: readonly string[];
}

interface ChatLine {
  readonly project: string;
  readonly session_id: string;
  readonly text: string;
}

interface CommitLine {
  readonly when: string;
  readonly subject: string;
  readonly body: string;
}

const HISTORY = 'sde-history';

const ruleWords = ({ rule_words: words }: Report, text: string): number => {
  const textWords = new Set(text.toLowerCase().match(/[a-z0-9]+/g));
  return words.filter((word) => textWords.has(word)).length / words.length;
};

/** Only the words of an outdated conversation. */
function isOutdated({ gold_sessions: gold, stale_sessions: stale }: Report, { text }: Spoken): boolean {
  const isAbout = (sessions: readonly string[]): boolean => sessions.some((session) => text.includes(session));
  return isAbout(stale) && !isAbout(gold);
}

function makeRepository(folder: string, commits: readonly CommitLine[]): void {
  fs.mkdirSync(folder, { recursive: true });
  spawnSync('git', ['init', '-q', '-b', 'main', folder]);
  const parts = commits.map(({ when, subject, body }) => {
    const text = Buffer.from(body ? `${subject}\n\n${body}\n` : `${subject}\n`);
    const head = `commit refs/heads/main\ncommitter dev <dev@example.com> ${Math.floor(Date.parse(when) / 1_000)} +0000\ndata ${text.length}\n`;
    return Buffer.concat([Buffer.from(head), text, Buffer.from('\n')]);
  });
  spawnSync('git', ['-C', folder, 'fast-import', '--quiet', '--force'], { input: Buffer.concat(parts) });
}

function textsBySession(chats: readonly ChatLine[]): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const { session_id: session, text } of chats) texts.set(session, [...(texts.get(session) ?? []), text]);
  return texts;
}

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length);
const share = (value: number): string => value.toFixed(3).replace(/^0/, '').padStart(5);

function print(kind: string, reports: readonly Report[], spoken: readonly Spoken[], plain: PlainQuotes): void {
  const withInjection = spoken.filter(({ injected }) => injected.length > 0);
  const ours = mean(reports.map((report, at) => ruleWords(report, spoken[at]?.injected.length ? (spoken[at]?.text ?? '') : '')));
  const plainShare = mean(reports.map((report) => ruleWords(report, plain.quote(report.prompt))));
  const outdated = reports.filter((report, at) => isOutdated(report, spoken[at] as Spoken)).length;
  console.log(
    `  ${kind.padEnd(22)} ${String(reports.length).padStart(3)}  rule words ${share(ours)}  plain ${share(plainShare)}  got ${withInjection.length}  outdated alone ${outdated}  tokens ${Math.round(mean(withInjection.map(({ tokens }) => tokens)))}`,
  );
}

function run(): void {
  const data = path.join(dataIn(process.argv.slice(2)), 'sde-dev');
  if (!fs.existsSync(data)) return console.log(`skipped: there is no ${data}; --data names the folder with the data`);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const reports = jsonLines<Report>(path.join(data, 'prompts.jsonl'));
    const chats = jsonLines<ChatLine>(path.join(data, 'messages.jsonl'));
    const commits = jsonLines<CommitLine>(path.join(data, 'commits.jsonl'));
    const repository = path.join(scratch, 'repository');
    makeRepository(repository, commits);
    const [talk, history] = [new BenchProgram(path.join(scratch, 'talk')), new BenchProgram(path.join(scratch, 'history'), repository)];
    talk.run('import', '--format', 'chat', path.join(data, 'messages.jsonl'));
    history.run('import', '--git');
    for (const project of [...new Set(reports.map((report) => report.project))]) {
      const plain = new PlainQuotes();
      if (project === HISTORY) for (const [nth, { subject, body }] of commits.entries()) plain.add(String(nth), [`${subject}\n\n${body}`]);
      else for (const [session, texts] of textsBySession(chats.filter((chat) => chat.project === project))) plain.add(session, texts);
      const its = reports.filter((report) => report.project === project);
      const spoken = project === HISTORY ? history.batch(its) : talk.batch(its, '--project', project);
      for (const kind of [...new Set(its.map((report) => report.kind))])
        print(
          kind,
          its.filter((report) => report.kind === kind),
          spoken.filter((_, at) => its[at]?.kind === kind),
          plain,
        );
      plain.close();
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

run();
