import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { messagesIn } from '../episodes/read.ts';
import { updateAfterSession } from '../memory-files/after-session.ts';
import type { Hierarchy } from '../memory-files/layers.ts';
import { changedFiles } from '../hooks/compact.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import { keepDrafts, sumUpSessions } from '../hooks/finish.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import type { LocatedProject } from '../project/locate.ts';
import { relationsAround, type SurveyProject } from '../workspace/discover.ts';
import { addFoundRelations } from '../workspace/discover.ts';
import { readWorkspace, registerProject } from '../workspace/workspace.ts';

export interface SessionToFinish {
  /** The session that has ended; without it, those of the project that were left behind. */
  readonly session: string | undefined;
  /** Its transcript; without it, all of the project's. */
  readonly transcript: string | undefined;
}

/** What finishing needs beside the memory. */
export interface FinishHost {
  readonly project: LocatedProject['project'];
  readonly episodes: Episodes;
  /** A transcript and the folder beside it, as far as they are there. */
  transcriptPaths(transcript: string): readonly string[];
  drafting(): Promise<DraftingService>;
  openHierarchy(): Hierarchy & { close(): void };
  readonly openUser: () => { readonly memory: Memory; leave(): Promise<void> };
  readonly survey: SurveyProject;
  /** The project's index as the map of projects names it. */
  readonly index: string;
}

/** Imports the transcripts of a project and summarises its sessions. */
export async function finishSession(context: HookContext, { session, transcript }: SessionToFinish, host: FinishHost): Promise<void> {
  const { episodes } = host;
  // Indexes manual edits of a memory that is too large to scan while the user waits.
  await catchUp(context.memory);
  const paths = transcript === undefined ? [] : host.transcriptPaths(transcript);
  if (!context.switched.acts('capture') || (transcript !== undefined && paths.length === 0)) return;
  const imported = await episodes.import({ paths });
  if (!imported.ok) throw new Error(imported.error.message);
  const { looked, summed, troubles } = await sumUpSessions(context, episodes, session);
  await updateMemoryFile(context.memory, host, summed);
  if (summed.length > 0) await updateMap(host, await filesChangedIn(episodes, summed));
  // Codex's terminal reports no end: what was typed into a session of such a client is looked at with the next start.
  const ended = session === undefined ? looked.filter((id) => context.notes.read(id).typed !== undefined) : [session];
  const unsaved: string[] = [];
  for (const id of ended) unsaved.push(...(await keepDrafts(context, episodes, id, () => host.drafting())));
  const commits = await (await host.drafting()).keepNewCommits(context.memory, episodes);
  const failed = [...troubles, ...unsaved, ...(commits.ok ? [] : [commits.error.message])];
  if (failed.length > 0) throw new Error(failed.join('; '));
}

/** MEMORY.md follows the sessions that mattered, as its own settings say. */
async function updateMemoryFile(memory: Memory, host: FinishHost, sessions: readonly string[]): Promise<void> {
  const { file, close } = host.openHierarchy();
  try {
    for (const sessionId of sessions) await updateAfterSession(memory, file, { actor: 'capture', sessionId });
  } finally {
    close();
  }
}

/** Files that an agent keeps for itself belong to no project, even if their folder does. */
const OWN_FILES = /(?:^|[/\\])\.(?:claude|codex|gemini)[/\\]/;

async function filesChangedIn(episodes: Episodes, sessions: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const id of sessions) {
    const found = await episodes.find(id);
    if (found.ok) files.push(...changedFiles(messagesIn(found.value.episode)).filter((file) => !OWN_FILES.test(file)));
  }
  return files;
}

/** Puts the project on the map of projects, with how it relates to others as far as the work and its files show. */
async function updateMap({ project, index, survey, openUser }: FinishHost, edited: readonly string[]): Promise<void> {
  const user = openUser();
  try {
    const { key, path } = project;
    await registerProject(user.memory, { key, path, index }, { actor: 'capture' });
    await addFoundRelations(user.memory, key, relationsAround(project, (await readWorkspace(user.memory)).projects, edited, survey), 'capture');
  } finally {
    await user.leave();
  }
}
