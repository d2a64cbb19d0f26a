import type { LayerFiles } from '../../core/ports/layer-files.ts';
import type { BackgroundWork, SessionMachine } from '../../core/ports/machine.ts';
import type { DraftingService } from '../drafting/service.ts';
import type { OpenEmbedding } from '../embedding/open.ts';
import { embedPlace } from '../embedding/place.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { catchUp } from '../index/catch-up.ts';
import { openMemoryFiles } from '../memory-files/open.ts';
import type { Memory } from '../memory/memory.ts';
import { type LocatedProject, locateIfOn } from '../project/locate.ts';
import { knownProjects, openLocated, openProject, type OpenProject, openUser } from '../project/open.ts';
import type { SurveyProject } from '../workspace/discover.ts';
import { reportFailure } from './event-process.ts';
import { finishSession } from './finish-session.ts';
import { openHookContext } from './open-hook.ts';
import { CLIENT_WITH_SERVER } from './session-edges.ts';

/** What background work uses besides the memory. */
export interface BackgroundServices {
  episodes(current: LocatedProject['project'], projectNamed: boolean): Promise<Episodes & { close(): Promise<void> }>;
  drafting(): Promise<DraftingService>;
  embedding(): Promise<OpenEmbedding>;
  layerFiles(): LayerFiles;
  /** The transcript and the folder beside it, as far as they exist. */
  transcriptPaths(transcript: string): readonly string[];
  readonly survey: SurveyProject;
  /** A path as people write it, with ~ for the home. */
  displayPath(path: string): string;
}

const EVENT = { client: CLIENT_WITH_SERVER, event: 'finish' };

async function withFailureReport(machine: SessionMachine, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    reportFailure({ ...EVENT, log: machine.hookLog, warn: machine.warn }, cause, machine.now());
  }
}

/** Finishes the sessions of a project, unless another process is at it. */
export const finishSessions = (machine: SessionMachine, { cwd, session, transcript }: BackgroundWork, services: BackgroundServices): Promise<void> =>
  withFailureReport(machine, async () => {
    const { now, hookLog } = machine;
    const located = locateIfOn(machine.folders, { cwd, now });
    if (!located) return;
    const { context, project, closeFast } = openHookContext(machine, located, { client: EVENT.client });
    const { key } = project;
    const episodes = await services.episodes(project, transcript === undefined);
    const host = {
      project,
      episodes,
      transcriptPaths: services.transcriptPaths,
      drafting: services.drafting,
      openHierarchy: () => openMemoryFiles(context.memory, project.path, services.layerFiles()),
      openUser: () => openUser(machine),
      survey: services.survey,
      index: `${services.displayPath(project.privateRoot)}/_index.md`,
    };
    try {
      await machine.runIfUnlocked(key, 'finish', async () => {
        await finishSession(context, { session, transcript }, host);
        machine.sessionNotes(key).clear(now());
        await machine.removeOldState(key);
      });
      hookLog.recordRun(EVENT.client, EVENT.event, now());
    } finally {
      await episodes.close();
      await closeFast();
    }
  });

/** Repairs the views of a project's memory and of the user's own. */
export const repairViewsAround = (machine: SessionMachine, cwd: string): Promise<void> =>
  withFailureReport(machine, async () => {
    const project = openProject(machine, { cwd });
    const user = machine.folders.exists(machine.places.userRoot) ? [openUser(machine)] : [];
    for (const opened of [...(project.ok ? [project.value] : []), ...user]) {
      await catchUp(opened.memory);
      await opened.closeFast();
    }
  });

/** `holdfast embed` or the next background process embeds the rest. */
const MAX_EMBEDDING_MS = 60_000;

/** A model in this process embeds automatically; any other embedder gets texts only after the user ran `embed`. */
const mayEmbed = (machine: SessionMachine, { config }: Memory, state: string): boolean =>
  config.get('embed.provider') === 'minilm' || (config.get('embed.provider') !== 'none' && machine.hasVectors(state));

/** Embeds what is new in a project and in the user's own memory. */
export const embedPending = (machine: SessionMachine, cwd: string, services: Pick<BackgroundServices, 'embedding'>): Promise<void> =>
  withFailureReport(machine, async () => {
    const { now, folders } = machine;
    const located = locateIfOn(folders, { cwd, now });
    if (located) await embedProject(machine, openLocated(machine, located), services, now() + MAX_EMBEDDING_MS);
  });

/** Embeds every project, without a time limit. */
export const embedAllProjects = (machine: SessionMachine, cwd: string, services: Pick<BackgroundServices, 'embedding'>): Promise<void> =>
  withFailureReport(machine, async () => {
    for (const name of knownProjects(machine)) {
      const opened = openProject(machine, { cwd, name });
      if (opened.ok) await embedProject(machine, opened.value, services, Infinity);
    }
  });

async function embedProject(machine: SessionMachine, opened: OpenProject, services: Pick<BackgroundServices, 'embedding'>, until: number): Promise<void> {
  const { places, folders } = machine;
  const { key } = opened.project;
  const user = folders.exists(places.userRoot) ? openUser(machine) : undefined;
  const memories = [
    ...(mayEmbed(machine, opened.memory, places.state(key)) ? [opened.memory] : []),
    ...(user && mayEmbed(machine, user.memory, places.userState) ? [user.memory] : []),
  ];
  try {
    if (memories.length > 0) await machine.runIfUnlocked(key, 'embed', async () => embedNew(memories, await services.embedding(), () => machine.now() < until));
  } finally {
    await opened.closeFast();
    await user?.closeFast();
  }
}

/** If the embedder fails, `doctor` counts the texts without a vector. */
async function embedNew(memories: readonly Memory[], embedding: OpenEmbedding, mayContinue: () => boolean): Promise<void> {
  try {
    for (const memory of memories) {
      const place = embedding.of(memory);
      if (!place.ok || place.value === undefined) continue;
      await catchUp(memory);
      await embedPlace(place.value, { md5: memory.md5, mayContinue });
    }
  } finally {
    embedding.close();
  }
}
