import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GATE } from '../src/recall/gate/weights.ts';
import { chooseThresholds, type Costs, isOther, isSame, LIMITS, mean, outcomeOf, type Thresholds } from './gate/choose.ts';
import { type Judged, judgeProject, type ScoredRecord } from './gate/run.ts';
import { type GateProject, projectsIn, sessionsProject } from './gate/sets.ts';
import { median } from './measure.ts';

/**
 * Does recall inject when it should, and only then? `--data FOLDER` holds gate-dev.json; `--set FILE` names another file of that form, with other projects
 * and prompts. Records are files, and every prompt goes through recall as in a hook. `--rows FILE` saves the injections. `--model FOLDER` names the sentence model that `embed setup` installed and asks it too. Thresholds are also chosen anew with each project left out in turn, for plain FTS5 too.
 */
const argument = (name: string): string | undefined => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

const percent = (some: readonly boolean[]): string => (some.length === 0 ? '   –' : `${(100 * mean(some.map(Number))).toFixed(0).padStart(4)}`);
const verdict = (good: boolean): string => (good ? 'met' : 'MISSED');

const HOWS = ['named', 'topic', 'paraphrase', 'implied', 'own', 'row'];

function answerableLine(name: string, some: readonly Judged[]): string {
  const spoke = some.filter(({ injected }) => injected > 0);
  const records = spoke.length === 0 ? '–' : mean(spoke.map(({ injected }) => injected)).toFixed(2);
  const first = percent(some.map(({ plain }) => plain[0]?.right === true));
  const best = percent(some.map(({ weighed }) => weighed[0]?.right === true));
  return `  ${name.padEnd(24)} ${String(some.length).padStart(4)}   right ${percent(some.map(({ right }) => right))} %  shown ${percent(some.map(({ shown }) => shown))} %  records ${records}   right one first ${best} %, plain FTS5 ${first} %`;
}

const silentLine = (name: string, some: readonly Judged[]): string =>
  `  ${name.padEnd(24)} ${String(some.length).padStart(4)}   spoke ${percent(some.map(({ injected }) => injected > 0))} %  shown ${percent(some.map(({ injected, named }) => injected > 0 && !named))} %  tokens ${mean(some.map(({ tokens }) => tokens)).toFixed(1)}`;

function print(title: string, judged: readonly Judged[]): void {
  const answerable = judged.filter(({ prompt }) => prompt.how !== undefined);
  console.log(`\n${title}\n${answerableLine('answerable', answerable)}`);
  for (const how of HOWS) {
    const some = answerable.filter(({ prompt }) => prompt.how === how);
    if (some.length > 0) console.log(answerableLine(`  ${how}`, some));
  }
  const unanswered = judged.filter(({ prompt }) => prompt.how === undefined);
  console.log(silentLine('nothing answers', unanswered));
  for (const why of new Set(unanswered.map(({ prompt }) => prompt.why ?? '')))
    console.log(
      silentLine(
        `  ${why}`,
        unanswered.filter(({ prompt }) => prompt.why === why),
      ),
    );
}

function printBars(judged: readonly Judged[], atLeast: number): void {
  const right = (how?: string): number =>
    100 * mean(judged.filter(({ prompt }) => (how === undefined ? prompt.how !== undefined : prompt.how === how)).map((one) => Number(one.right)));
  const [other, same] = [mean(judged.filter(isOther).map(({ tokens }) => tokens)), mean(judged.filter(isSame).map(({ tokens }) => tokens))];
  const spoke = judged.filter(({ prompt, injected }) => prompt.how !== undefined && injected > 0);
  console.log('\nBars');
  for (const [how, bar] of [
    [undefined, atLeast],
    ['named', 88],
    ['topic', 70],
    ['implied', 35],
  ] as const)
    console.log(`  right, ${how ?? 'all'}: ${right(how).toFixed(1)} %, at least ${bar}: ${verdict(right(how) >= bar)}`);
  console.log(`  tokens for other topics, chat, general requests: ${other.toFixed(1)}, at most ${LIMITS.other}: ${verdict(other <= LIMITS.other)}`);
  console.log(`  tokens for same words: ${same.toFixed(1)}, at most ${LIMITS.same}: ${verdict(same <= LIMITS.same)}`);
  console.log(
    `  records: ${mean(spoke.map(({ injected }) => injected)).toFixed(2)}, at most 1.5: ${verdict(mean(spoke.map(({ injected }) => injected)) <= 1.5)}`,
  );
  console.log(`  median ${median(judged.map(({ ms }) => ms)).toFixed(1)} ms a prompt`);
}

const range = (from: number, to: number, step: number): number[] => Array.from({ length: Math.round((to - from) / step) + 1 }, (_, nth) => from + nth * step);
const OURS: readonly Thresholds[] = range(0.5, 1.4, 0.1).flatMap((name) => range(1.4, 2.8, 0.1).map((show) => ({ name, show })));
/** Plain search has no second step. */
const PLAIN: readonly Thresholds[] = range(0.5, 16, 0.25).map((name) => ({ name, show: Infinity }));

