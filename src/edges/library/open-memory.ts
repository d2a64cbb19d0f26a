import { saveSummary } from '../../app/episodes/save-summary.ts';
import { updateAfterSession } from '../../app/memory-files/after-session.ts';
import { diffOf, logOf } from '../../app/history/log.ts';
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
import { shareRecord } from '../../app/write/save.ts';
import { updateRecord } from '../../app/write/update.ts';
import type { Written } from '../../app/write/written.ts';
import { ok, type Result } from '../../core/result.ts';
import type { OpenOptions, ProjectMemory } from './memory.ts';
import type { LibraryHost } from './host.ts';
import { LayerLoader } from './memory-loader.ts';
import { filePlaceOf, saveText } from './save.ts';

const AUTHOR = { actor: 'library' } as const;
const HITS = 10;
const LOG_LINES = 50;

/** Opens the memory of a project: the working folder's, or the one that a path, a key or a hash names. */
export async function openLibraryMemory(host: LibraryHost, options: OpenOptions): Promise<Result<ProjectMemory>> {
  const opened = host.openProject(options);
  if (!opened.ok) return opened;
  const { home, memory, project, recallContext, searched, episodes, bundles, openUser, openMemoryFiles, close } = opened.value;

  const move = async (action: StatusAction, id: string, reason?: string): Promise<Result<Written>> => {
    const place = await filePlaceOf(memory, id);
    return place.ok ? moveRecord(memory, action, place.value, { ...AUTHOR, ...(reason !== undefined && { reason }) }) : place;
  };

  return ok({
    key: project.key,
    hash: project.hash,
    path: project.path,
    folder: project.privateRoot,
    save: (category, text, more = {}) => saveText(memory, openUser, category, text, more),
    update: async (id, draft, hash) => {
      const place = await filePlaceOf(memory, id);
      return place.ok ? updateRecord(memory, { ...AUTHOR, place: place.value, draft, ...(hash !== undefined && { hash }) }) : place;
    },
    search: (query, { limit = HITS, ...more } = {}) => searchMemory([searched], { query, limit, ...more }),
    recall: (prompt, more = {}) => recall(memory, recallContext, { prompt, ...more }),
    brief: ({ event = 'startup', ...more } = {}) => brief(memory, recallContext, { event, ...more }),
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
      const { file, close: closeFile } = openMemoryFiles();
      try {
        return await updateAfterSession(memory, file, { ...AUTHOR, sessionId, ...more });
      } finally {
        closeFile();
      }
    },
    diagnose: () => new LayerLoader(host, home, project.path, { now: memory.now }).diagnose(),
    export: (file, scope = 'project') => bundles.export(file, scope),
    import: (file) => bundles.import(file),
    close,
  });
}
