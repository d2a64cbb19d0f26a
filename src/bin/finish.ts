import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isFile } from '../adapters/episodes/find.ts';
import { EMBED_FLAG, VIEWS_FLAG } from '../adapters/process/background.ts';
import { shownPath } from '../adapters/process/environment.ts';
import { type BackgroundServices, embedAllProjects, embedPending, finishSessions, repairViewsAround } from '../app/runtime/background.ts';
import { openEmbeddingIn } from './wiring/embedding.ts';
import { openLayerFiles, surveyProject } from './wiring/project-files.ts';
import { loadDrafting, loadEpisodes } from './wiring/services.ts';
import { sessionMachineAt } from './wiring/session-machine.ts';

/** An ending client still writes its last lines for so long. */
const LAST_LINES_MS = 500;

const servicesFor = (home: string, env: NodeJS.ProcessEnv): BackgroundServices => {
  const request = { machine: { home, now: Date.now }, env, homeNamed: false };
  return {
    episodes: (project, projectNamed) => loadEpisodes(request, { projectNamed, current: async () => project }),
    drafting: () => loadDrafting(request),
    embedding: async () => openEmbeddingIn({ home, env, urgent: false }),
    layerFiles: () => openLayerFiles(home),
    transcriptPaths: (file) => (isFile(file) ? [file, file.replace(/\.jsonl$/, '')].filter((path) => existsSync(path)) : []),
    survey: surveyProject,
    displayPath: shownPath,
  };
};

/** Finishes sessions in the background after their client has ended. */
export async function run(argv: readonly string[] = process.argv.slice(2), env = process.env): Promise<void> {
  const [home = '', cwd = '', session = '', transcript = ''] = argv;
  if (home === '' || cwd === '') return;
  const machine = sessionMachineAt({ home, env });
  if (transcript === VIEWS_FLAG) return repairViewsAround(machine, cwd);
  const services = servicesFor(home, env);
  if (transcript === EMBED_FLAG) return embedAllProjects(machine, cwd, services);
  if (session !== '') await setTimeout(LAST_LINES_MS);
  await finishSessions(machine, { cwd, ...(session !== '' && { session }), ...(transcript !== '' && { transcript }) }, services);
  await embedPending(machine, cwd, services);
}
