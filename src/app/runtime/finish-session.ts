import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { messagesIn } from '../episodes/read.ts';
import { updateAfterSession } from '../memory-files/after-session.ts';
import type { Hierarchy } from '../memory-files/layers.ts';
import { changedFiles } from '../hooks/compact.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import { saveDraftsAtEnd, summariseSessions } from '../hooks/finish.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import type { LocatedProject } from '../project/locate.ts';
import { addFoundRelations, relationsAround, type SurveyProject } from '../workspace/discover.ts';
import { readWorkspace, registerProject } from '../workspace/workspace.ts';

export interface SessionToFinish {
  /** The session that has ended; without it, every recent session of the project is checked. */
  readonly session: string | undefined;
  /** Its transcript; without it, all transcripts of the project are imported. */
  readonly transcript: string | undefined;
}

/** What finishing needs beside the memory. */
export interface FinishHost {
  readonly project: LocatedProject['project'];
  readonly episodes: Episodes;
  /** The transcript and the folder beside it, as far as they exist. */
  transcriptPaths(transcript: string): readonly string[];
  drafting(): Promise<DraftingService>;
  openHierarchy(): Hierarchy & { close(): void };
  readonly openUser: () => { readonly memory: Memory; closeFast(): Promise<void> };
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
  if (!context.switched.allows('capture') || (transcript !== undefined && paths.length === 0)) return;
  const imported = await episodes.import({ paths });
  if (!imported.ok) throw new Error(imported.error.message);
  const { checked, summarised, failures } = await summariseSessions(context, episodes, session);
  await updateMemoryFile(context.memory, host, summarised);
  if (summarised.length > 0) await updateMap(host, await filesChangedIn(episodes, summarised));
  // Codex's terminal reports no end, so the next start drafts the records of a session that has typed prompts.
  const endedSessions = session === undefined ? checked.filter((id) => context.notes.read(id).typed !== undefined) : [session];
  const unsaved: string[] = [];
  for (const id of endedSessions) unsaved.push(...(await saveDraftsAtEnd(context, episodes, id, () => host.drafting())));
  const commits = await (await host.drafting()).keepNewCommits(context.memory, episodes);
  const allFailures = [...failures, ...unsaved, ...(commits.ok ? [] : [commits.error.message])];
  if (allFailures.length > 0) throw new Error(allFailures.join('; '));
}

async function updateMemoryFile(memory: Memory, host: FinishHost, sessions: readonly string[]): Promise<void> {
  const { file, close } = host.openHierarchy();
  try {
    for (const sessionId of sessions) await updateAfterSession(memory, file, { actor: 'capture', sessionId });
  } finally {
    close();
  }
}

/** Files of the agent itself belong to no project, even if their folder does. */
const OWN_FILES = /(?:^|[/\\])\.(?:claude|codex|gemini)[/\\]/;

async function filesChangedIn(episodes: Episodes, sessions: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const id of sessions) {
    const found = await episodes.find(id);
    if (found.ok) files.push(...changedFiles(messagesIn(found.value.episode)).filter((file) => !OWN_FILES.test(file)));
  }
  return files;
}

/** Puts the project on the map of projects, with its relations to others that the changed files show. */
async function updateMap({ project, index, survey, openUser }: FinishHost, edited: readonly string[]): Promise<void> {
  const user = openUser();
  try {
    const { key, path } = project;
    await registerProject(user.memory, { key, path, index }, { actor: 'capture' });
    await addFoundRelations(user.memory, key, relationsAround(project, (await readWorkspace(user.memory)).projects, edited, survey), 'capture');
  } finally {
    await user.closeFast();
  }
}
