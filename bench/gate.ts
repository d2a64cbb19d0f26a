import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { refresh } from '../src/app/index/refresh.ts';
import { recall } from '../src/app/recall/recall.ts';
import { recallContextFor } from '../test/open.ts';
import { openProject } from '../test/open.ts';
import { newRecord } from '../src/core/lifecycle/create.ts';
import { FOLDERS, type Category } from '../src/core/record/category.ts';
import { draftFromText } from '../src/core/record/from-text.ts';
import { renderRecordFile } from '../src/render/record-file.ts';
import { median } from './measure.ts';

/**
 * Does memory speak when it should, and only then? The store holds what was learned in the sessions of coding-sessions-dev, a record a row. Of
 * `gate-prompts.jsonl`, `own` are prompts written for rows of that data and `row` are other rows about the same fact, which are left out of the store
 * (`gold` and `like` say which records answer them); `none` are everyday prompts and questions about other things; `near` are about the same project with
 * nothing stored, shown apart. Half of the prompts, by their hash, was tuned on; the other half is what counts.
 */
interface Label {
  readonly kind: 'own' | 'row' | 'none' | 'near';
  readonly prompt?: string;
  readonly row?: number;
  readonly locomo?: number;
  readonly group?: string;
  readonly gold?: readonly number[];
  readonly like?: string;
}

interface Judged {
  readonly label: Label;
  readonly part: 'tune' | 'report';
  readonly injected: number;
  readonly right: boolean;
  readonly tokens: number;
  readonly ms: number;
}

interface Query {
  readonly kind: string;
  readonly query: string;
  readonly gold_possibly_cut_short: boolean;
}

const CODING = 'coding-sessions-dev/queries.jsonl';
const TALK = 'locomo-dev/queries.jsonl';
const CATEGORY: Readonly<Record<string, Category>> = {
  'learning.repo': 'constraint',
  'learning.workflow': 'preference',
  'learning.code': 'decision',
  friction: 'runbook',
  open_item: 'tech_debt',
};
/** As many active records as a category holds by default, beside those that answer a prompt. */
const MOST = 100;
const BARS = { unrelated: 0.05, answerable: 0.7, right: 0.8 };

const rowsOf = <T>(file: string): T[] =>
  fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

function hash(text: string): number {
  let value = 2_166_136_261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
  return value >>> 0;
}

const nameOf = ({ prompt, row, locomo }: Label): string => prompt ?? (row === undefined ? `locomo ${locomo}` : `row ${row}`);
const partOf = (label: Label): Judged['part'] => ((hash(nameOf(label)) / 65_536) % 2 >= 1 ? 'report' : 'tune');

/** The rows that become records: all that answer a prompt, and others up to a category's limit. */
function stored(rows: readonly Query[], labels: readonly Label[]): readonly number[] {
  const [asked, gold] = [new Set(labels.map(({ row }) => row)), new Set(labels.flatMap((label) => label.gold ?? []))];
  const counts = new Map<Category, number>();
  return rows
    .map((row, at) => ({ at, category: CATEGORY[row.kind], usable: !row.gold_possibly_cut_short && !asked.has(at) }))
    .filter(({ category, usable }) => usable && category !== undefined)
    .toSorted((a, b) => Number(gold.has(b.at)) - Number(gold.has(a.at)) || hash(String(a.at)) - hash(String(b.at)))
    .filter(({ at, category }) => {
      const count = (counts.get(category as Category) ?? 0) + 1;
      counts.set(category as Category, count);
      return count <= MOST || gold.has(at);
    })
    .map(({ at }) => at);
}

function writeRecords(root: string, rows: readonly Query[], numbers: readonly number[]): void {
  for (const at of numbers) {
    const { kind, query } = rows[at] as Query;
    const category = CATEGORY[kind] as Category;
    const made = newRecord(
      { ...draftFromText(category, query), tags: ['untagged'], trust: 'observed' },
      category,
      `row-${at}`,
      Date.UTC(2026, 0, 1) + at * 60_000,
    );
    if (!made.ok) throw new Error(made.error.message);
    fs.mkdirSync(path.join(root, FOLDERS[category]), { recursive: true });
    fs.writeFileSync(path.join(root, FOLDERS[category], `row-${at}.md`), renderRecordFile('x.md', made.value));
  }
}

