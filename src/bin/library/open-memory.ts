import { saveSummary } from '../../app/episodes/save-summary.ts';
import { updateAfterSession } from '../../app/memory-files/after-session.ts';
import { diffOf } from '../../app/history/diff.ts';
import { logOf } from '../../app/history/log.ts';
import { undo } from '../../app/history/undo.ts';
import { examine } from '../../app/read/doctor.ts';
import { rebuild } from '../../app/read/rebuild.ts';
import { show } from '../../app/read/show.ts';
import { statusOfMemory } from '../../app/read/status.ts';
import { brief } from '../../app/recall/brief/brief.ts';
import { recall } from '../../app/recall/recall.ts';
import { searchMemory } from '../../app/search/ranking.ts';
import { collectGarbage } from '../../app/write/gc.ts';
import { moveRecord, type StatusAction } from '../../app/write/status.ts';
import { shareRecord } from '../../app/write/share.ts';
import { updateRecord } from '../../app/write/update.ts';
import type { Written } from '../../app/write/written.ts';
import { ok, type Result } from '../../core/result.ts';
import { openBundles } from '../wiring/open-bundles.ts';
import { openEpisodes } from '../compose/episodes.ts';
import { homeFolder } from '../wiring/environment.ts';
import { searchNearby } from '../wiring/search-nearby.ts';
import { openProject } from '../compose/project.ts';
import { recallContextFor } from '../compose/recall.ts';
import { withMessages } from '../compose/recall-ranking.ts';
import { searchPlace } from '../compose/search-place.ts';
import type { OpenOptions, ProjectMemory } from '../../edges/library/memory.ts';
import { openHierarchy } from '../compose/memory-file.ts';
import { MemoryLoader } from './memory-loader.ts';
import { filePlaceOf, saveText } from './save.ts';

const AUTHOR = { actor: 'library' } as const;
const HITS = 10;
const LOG_LINES = 50;

/** Opens the memory of a project: the working folder's, or the one that a path, a key or a hash names. */
export async function openMemory(options: OpenOptions = {}): Promise<Result<ProjectMemory>> {
  const now = options.now ?? Date.now;
  const home = homeFolder({ option: options.home, env: process.env });
  const opened = openProject({ home, cwd: process.cwd(), word: options.project, now });
  if (!opened.ok) return opened;
  const { memory, project } = opened.value;
  const { bearings, close } = recallContextFor(opened.value, { home, now }, withMessages);
  const closers: (() => Promise<void>)[] = [];
  const shelf = searchPlace(home, memory, (ids) => bearings.log.feedbackOf(ids));
  const searched = { ...shelf, ...searchNearby({ home: () => home, env: process.env, closers })(memory) };
  const episodes = openEpisodes({ home, homeNamed: options.home !== undefined, projectNamed: true, env: process.env, now, current: async () => project });

  const bundles = openBundles({ home, cwd: process.cwd(), now, current: () => opened.value, episodes: async () => episodes });

  const move = async (action: StatusAction, id: string, reason?: string): Promise<Result<Written>> => {
    const place = await filePlaceOf(memory, id);
    return place.ok ? moveRecord(memory, action, place.value, { ...AUTHOR, ...(reason !== undefined && { reason }) }) : place;
  };

  return ok({
    key: project.key,
    hash: project.hash,
    path: project.path,
    folder: project.privateRoot,
    save: (category, text, more = {}) => saveText(memory, { home, now }, category, text, more),
    update: async (id, draft, hash) => {
      const place = await filePlaceOf(memory, id);
      return place.ok ? updateRecord(memory, { ...AUTHOR, place: place.value, draft, ...(hash !== undefined && { hash }) }) : place;
    },
    search: (query, { limit = HITS, ...more } = {}) => searchMemory([searched], { query, limit, ...more }),
    recall: (prompt, more = {}) => recall(memory, bearings, { prompt, ...more }),
    brief: ({ event = 'startup', ...more } = {}) => brief(memory, bearings, { event, ...more }),
    get: (id) => show(memory, id),
    retire: (id, reason) => move('retire', id, reason),
    restore: (id) => move('restore', id),
    archive: (id, reason) => move('archive', id, reason),
    unarchive: (id) => move('unarchive', id),
    confirm: (id) => move('confirm', id),
    share: async (id) => {
      const place = await filePlaceOf(memory, id);
      return place.ok ? shareRecord(memory, place.value, AUTHOR) : place;
    },
    log: (id, limit = LOG_LINES) => logOf(memory, id, limit),
    diff: (id, version) => diffOf(memory, id, version),
    undo: (count = 1) => undo(memory, { ...AUTHOR, count }),
    status: () => statusOfMemory(memory),
    doctor: () => examine(memory),
    rebuild: () => rebuild(memory, AUTHOR.actor),
    gc: (more = {}) => collectGarbage(memory, AUTHOR, more),
    summarize: async (source) => {
      const chosen = await episodes.choose(source);
      if (!chosen.ok) return chosen;
      const { episode } = chosen.value;
      return saveSummary(memory, episode.facts.sessionId, episodes.summarize(episode, memory.config), AUTHOR);
    },
    updateAfterSession: async (sessionId, more = {}) => {
      const { file, close: closeFile } = openHierarchy(opened.value, home);
      try {
        return await updateAfterSession(memory, file, { ...AUTHOR, sessionId, ...more });
      } finally {
        closeFile();
      }
    },
    diagnose: () => new MemoryLoader(home, project.path, { now }).diagnose(),
    export: (file, scope = 'project') => bundles.export(file, scope),
    import: (file) => bundles.import(file),
    close: async () => {
      shelf.close();
      for (const one of closers) await one();
      await episodes.close();
      await close();
      await opened.value.close();
    },
  });
}
