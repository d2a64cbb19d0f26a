import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saveExtracted } from '../../src/app/drafting/extract.ts';
import type { Episode } from '../../src/app/episodes/read.ts';
import { currentRecord } from '../../src/app/write/current.ts';
import { readerFor } from '../../src/capture/transcripts/detect.ts';
import type { Message, SessionFacts } from '../../src/core/episode/episode.ts';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { openProject } from '../../test/open.ts';

export interface ProjectDrafts {
  readonly project: string;
  readonly sessions: readonly Episode[];
  /** The records in the memory after the last session. */
  readonly records: readonly MemoryRecord[];
}

/** The sessions of a file: one in a coding agent's transcript, many in a file of chats. */
function episodesIn(file: string, client: 'claude-code' | 'chat'): Episode[] {
  const reader = readerFor(client, { path: file });
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const messages = new Map<string, Message[]>();
  const facts = new Map<string, SessionFacts>();
  for (const event of [...lines.flatMap((line) => reader.push(line)), ...reader.end()]) {
    // A file may repeat messages of the session that it continues; they count for the file's own session.
    const keyOf = ({ sessionId }: Message | SessionFacts): string => (client === 'chat' ? sessionId : '');
    if (event.kind === 'message') messages.set(keyOf(event.message), [...(messages.get(keyOf(event.message)) ?? []), event.message]);
    else if (event.kind === 'facts') facts.set(keyOf(event.facts), event.facts);
  }
  return [...facts].map(([key, fact]) => ({ facts: fact, entries: messages.get(key) ?? [], whole: true }));
}

const began = ({ facts }: Episode): string => facts.startedAt ?? '';

/** Replays a project, session by session. */
export async function draftsFrom(archive: string, project: string, scratch: string): Promise<ProjectDrafts> {
  const folder = path.join(scratch, project);
  fs.mkdirSync(folder, { recursive: true });
  spawnSync('tar', ['xJf', archive, '-C', folder], { stdio: 'inherit' });
  const transcripts = path.join(folder, 'transcripts');
  const sessions = fs.readdirSync(transcripts).flatMap((name) => episodesIn(path.join(transcripts, name), 'claude-code'));
  return replaySessions(project, sessions, folder);
}

/** The same for a file of conversations without an agent. */
export const draftsFromChats = (file: string, project: string, scratch: string): Promise<ProjectDrafts> =>
  replaySessions(project, episodesIn(file, 'chat'), path.join(scratch, project));

/** Replays sessions in a new memory, and saves drafts at the end of each session as the program does. */
async function replaySessions(project: string, unordered: readonly Episode[], folder: string): Promise<ProjectDrafts> {
  const sessions = unordered.toSorted((a, b) => (began(a) < began(b) ? -1 : 1));
  const cwd = path.join(folder, 'project');
  fs.mkdirSync(cwd, { recursive: true });
  const opened = openProject({ home: path.join(folder, 'home'), cwd, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const { memory } = opened.value;
  for (const session of sessions) {
    for (const { status, error, issues } of await saveExtracted(memory, session))
      if (status === 'failed' || status === 'blocked') throw new Error(`${session.facts.sessionId}: ${error?.message ?? issues.join('; ')}`);
  }
  const records: MemoryRecord[] = [];
  for (const item of memory.index.items({ kind: 'record', status: 'active' })) {
    const current = await currentRecord(memory, item);
    if (current.ok && current.value.record.origin?.channel === 'capture') records.push(current.value.record);
  }
  await opened.value.close();
  return { project, sessions, records };
}
