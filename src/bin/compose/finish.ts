import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from '../../adapters/episodes/find.ts';
import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { removeOldState } from '../../adapters/files/leftovers.ts';
import { WriteLock } from '../../adapters/files/lock.ts';
import { SessionNoteFiles } from '../../adapters/files/session-states.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { updateAfterSession } from '../../app/memory-files/after-session.ts';
import { catchUp } from '../../app/index/catch-up.ts';
import { keepDrafts, sumUpSessions } from '../../app/hooks/finish.ts';
import { changedFiles } from '../../app/hooks/compact.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import { messagesIn } from '../../app/episodes/read.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { relationsAround, addFound } from '../../app/workspace/discover.ts';
import { readWorkspace, registerProject } from '../../app/workspace/workspace.ts';
import type { Clock } from '../../core/ports/host.ts';
import { openEpisodes } from './episodes.ts';
import { openHookContext } from './hook-desk.ts';
import { shownPath, md5 } from '../wiring/environment.ts';
import { report } from './hook.ts';
import { openMemoryFiles } from '../../app/memory-files/open.ts';
import { openLayerFiles } from '../wiring/open-memory-files.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { openProject, openUser, type OpenProject } from './project.ts';
import { surveyProject } from '../wiring/project-facts.ts';
import { openDrafting } from '../wiring/open-drafting.ts';
import type { BackgroundRequest } from '../../adapters/process/background.ts';

/** One process at a time: whoever comes second leaves the work to the first, or to the next start. */
export async function runIfUnlocked(file: string, work: () => Promise<void>): Promise<void> {
  const lock = new WriteLock(file, openDatabase);
  try {
    await lock.tryHold(work);
  } finally {
    lock.close();
  }
}

const EVENT = { client: 'claude-code', event: 'finish' };

/** Takes the transcripts of a project in and sums its sessions up; in a process of its own, after the user's time. */
export async function finishSessions(request: BackgroundRequest, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { home, cwd, session = '', transcript = '' } = request;
  const now = Date.now;
  const log = new HookLogFolder(placesIn(home).hooks);
  try {
    const opened = openHookContext(cwd, { home, now, client: EVENT.client });
    if (!opened) return;
    const { desk, project, leave } = opened;
    const state = placesIn(home).state(desk.memory.key);
    const episodes = openEpisodes({ home, homeNamed: false, projectNamed: transcript === '', env, now, current: async () => project });
    try {
      await runIfUnlocked(join(state, 'finish.lock'), async () => {
        // What was edited by hand in a memory too large to be looked through in the user's time.
        await catchUp(desk.memory);
        const paths = transcript !== '' && isFile(transcript) ? [transcript, transcript.replace(/\.jsonl$/, '')].filter((path) => existsSync(path)) : [];
        if (desk.switched.acts('capture') && (transcript === '' || paths.length > 0)) {
          const imported = await episodes.import({ paths });
          if (!imported.ok) throw new Error(imported.error.message);
          const { summed, troubles } = await sumUpSessions(desk, episodes, session === '' ? undefined : session);
          await updateMemoryFile(desk.memory, project, home, summed);
          if (summed.length > 0) await bringMapUpToDate(project, home, now, await filesChangedIn(episodes, summed));
          const unkept = session === '' ? [] : await keepDrafts(desk, episodes, session, async () => openDrafting({ home, env, now }));
          if (troubles.length + unkept.length > 0) throw new Error([...troubles, ...unkept].join('; '));
        }
        new SessionNoteFiles(join(state, 'sessions'), md5).clear(now());
        removeOldState(home, state);
      });
      log.saw(EVENT.client, EVENT.event, now());
    } finally {
      await episodes.close();
      await leave();
    }
  } catch (cause) {
    report(log, EVENT, cause, now());
  }
}

/** Has the views of a project's memory, and those of the user's own, say what the files say. */
export async function repairViewsAround(home: string, cwd: string): Promise<void> {
  const now = Date.now;
  try {
    const project = openProject({ home, cwd, now });
    for (const opened of [...(project.ok ? [project.value] : []), ...(existsSync(placesIn(home).userRoot) ? [openUser({ home, now })] : [])]) {
      await catchUp(opened.memory);
      await opened.leave();
    }
  } catch (cause) {
    report(new HookLogFolder(placesIn(home).hooks), EVENT, cause, now());
  }
}

/** MEMORY.md follows the sessions that mattered, as its own settings say. */
async function updateMemoryFile(memory: Memory, project: { readonly path: string }, home: string, sessions: readonly string[]): Promise<void> {
  const { file, close } = openMemoryFiles(memory, project.path, openLayerFiles(home));
  try {
    for (const sessionId of sessions) await updateAfterSession(memory, file, { actor: 'capture', sessionId });
  } finally {
    close();
  }
}

/** What an agent keeps for itself belongs to no project, whoever maps the folder it lies in. */
const OWN_FILES = /(?:^|[/\\])\.(?:claude|codex|gemini)[/\\]/;

async function filesChangedIn(episodes: Episodes, sessions: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const id of sessions) {
    const found = await episodes.find(id);
    if (found.ok) files.push(...changedFiles(messagesIn(found.value.episode)).filter((file) => !OWN_FILES.test(file)));
  }
  return files;
}

/** The project is on the map of projects, with how it relates to others as far as the work and its files show. */
async function bringMapUpToDate(project: OpenProject['project'], home: string, now: Clock, edited: readonly string[]): Promise<void> {
  const user = openUser({ home, now });
  try {
    const { key, path, privateRoot } = project;
    await registerProject(user.memory, { key, path, index: `${shownPath(privateRoot)}/_index.md` }, { actor: 'capture' });
    await addFound(user.memory, key, relationsAround(project, (await readWorkspace(user.memory)).projects, edited, surveyProject), 'capture');
  } finally {
    await user.leave();
  }
}
