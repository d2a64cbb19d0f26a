import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MessageSearchIndex } from '../src/adapters/sqlite/episodes/message-search.ts';
import type { SearchedIndex } from '../src/recall/rank/rank-chunks.ts';
import { rankProjects } from '../src/recall/rank/rank-projects.ts';
import { meaningOf, type NearIn } from './retrieval/near.ts';
import { PlainSearch } from './retrieval/plain.ts';
import { type By, type Figures, type RankedIds, HEAD, judge, line, means } from './retrieval/ruler.ts';
import { codingProjects, conversations, type DataSet, type Query } from './retrieval/sets.ts';
import { ablate, tune } from './retrieval/tune.ts';

/**
 * Does search find what answers a question? The data is imported with the command that users have and searched as they do, ten hits a question, beside plain
 * FTS5 over prose. `--data FOLDER` holds projects (folders with transcripts.tar.xz and queries.jsonl) and locomo-dev. `--ablate` drops each channel of ranking
 * in turn; `--tune` finds weights with each project left out. `--model FOLDER` names the sentence model that `embed setup` installed and asks it too;
 * `--vectors FOLDER` keeps the vectors, which take an hour to make.
 */
const LIMIT = 10;
/** Sessions of one project are all that plain search needs to name ten of them. */
const PLAIN_LIMIT = 400;
const NOW = Date.now();

interface Answer {
  readonly query: Query;
  readonly ours: RankedIds;
  readonly plain: RankedIds;
  /** With the sentence model. */
  readonly meant: RankedIds;
}

const NOTHING: RankedIds = { sessions: [], messages: [] };

type Searched = Pick<SearchedIndex, 'repository' | 'distance'> & { readonly index: MessageSearchIndex };

async function askOf(searched: readonly Searched[], query: Query, near?: NearIn): Promise<RankedIds> {
  const indexes = searched.map(({ index }) => index);
  const { hits } = await rankProjects(searched, { text: query.query, limit: LIMIT, now: NOW, ...(near && { near: await near(indexes, query.query) }) });
  return { sessions: hits.map(({ candidate }) => candidate.row.id), messages: hits.flatMap(({ candidate }) => candidate.chunk.messageId ?? []) };
}

/** Asks one project, however many folders its sessions were in. */
const ask = (indexes: readonly MessageSearchIndex[], query: Query, near?: NearIn): Promise<RankedIds> =>
  askOf(
    indexes.map((index) => ({ index })),
    query,
    near,
  );

async function answers(set: DataSet, near: NearIn | undefined): Promise<readonly Answer[]> {
  const plain = new Map([...set.messages].map(([project, messages]) => [project, new PlainSearch(messages)]));
  const all: Answer[] = [];
  for (const query of set.queries)
    all.push({
      query,
      ours: await ask(set.indexesOf(query), query),
      meant: near ? await ask(set.indexesOf(query), query, near) : NOTHING,
      plain: plain.get(set.projectOf(query))?.search(query.query, PLAIN_LIMIT) ?? NOTHING,
    });
  for (const one of plain.values()) one.close();
  return all;
}

type Figured = ReadonlyMap<string, Figures>;

function figured(all: readonly Answer[], whose: 'ours' | 'plain' | 'meant', by: By, groupOf: (query: Query) => string): Figured {
  return means(all.map((answer) => ({ group: groupOf(answer.query), figures: judge(answer.query, answer[whose], by) })));
}

function print(title: string, all: readonly Answer[], by: By, groupOf: (query: Query) => string): readonly [ours: Figures, plain: Figures, meant: Figures] {
  const [ours, plain] = [figured(all, 'ours', by, groupOf), figured(all, 'plain', by, groupOf)];
  console.log(`\n${title}\n${HEAD}`);
  for (const [group, figures] of ours) {
    const beside = plain.get(group);
    if (beside !== undefined) console.log(line(group, figures, beside));
  }
  const meant = figured(all, 'meant', by, groupOf).get('all') as Figures;
  if (all.some((answer) => answer.meant !== NOTHING)) console.log(line('all, with MiniLM', meant, plain.get('all') as Figures));
  return [ours.get('all') as Figures, plain.get('all') as Figures, meant];
}

const kindOf = ({ kind = '', verbatim }: Query): string => (kind === 'commit' ? `commit, ${verbatim ? 'verbatim' : 'not verbatim'}` : kind);
const CATEGORIES = ['', 'several facts', 'time', 'inference', 'one fact', 'misattributed'];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const signed = (points: number): string => `${points < 0 ? '' : '+'}${points.toFixed(1)}`;