const isAboveShow = ([best]: readonly ScoredRecord[]): boolean => (best?.strength ?? 0) >= GATE.show;

function costsOf(judged: readonly Judged[]): Costs {
  const of = (is: (one: Judged) => boolean): number => mean(judged.filter((one) => one.injected > 0 && is(one)).map(({ tokens }) => tokens));
  return [
    of(({ named, injected }) => named && injected === 1),
    of(({ named, injected }) => named && injected > 1),
    of(({ named, injected, weighed }) => !named && injected === 1 && isAboveShow(weighed)),
    of(({ named, weighed }) => !named && !isAboveShow(weighed)),
  ];
}

/** Thresholds from all projects but one, judged on that one. */
function printLeftOut(judged: readonly Judged[]): void {
  const costs = costsOf(judged);
  const names = [...new Set(judged.map(({ project }) => project))];
  if (names.length < 2) return;
  console.log(
    `\nThresholds chosen with the project left out (one title ${costs[0].toFixed(0)} tokens, two ${costs[1].toFixed(0)}, a record shown ${costs[2].toFixed(0)}, a title with its sentence ${costs[3].toFixed(0)}); in use: name ${GATE.name}, show ${GATE.show}`,
  );
  const rows = names.map((name) => {
    const [own, others] = [judged.filter(({ project }) => project === name), judged.filter(({ project }) => project !== name)];
    const under = (of: (one: Judged) => readonly ScoredRecord[], grid: readonly Thresholds[]) => {
      const at = chooseThresholds(others, of, costs, grid);
      const outcomes = (some: readonly Judged[]) => some.map((one) => outcomeOf(of(one), at, costs));
      return {
        at,
        right: 100 * mean(outcomes(own.filter(({ prompt }) => prompt.how !== undefined)).map(({ right }) => Number(right))),
        other: mean(outcomes(own.filter(isOther)).map(({ tokens }) => tokens)),
        same: mean(outcomes(own.filter(isSame)).map(({ tokens }) => tokens)),
      };
    };
    return { name, ours: under(({ weighed }) => weighed, OURS), plain: under(({ plain }) => plain, PLAIN) };
  });
  const figures = ({ right, other, same }: { readonly right: number; readonly other: number; readonly same: number }): string =>
    `right ${right.toFixed(0).padStart(3)} %  tokens ${other.toFixed(1)} / ${same.toFixed(1)}`;
  for (const { name, ours, plain } of rows)
    console.log(`  ${name.padEnd(16)} ${figures(ours)}  (name ${ours.at.name.toFixed(1)}, show ${ours.at.show.toFixed(1)})   plain FTS5 ${figures(plain)}`);
  for (const [what, of] of [
    ['mean', mean],
    ['worst', (values: readonly number[]) => Math.min(...values)],
  ] as const)
    console.log(
      `  ${what.padEnd(16)} right ${of(rows.map(({ ours }) => ours.right)).toFixed(0)} %   plain FTS5 ${of(rows.map(({ plain }) => plain.right)).toFixed(0)} %`,
    );
}

async function main(): Promise<void> {
  const data = path.resolve(argument('--data') ?? '.');
  const file = argument('--set') ?? path.join(data, 'gate-dev.json');
  if (!fs.existsSync(file)) return console.log(`skipped: ${file} not found; give its folder with --data, or a file with --set`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  const judgedOf = async (projects: readonly GateProject[], model?: string): Promise<readonly Judged[]> => {
    const all: Judged[] = [];
    for (const project of projects) all.push(...(await judgeProject(path.join(folder, model === undefined ? 'words' : 'meaning'), project, model)));
    return all;
  };
  try {
    const projects = projectsIn(file);
    const judged = await judgedOf(projects);
    print(`${projects.length} projects of ${path.basename(file)}: ${judged.length} prompts`, judged);
    for (const { name } of projects) {
      const own = judged.filter(({ project }) => project === name);
      console.log(
        answerableLine(
          name,
          own.filter(({ prompt }) => prompt.how !== undefined),
        ),
      );
      console.log(
        silentLine(
          '',
          own.filter(({ prompt }) => prompt.how === undefined),
        ),
      );
    }
    printBars(judged, 52);
    printLeftOut(judged);
    const model = argument('--model');
    if (model !== undefined) {
      const meant = await judgedOf(projects, path.resolve(model));
      print('The same with MiniLM', meant);
      printBars(meant, 65);
      printLeftOut(meant);
    }
    const sessions = argument('--set') === undefined ? sessionsProject(data, 'bench/gate-prompts.jsonl') : undefined;
    if (sessions) print('coding-sessions-dev, prompts of our own', await judgedOf([sessions]));
    const rows = argument('--rows');
    if (rows !== undefined) fs.writeFileSync(rows, judged.map((one) => `${JSON.stringify(one)}\n`).join(''));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void main();
