import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from '../../../adapters/episodes/find.ts';
import { placesIn } from '../../../adapters/files/home-layout.ts';
import { HookLogFolder } from '../../../adapters/files/hook-log.ts';
import { runIfUnlocked } from '../../../adapters/files/lock.ts';
import { removeOldState } from '../../../adapters/files/leftovers.ts';
import type { BackgroundRequest } from '../../../adapters/process/background.ts';
import { openDatabase } from '../../../adapters/sqlite/binding.ts';
import { catchUp } from '../../../app/index/catch-up.ts';
import { finishSession } from '../../../app/runtime/finish-session.ts';
import { openMemoryFiles } from '../../../app/memory-files/open.ts';
import { openLayerFiles } from '../open-memory-files.ts';
import { shownPath } from '../environment.ts';
import { openHookContext } from './hook-context.ts';
import { report } from './run-hook.ts';
import { sessionNotesOf } from '../locate.ts';
import { openDrafting } from '../open-drafting.ts';
import { openEpisodes } from '../open-episodes.ts';
import { openProject, openUser } from '../open-project.ts';
import { surveyProject } from '../project-facts.ts';

const EVENT = { client: 'claude-code', event: 'finish' };

/** Finishes the sessions of a project, in a process of its own; where another one is at it, that one does. */
export async function finishSessions(request: BackgroundRequest, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { home, cwd } = request;
  const [session, transcript] = [request.session, request.transcript].map((word) => (word === '' ? undefined : word));
  const now = Date.now;
  const log = new HookLogFolder(placesIn(home).hooks);
  try {
    const opened = openHookContext(cwd, { home, now, client: EVENT.client });
    if (!opened) return;
    const { context, project, leave } = opened;
    const state = placesIn(home).state(context.memory.key);
    const episodes = openEpisodes({ home, homeNamed: false, projectNamed: transcript === undefined, env, now, current: async () => project });
    const host = {
      project,
      episodes,
      transcriptPaths: (file: string) => (isFile(file) ? [file, file.replace(/\.jsonl$/, '')].filter((path) => existsSync(path)) : []),
      drafting: async () => openDrafting({ home, env, now }),
      openHierarchy: () => openMemoryFiles(context.memory, project.path, openLayerFiles(home)),
      openUser: () => openUser({ home, now }),
      survey: surveyProject,
      index: `${shownPath(project.privateRoot)}/_index.md`,
    };
    try {
      await runIfUnlocked(join(state, 'finish.lock'), openDatabase, async () => {
        await finishSession(context, { session, transcript }, host);
        sessionNotesOf(home, context.memory.key).clear(now());
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

/** Repairs the views of a project's memory, and those of the user's own. */
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
