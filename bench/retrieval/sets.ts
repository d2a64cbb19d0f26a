import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { MessageSearchIndex } from '../../src/adapters/sqlite/episodes/message-search.ts';
import { placesIn } from '../../src/adapters/files/home-layout.ts';
import { readerFor } from '../../src/capture/transcripts/detect.ts';
import type { Client, Message } from '../../src/core/episode/episode.ts';

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

/** One project of coding sessions, or all conversations: questions, messages as they are, and what an import made of them. */
export interface DataSet {
  readonly kind: 'coding' | 'talk';
  readonly name: string;
  readonly queries: readonly Query[];
  /** Messages by project; a data set of one project has one entry. */
  readonly messages: ReadonlyMap<string, readonly Message[]>;
  readonly indexes: ReadonlyMap<string, MessageSearchIndex>;
  /** What a question is asked of: all that was imported from one project's sessions, or one conversation. */
  indexesOf(query: Query): readonly MessageSearchIndex[];
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
  const messages: Message[] = [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const events of [...lines.map((line) => reader.push(line)), reader.end()]) {
    for (const event of events) {
      if (event.kind === 'message') messages.push(event.message);
      if (event.kind === 'facts') projects.set(event.facts.sessionId, event.facts.project);
    }
  }
  return messages.map((message) => ({ message, project: projects.get(message.sessionId) }));
}

function dataSet(kind: DataSet['kind'], folder: string, home: string, keys: readonly string[], messages: ReadonlyMap<string, readonly Message[]>): DataSet {
  const indexes = new Map(keys.map((key) => [key, new MessageSearchIndex(path.join(placesIn(home).state(key), 'episodes.db'), key)]));
  const projectOf = ({ project }: Query): string => (kind === 'talk' && project !== undefined ? project : (keys[0] as string));
  return {
    kind,
    name: path.basename(folder),
    queries: rows<Query>(path.join(folder, 'queries.jsonl')).filter((query) => query.gold_possibly_cut_short !== true),
    messages,
    indexes,
    projectOf,
    indexesOf: (query) => (kind === 'coding' ? [...indexes.values()] : [indexes.get(projectOf(query)) as MessageSearchIndex]),
  };
}

const filesIn = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.jsonl') ? [path.join(folder, name)] : []));

/** The projects of coding sessions in a folder of data: all its folders with transcripts and questions. */
export function codingProjects(data: string, scratch: string): readonly DataSet[] {
  const names = fs
    .readdirSync(data)
    .filter((name) => fs.existsSync(path.join(data, name, 'transcripts.tar.xz')) && fs.existsSync(path.join(data, name, 'queries.jsonl')));
  return names.map((name) => {
    const [folder, transcripts, home] = [path.join(data, name), path.join(scratch, name), path.join(scratch, `${name}-home`)];
    fs.mkdirSync(transcripts);
    spawnSync('tar', ['xJf', path.resolve(folder, 'transcripts.tar.xz'), '-C', transcripts], { stdio: 'inherit' });
    const keys = importInto(home, [transcripts]);
    const all = filesIn(transcripts).flatMap((file) => messagesIn('claude-code', file).map(({ message }) => message));
    return dataSet('coding', folder, home, keys, new Map([[keys[0] as string, all]]));
  });
}

/** The conversations of a folder of data; undefined if it has none. */
export function conversations(data: string, scratch: string): DataSet | undefined {
  const folder = path.join(data, 'locomo-dev');
  if (!fs.existsSync(folder)) return undefined;
  const file = path.join(folder, 'messages.jsonl');
  const home = path.join(scratch, 'talk-home');
  const keys = importInto(home, ['--format', 'chat', file]);
  const messages = new Map<string, Message[]>();
  for (const { message, project = '' } of messagesIn('chat', file)) messages.set(project, [...(messages.get(project) ?? []), message]);
  return dataSet('talk', folder, home, keys, messages);
}
