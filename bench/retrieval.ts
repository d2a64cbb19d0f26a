import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rankChunks } from '../src/recall/rank/rank-chunks.ts';
import { PlainSearch } from './retrieval/plain.ts';
import { type By, type Found, HEAD, judge, line, means } from './retrieval/ruler.ts';
import { codingSessions, conversations, type DataSet, type Query } from './retrieval/sets.ts';
import { tune } from './retrieval/tune.ts';

/**
 * Does search find what answers a question? The data is imported with the command that users have and searched as they do, ten hits a question.
 * `--tune` shows instead what the weights would be, found on one half of the questions and checked on the other.
 */
const LIMIT = 10;
/** Sessions of one project are all that plain search needs to name ten of them. */
const PLAIN_LIMIT = 200;
const NOW = Date.now();

interface Answer {
  readonly query: Query;
  readonly ours: Found;
  readonly plain: Found;
}

async function answers(set: DataSet): Promise<readonly Answer[]> {
  const plain = new Map([...set.messages].map(([project, messages]) => [project, new PlainSearch(messages)]));
  const all: Answer[] = [];
  for (const query of set.queries) {
    const { hits } = await rankChunks([{ index: set.shelfOf(query) }], { text: query.query, limit: LIMIT, now: NOW });
    const ours = { sessions: hits.map(({ candidate }) => candidate.row.id), messages: hits.flatMap(({ candidate }) => candidate.chunk.messageId ?? []) };
    all.push({ query, ours, plain: plain.get(set.projectOf(query))?.search(query.query, PLAIN_LIMIT) ?? { sessions: [], messages: [] } });
  }
  for (const one of plain.values()) one.close();
  return all;
}

function print(title: string, all: readonly Answer[], by: By, groupOf: (query: Query) => string): void {
  const judged = (whose: 'ours' | 'plain') => means(all.map((answer) => ({ group: groupOf(answer.query), figures: judge(answer.query, answer[whose], by) })));
  const [ours, plain] = [judged('ours'), judged('plain')];
  console.log(`\n${title}\n${HEAD}`);
  for (const [group, figures] of ours) {
    const beside = plain.get(group);
    if (beside !== undefined) console.log(line(group, figures, beside));
  }
}

const kindOf = ({ kind = '', verbatim }: Query): string => (kind === 'commit' ? `commit, ${verbatim ? 'verbatim' : 'not verbatim'}` : kind);
const CATEGORIES = ['', 'several facts', 'time', 'inference', 'one fact', 'misattributed'];

async function report(set: DataSet): Promise<void> {
  const all = await answers(set);
  if (set.name === 'coding') return print('Coding sessions, by session', all, 'session', kindOf);
  const categoryOf = ({ category = 0 }: Query): string => CATEGORIES[category] ?? String(category);
  print('Conversations, by session', all, 'session', categoryOf);
  print('Conversations, by message', all, 'message', categoryOf);
}

async function main(): Promise<void> {
  const at = process.argv.indexOf('--data');
  const data = (at < 0 ? undefined : process.argv[at + 1]) ?? '../shared/bench';
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const sets = [codingSessions(data, scratch), conversations(data, scratch)].filter((set) => set !== undefined);
    if (sets.length === 0) return console.log(`skipped: ${path.resolve(data)} holds neither coding-sessions-dev nor locomo-dev; name their folder with --data`);
    for (const set of sets) await (process.argv.includes('--tune') ? tune(set) : report(set));
    for (const set of sets) for (const shelf of set.shelves.values()) shelf.close();
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

void main();
