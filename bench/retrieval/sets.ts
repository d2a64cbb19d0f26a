import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { MessageSearchIndex } from '../../src/adapters/sqlite/episodes/message-search.ts';
import { placesIn } from '../../src/adapters/files/home-layout.ts';
import { readerFor } from '../../src/capture/transcripts/detect.ts';
import type { Client, Message } from '../../src/core/episode/episode.ts';
import type { RecallIndex } from '../../src/recall/port.ts';

export interface Query {
  readonly query: string;
  readonly project?: string;
  readonly kind?: string;
  readonly verbatim?: boolean;
  readonly category?: number;
  readonly gold_sessions: readonly string[];
  readonly gold_messages?: readonly string[];
  readonly gold_possibly_cut_short?: boolean;
}

/** One kind of data: its questions, its messages as they are, and what an import made of them. */
export interface DataSet {
  readonly name: 'coding' | 'talk';
  readonly queries: readonly Query[];
  /** Messages by project; a data set of one project has one entry. */
  readonly messages: ReadonlyMap<string, readonly Message[]>;
  readonly shelves: ReadonlyMap<string, RecallIndex & { close(): void }>;
  shelfOf(query: Query): RecallIndex;
  projectOf(query: Query): string;
}

const rows = <T>(file: string): T[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

/** Imports with the command that users have; prints nothing. */
function importInto(home: string, args: readonly string[]): readonly string[] {
  const run = spawnSync(process.execPath, [path.resolve('dist/cli.js'), 'import', '--home', home, '--json', ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`import ${args.join(' ')}: ${run.stderr}`);
  return (JSON.parse(run.stdout) as { readonly projects: readonly { readonly key: string }[] }).projects.map(({ key }) => key);
}

function messagesIn(client: Client, file: string): { readonly message: Message; readonly project: string | undefined }[] {
  const reader = readerFor(client, { path: file });
  const projects = new Map<string, string | undefined>();
  const found: Message[] = [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const events of [...lines.map((line) => reader.push(line)), reader.end()]) {
    for (const event of events) {
      if (event.kind === 'message') found.push(event.message);
      if (event.kind === 'facts') projects.set(event.facts.sessionId, event.facts.project);
    }
  }
  return found.map((message) => ({ message, project: projects.get(message.sessionId) }));
}

function dataSet(name: DataSet['name'], file: string, home: string, keys: readonly string[], messages: ReadonlyMap<string, readonly Message[]>): DataSet {
  const shelves = new Map(keys.map((key) => [key, new MessageSearchIndex(path.join(placesIn(home).state(key), 'episodes.db'), key)]));
  const projectOf = ({ project }: Query): string => project ?? (keys[0] as string);
  return {
    name,
    queries: rows<Query>(file).filter((query) => query.gold_possibly_cut_short !== true),
    messages,
    shelves,
    projectOf,
    shelfOf: (query) => shelves.get(projectOf(query)) as RecallIndex,
  };
}

/** The coding sessions of a folder of data; undefined where it has none. */
export function codingSessions(data: string, scratch: string): DataSet | undefined {
  const folder = path.join(data, 'coding-sessions-dev');
  if (!fs.existsSync(folder)) return undefined;
  spawnSync('tar', ['xJf', path.resolve(folder, 'transcripts.tar.xz'), '-C', scratch], { stdio: 'inherit' });
  const transcripts = path.join(scratch, 'transcripts');
  const home = path.join(scratch, 'coding-home');
  const keys = importInto(home, [transcripts]);
  const all = fs.readdirSync(transcripts).flatMap((name) => messagesIn('claude-code', path.join(transcripts, name)).map(({ message }) => message));
  return dataSet('coding', path.join(folder, 'queries.jsonl'), home, keys, new Map([[keys[0] as string, all]]));
}

/** The conversations of a folder of data; undefined where it has none. */
export function conversations(data: string, scratch: string): DataSet | undefined {
  const folder = path.join(data, 'locomo-dev');
  if (!fs.existsSync(folder)) return undefined;
  const file = path.join(folder, 'messages.jsonl');
  const home = path.join(scratch, 'talk-home');
  const keys = importInto(home, ['--format', 'chat', file]);
  const messages = new Map<string, Message[]>();
  for (const { message, project = '' } of messagesIn('chat', file)) messages.set(project, [...(messages.get(project) ?? []), message]);
  return dataSet('talk', path.join(folder, 'queries.jsonl'), home, keys, messages);
}