/** The gain of each project over plain search, and the loss when all projects are searched at once. */
async function printCoding(sets: readonly DataSet[], near: NearIn | undefined): Promise<void> {
  const rows: {
    readonly name: string;
    readonly any1: number;
    readonly any5: number;
    readonly full: boolean;
    readonly own: Figures;
    /** All projects searched at once, asked in the project that answers and outside of all of them. */
    readonly inside: Figures;
    readonly outside: Figures;
    readonly meant: Figures;
  }[] = [];
  // Folders of one name are one repository, as the program takes them.
  const everything = sets.flatMap(({ indexes }) => [...indexes].map(([key, index]) => ({ index, repository: key.replace(/-[0-9a-f]{6}$/, '') })));
  for (const set of sets) {
    const answered = await answers(set, near);
    const [ours, plain, meant] = print(`${set.name}, by session`, answered, 'session', kindOf);
    const own = new Set(set.indexes.values());
    const fromInside = everything.map((one) => ({ ...one, distance: own.has(one.index) ? 0 : 1 }));
    const together = async (searched: readonly Searched[]): Promise<Figures> => {
      const crossAnswers: Answer[] = [];
      for (const answer of answered) crossAnswers.push({ ...answer, ours: await askOf(searched, answer.query) });
      return figured(crossAnswers, 'ours', 'session', () => 'all').get('all') as Figures;
    };
    const [inside, outside] = sets.length < 2 ? [ours, ours] : [await together(fromInside), await together(everything)];
    rows.push({
      name: set.name,
      any1: 100 * (ours.any1 - plain.any1),
      any5: 100 * (ours.any5 - plain.any5),
      full: plain.any5 >= 0.95,
      own: ours,
      inside,
      outside,
      meant,
    });
  }
  const change = (one: (typeof rows)[number], where: 'inside' | 'outside' | 'meant', at: 'any1' | 'any5'): number => 100 * (one[where][at] - one.own[at]);
  const changes = (some: typeof rows, where: 'inside' | 'outside' | 'meant'): string =>
    (['any1', 'any5'] as const).map((at) => signed(mean(some.map((one) => change(one, where, at))))).join(' ');
  console.log('\nany@1 any@5: points above plain FTS5 over prose; change where all projects are searched at once, asked in the project, and outside of all');
  for (const one of rows)
    console.log(
      `  ${one.name.padEnd(22)} ${signed(one.any1)} ${signed(one.any5)}${one.full ? ' (plain has .95 or more)' : ''}   ${changes([one], 'inside')}   ${changes([one], 'outside')}`,
    );
  console.log(
    `  ${'mean'.padEnd(22)} ${signed(mean(rows.map(({ any1 }) => any1)))} ${signed(mean(rows.filter(({ full }) => !full).map(({ any5 }) => any5)))}   ${changes(rows, 'inside')}   ${changes(rows, 'outside')}`,
  );
  if (near) {
    console.log('Points gained by MiniLM: any@1, any@5');
    for (const one of rows) console.log(`  ${one.name.padEnd(22)} ${changes([one], 'meant')}`);
    console.log(`  ${'mean'.padEnd(22)} ${changes(rows, 'meant')}`);
  }
}

async function printTalk(set: DataSet, near: NearIn | undefined): Promise<void> {
  const all = await answers(set, near);
  const categoryOf = ({ category = 0 }: Query): string => CATEGORIES[category] ?? String(category);
  print('Conversations, by session', all, 'session', categoryOf);
  print('Conversations, by message', all, 'message', categoryOf);
}

const argument = (name: string): string | undefined => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

async function openMeaning(sets: readonly DataSet[]): Promise<Awaited<ReturnType<typeof meaningOf>> | undefined> {
  const model = argument('--model');
  if (model === undefined) return undefined;
  const data = new Map(sets.flatMap(({ name, indexes }) => [...indexes].map(([key, index]) => [`${name}-${key}`, index] as const)));
  return meaningOf(data, path.resolve(model), path.resolve(argument('--vectors') ?? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-vectors-'))));
}

async function main(): Promise<void> {
  const at = process.argv.indexOf('--data');
  const data = (at < 0 ? undefined : process.argv[at + 1]) ?? '../shared/bench';
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const coding = fs.existsSync(data) ? codingProjects(data, scratch) : [];
    const talk = conversations(data, scratch);
    if (coding.length === 0 && talk === undefined)
      return console.log(`skipped: ${path.resolve(data)} holds neither coding sessions nor locomo-dev; name their folder with --data`);
    if (process.argv.includes('--ablate')) await ablate(coding, talk);
    else if (process.argv.includes('--tune')) await tune(coding);
    else {
      const meaning = await openMeaning([...coding, ...(talk ? [talk] : [])]);
      if (coding.length > 0) await printCoding(coding, meaning?.near);
      if (talk) await printTalk(talk, meaning?.near);
      meaning?.close();
    }
    for (const set of [...coding, ...(talk ? [talk] : [])]) for (const index of set.indexes.values()) index.close();
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

void main();