async function judge(folder: string, rows: readonly Query[], talk: readonly Query[], labels: readonly Label[]): Promise<readonly Judged[]> {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
  fs.mkdirSync(project, { recursive: true });
  const numbers = stored(rows, labels);
  writeRecords(path.join(home, 'projects', 'project'), rows, numbers);
  const opened = openProject({ home, cwd: project, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const { memory } = opened.value;
  await refresh(memory, 'everything');
  const { recallContext, close } = recallContextFor(opened.value, { home, now: Date.now });
  const judged: Judged[] = [];
  for (const label of labels) {
    const text = label.prompt ?? (label.row === undefined ? talk[label.locomo ?? 0] : rows[label.row])?.query ?? '';
    const like = label.like === undefined ? undefined : new RegExp(label.like, 'i');
    const started = performance.now();
    const { injected, tokens } = await recall(memory, recallContext, { prompt: text });
    const ms = performance.now() - started;
    const right = injected.some(({ id }) => {
      const at = Number(/row-(\d+)$/.exec(id)?.[1]);
      return label.gold?.includes(at) || like?.test(rows[at]?.query ?? '') === true;
    });
    judged.push({ label, part: partOf(label), injected: injected.length, right, tokens, ms });
  }
  await close();
  await opened.value.close();
  console.log(`${numbers.length} records, ${labels.length} prompts`);
  return judged;
}

const percent = (part: number, whole: number): string => (whole === 0 ? '   –  ' : `${((100 * part) / whole).toFixed(1).padStart(5)} %`);
const verdict = (good: boolean): string => (good ? 'met' : 'MISSED');

function print(title: string, judged: readonly Judged[]): void {
  const of = (...kinds: readonly Label['kind'][]): readonly Judged[] => judged.filter(({ label }) => kinds.includes(label.kind));
  const [answerable, unrelated, near] = [of('own', 'row'), of('none'), of('near')];
  const spoke = (all: readonly Judged[]): readonly Judged[] => all.filter(({ injected }) => injected > 0);
  const [said, wrongly] = [spoke(answerable), spoke(unrelated)];
  const right = said.filter((one) => one.right);
  console.log(`\n${title}: ${answerable.length} answerable, ${unrelated.length} unrelated`);
  console.log(
    `  injected when unrelated    ${percent(wrongly.length, unrelated.length)}  bar at most 5 %: ${verdict(wrongly.length <= BARS.unrelated * unrelated.length)}`,
  );
  console.log(
    `  injected when answerable   ${percent(said.length, answerable.length)}  bar at least 70 %: ${verdict(said.length >= BARS.answerable * answerable.length)}`,
  );
  console.log(`  right record among them    ${percent(right.length, said.length)}  bar at least 80 %: ${verdict(right.length >= BARS.right * said.length)}`);
  for (const kind of ['own', 'row'] as const)
    console.log(
      `    ${kind.padEnd(24)} ${percent(spoke(of(kind)).length, of(kind).length)} injected, ${percent(spoke(of(kind)).filter((one) => one.right).length, spoke(of(kind)).length)} right`,
    );
  for (const group of new Set(unrelated.map(({ label }) => label.group ?? ''))) {
    const some = unrelated.filter(({ label }) => label.group === group);
    console.log(`    ${group.padEnd(24)} ${percent(spoke(some).length, some.length)} of ${some.length} injected`);
  }
  console.log(`  same project, nothing stored: ${percent(spoke(near).length, near.length)} of ${near.length} (not part of the bars)`);
  const records = said.reduce((sum, { injected }) => sum + injected, 0);
  console.log(
    `  records an injection ${(records / Math.max(1, said.length)).toFixed(1)}, tokens ${median(said.map(({ tokens }) => tokens))}, median ${median(judged.map(({ ms }) => ms)).toFixed(1)} ms`,
  );
}

async function main(): Promise<void> {
  const at = process.argv.indexOf('--data');
  const data = path.resolve(at < 0 ? '.' : (process.argv[at + 1] ?? '.'));
  const missing = [CODING, TALK].filter((file) => !fs.existsSync(path.join(data, file)));
  if (missing.length > 0) {
    console.log(`skipped: ${missing.join(' and ')} not found in ${data}; give the folder with --data`);
    return;
  }
  const [rows, talk] = [rowsOf<Query>(path.join(data, CODING)), rowsOf<Query>(path.join(data, TALK))];
  const labels = rowsOf<Label>('bench/gate-prompts.jsonl');
  const others = talk.map((_row, locomo): Label => ({ kind: 'none', group: 'conversation', locomo }));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const judged = await judge(folder, rows, talk, [...labels, ...others]);
    const labelled = judged.slice(0, labels.length);
    for (const part of ['tune', 'report'] as const)
      print(
        part === 'tune' ? 'Tuned on' : 'Reported',
        labelled.filter((one) => one.part === part),
      );
    const talked = judged.slice(labels.length);
    console.log(`\nAll questions about other people's conversations: ${talked.filter(({ injected }) => injected > 0).length} of ${talked.length} injected`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void main();
