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
  /** The records that are in the memory when the last session is over. */
  readonly records: readonly MemoryRecord[];
}

function episodeOf(file: string): Episode | undefined {
  const reader = readerFor('claude-code', { path: file });
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const messages: Message[] = [];
  let facts: SessionFacts | undefined;
  for (const event of [...lines.flatMap((line) => reader.push(line)), ...reader.end()]) {
    if (event.kind === 'message') messages.push(event.message);
    else if (event.kind === 'facts') facts = event.facts;
  }
  return facts && { facts, entries: messages, whole: true };
}

const began = ({ facts }: Episode): string => facts.startedAt ?? '';

/** Lives a project again, session by session, with a memory of its own: what is drafted at the end of each is saved as the program saves it. */
export async function draftsFrom(archive: string, project: string, scratch: string): Promise<ProjectDrafts> {
  const folder = path.join(scratch, project);
  const cwd = path.join(folder, 'project');
  fs.mkdirSync(cwd, { recursive: true });
  spawnSync('tar', ['xJf', archive, '-C', folder], { stdio: 'inherit' });
  const transcripts = path.join(folder, 'transcripts');
  const sessions = fs
    .readdirSync(transcripts)
    .flatMap((name) => episodeOf(path.join(transcripts, name)) ?? [])
    .toSorted((a, b) => (began(a) < began(b) ? -1 : 1));
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
