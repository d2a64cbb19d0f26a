import { saveSummary } from '../../app/episodes/save-summary.ts';
import { diffOf, logOf } from '../../app/history/log.ts';
import { undo } from '../../app/history/undo.ts';
import { catchUp } from '../../app/index/catch-up.ts';
import { updateAfterSession } from '../../app/memory-files/after-session.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { findProblems } from '../../app/read/doctor.ts';
import { rebuild } from '../../app/read/rebuild.ts';
import { resolveItem } from '../../app/read/resolve.ts';
import { show } from '../../app/read/show.ts';
import { statusOfMemory } from '../../app/read/status.ts';
import { brief } from '../../app/recall/brief/brief.ts';
import { recall } from '../../app/recall/recall.ts';
import { searchMemory } from '../../app/search/ranking.ts';
import { collectGarbage } from '../../app/write/gc.ts';
import { shareRecord, saveRecord } from '../../app/write/save.ts';
import { moveRecord, type StatusAction } from '../../app/write/status.ts';
import { updateRecord } from '../../app/write/update.ts';
import type { Written } from '../../app/write/written.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import { draftFromText } from '../../core/record/from-text.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import type { LibraryHost, LibraryProject } from './host.ts';
import { LayerLoader } from './memory-loader.ts';
import type { OpenOptions, ProjectMemory, SaveOptions } from './memory.ts';

const CONFIDENCE = { confirmed: 0.9, observed: 0.8 } as const;

/** The file of the record or document that a name stands for. */
async function filePlaceOf(memory: Memory, id: string): Promise<Result<FileRef>> {
  await catchUp(memory);
  const item = await resolveItem(memory, id);
  return item.ok ? ok({ root: item.value.root, path: item.value.path }) : item;
}

/** Saves a text as `holdfast save CATEGORY TEXT` does. */
async function saveText(
  memory: Memory,
  openUser: LibraryProject['openUser'],
  category: Category,
  text: string,
  options: SaveOptions,
): Promise<Result<Written>> {
  const { title, tags = [], files = [], trust = trustFrom('person'), sessionId, content } = options;
  if (text.trim() === '' && content === undefined) return refuse('USAGE_ERROR', 'save needs a text or a content');
  const scope = options.scope ?? memory.config.get('storage.root');
  const user = scope === 'user' ? openUser() : undefined;
  const target = user?.memory ?? memory;
  if (!target.store.roots.includes(scope)) return refuse('USAGE_ERROR', `this memory has no ${scope} root`);
  const draft = {
    // Redact before splitting into title and steps: half a secret is not recognised.
    ...draftFromText(category, redact(text).text, title, files[0]),
    ...(content && { content }),
    tags: [...tags],
    related_files: [...files],
    trust,
    confidence: trust === 'confirmed' ? CONFIDENCE.confirmed : CONFIDENCE.observed,
    origin: { channel: 'agent', ...(sessionId !== undefined && { session_id: sessionId }) },
  };
  try {
    return await saveRecord(target, { actor: 'library', category, draft, root: scope });
  } finally {
    await user?.close();
  }
}

const AUTHOR = { actor: 'library' } as const;
const HITS = 10;
const LOG_LINES = 50;

/** Opens the memory of a project: the working folder's, or the one that a path, a key or a hash names. */
export async function openLibraryMemory(host: LibraryHost, options: OpenOptions): Promise<Result<ProjectMemory>> {
  const opened = host.openProject(options);
  if (!opened.ok) return opened;
  const { home, memory, project, recallContext, searchPlace, episodes, bundles, openUser, openMemoryFiles, close } = opened.value;

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
    search: (query, { limit = HITS, ...more } = {}) => searchMemory([searchPlace], { query, limit, ...more }),
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
    doctor: () => findProblems(memory),
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
