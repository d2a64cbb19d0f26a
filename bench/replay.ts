import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataIn } from './measure.ts';
import { PlainQuotes } from './replay/plain-quotes.ts';
import { BenchProgram, type Spoken } from './replay/program.ts';
import {
  asTheyWere,
  joinedSessions,
  jsonLines,
  type LivedSession,
  type ReplayCase,
  type ReplaySession,
  sessionsIn,
  shareOf,
  transcriptOf,
} from './replay/sessions.ts';

/**
 * Replays real projects session by session: where an earlier decision was needed, did the agent have it? What `brief`, `recall` and (for the
 * calls the agent then made) `recall --batch` say, beside plain FTS5. `npm run bench -- replay [PROJECT…] [--joined] [--rows FILE]`; --joined makes one
 * large project of all, --rows saves the answers.
 */
interface CaseResult {
  readonly id: string;
  readonly kind: string;
  readonly start: Spoken;
  readonly recalled: Spoken;
  readonly acted: readonly Spoken[];
  readonly all: number;
  readonly brief: number;
  readonly recall: number;
  readonly action: number;
  readonly plain: number;
}

const textOf = (spoken: readonly Spoken[]): string => spoken.map(({ text }) => text).join('\n');
const onePerText = (spoken: readonly Spoken[]): readonly Spoken[] => [
  ...new Map(spoken.filter(({ text }) => text !== '').map((one) => [one.text, one])).values(),
];

function runCase(program: BenchProgram, plain: PlainQuotes, session: ReplaySession, one: ReplayCase, start: Spoken): CaseResult | undefined {
  const at = session.prompts.find(({ uuid }) => one.prompt_uuid !== undefined && uuid === one.prompt_uuid) ?? session.prompts[one.prompt_index];
  if (at === undefined) return undefined;
  const recalled = program.answer('recall', at.text.slice(0, 8_000));
  const acted = onePerText(program.batch(at.actions));
  const { must = [] } = one;
  return {
    id: one.id,
    kind: one.kind,
    start,
    recalled,
    acted,
    all: shareOf(must, textOf([start, recalled, ...acted])),
    brief: shareOf(must, start.text),
    recall: shareOf(must, recalled.text),
    action: shareOf(must, textOf(acted)),
    plain: shareOf(must, plain.quote(at.text)),
  };
}

function replay(lived: readonly LivedSession[], cases: readonly ReplayCase[], scratch: string): readonly CaseResult[] {
  const program = new BenchProgram(scratch);
  const plain = new PlainQuotes();
  const results: CaseResult[] = [];
  for (const one of lived) {
    const { session } = one;
    const its = cases.filter(({ session_id: id, project }) => id === session.id && project === one.project);
    const start = its.length === 0 ? undefined : program.answer('brief');
    results.push(...its.flatMap((moment) => runCase(program, plain, session, moment, start as Spoken) ?? []));
    const copy = path.join(scratch, `${session.id}.jsonl`);
    fs.writeFileSync(copy, transcriptOf(one, program.folder));
    program.run('import', copy, '--json');
    program.run('summarize', session.id, '--json');
    program.run('drafts', session.id, '--save', '--json');
    fs.rmSync(copy);
    plain.add(session.id, session.prose);
  }
  plain.close();
  return results;
}

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length);
const share = (value: number): string => value.toFixed(3).replace(/^0/, '').padStart(5);
const tokensOf = (spoken: readonly Spoken[]): number => spoken.reduce((sum, { tokens }) => sum + tokens, 0);

const HEAD = `  ${''.padEnd(16)}    n  there  brief recall action  plain   tokens: brief recall action   got anything`;

function line(name: string, results: readonly CaseResult[]): string {
  const figures = (['all', 'brief', 'recall', 'action', 'plain'] as const).map((key) => ` ${share(mean(results.map((one) => one[key])))}`).join(' ');
  const tokens = [results.map(({ start }) => start.tokens), results.map(({ recalled }) => recalled.tokens), results.map(({ acted }) => tokensOf(acted))];
  const got = results.filter(({ recalled, acted }) => recalled.injected.length + acted.length > 0).length;
  return `  ${name.padEnd(16)} ${String(results.length).padStart(4)} ${figures}   ${tokens.map((one) => String(Math.round(mean(one))).padStart(6)).join(' ')}   ${got}`;
}

function print(project: string, results: readonly CaseResult[]): void {
  const needed = results.filter(({ kind }) => kind !== 'none');
  console.log(`\n${project}\n${HEAD}\n${line('needed', needed)}`);
  for (const kind of [...new Set(needed.map((one) => one.kind))].toSorted())
    console.log(
      line(
        `  ${kind}`,
        needed.filter((one) => one.kind === kind),
      ),
    );
  console.log(
    line(
      'not needed',
      results.filter(({ kind }) => kind === 'none'),
    ),
  );
}

const WITH_VALUE = new Set(['--rows', '--data']);

function run(): void {
  const data = dataIn(process.argv.slice(2));
  const file = path.join(data, 'replay-dev', 'cases.jsonl');
  if (!fs.existsSync(file)) return console.log(`skipped: there is no ${file}; --data names the folder with the data`);
  const rowsAt = process.argv.indexOf('--rows');
  const named = process.argv.slice(2).filter((word, at, all) => !word.startsWith('--') && !WITH_VALUE.has(all[at - 1] ?? ''));
  const cases = jsonLines<ReplayCase>(file);
  const projects = [...new Set(cases.map(({ project }) => project))].filter((project) => named.length === 0 || named.some((name) => project.includes(name)));
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const lived = projects.map((project) => {
      const folder = path.join(scratch, 'transcripts', project);
      fs.mkdirSync(folder, { recursive: true });
      spawnSync('tar', ['xJf', path.join(data, project, 'transcripts.tar.xz'), '-C', folder]);
      return { project, sessions: sessionsIn(folder) };
    });
    const runs = process.argv.includes('--joined')
      ? [{ name: `${projects.length} projects joined into one`, lived: joinedSessions(lived) }]
      : lived.map(({ project, sessions }) => ({ name: project, lived: asTheyWere(project, sessions) }));
    const means = runs.map(({ name, lived: sessions }, nth) => {
      const results = replay(sessions, cases, path.join(scratch, String(nth)));
      print(name, results);
      if (rowsAt >= 0) fs.appendFileSync(process.argv[rowsAt + 1] as string, results.map((one) => `${JSON.stringify({ project: name, ...one })}\n`).join(''));
      const needed = results.filter(({ kind }) => kind !== 'none');
      return { name, ours: mean(needed.map(({ all }) => all)), plain: mean(needed.map(({ plain }) => plain)) };
    });
    const worst = means.toSorted((a, b) => a.ours - b.ours)[0];
    if (worst !== undefined && means.length > 1)
      console.log(
        `\n${means.length} projects: content there ${share(mean(means.map(({ ours }) => ours)))} in the mean (plain ${share(mean(means.map(({ plain }) => plain)))}), worst ${worst.name} ${share(worst.ours)} (plain ${share(worst.plain)})`,
      );
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

run();
