import { changedFile } from '../../app/page/code-diff.ts';
import { plotsOf } from '../../app/page/plots.ts';
import { projectPage, staleRecords } from '../../app/page/project-page.ts';
import { recordPage, rowOf } from '../../app/page/record-page.ts';
import { holdsMessage, type SessionPage, sessionPage, sessionRow } from '../../app/page/session-page.ts';
import { diffOf, logOf } from '../../app/history/log.ts';
import { listInbox, waitingCount } from '../../app/inbox/inbox.ts';
import { recordSource } from '../../app/inbox/source.ts';
import { show } from '../../app/read/show.ts';
import { searchMemory } from '../../app/search/ranking.ts';
import type { HitKind } from '../../app/search/search.ts';
import type { StoredSession } from '../../core/ports/episodes.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { ItemFilter } from '../../core/ports/index.ts';
import { categoryFrom } from '../../core/record/category.ts';
import type { RecordStatus } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ProjectRow, Reads } from './contract.ts';
import { projectHere, type ViewHost } from './host.ts';
import { ALL, type PageMemory, type PageMemories, USER } from './page-memories.ts';

export interface ReadContext {
  readonly host: ViewHost;
  readonly places: PageMemories;
  /** The last session that was read, because its page reads it in parts. */
  session?: { readonly key: string; readonly page: SessionPage };
}

type Query = Readonly<Record<string, string | undefined>>;
type Read<K extends keyof Reads> = (context: ReadContext, query: Query) => Promise<Result<Reads[K]['gets']>>;

const HITS = 30;
const MOST_ROWS = 500;
const MOST_SESSIONS = 5_000;
const KINDS: readonly string[] = ['all', 'record', 'document', 'message'];
const STATUSES: readonly string[] = ['active', 'retired', 'archived'];

const numberOf = (text: string | undefined, fallback: number, most: number): number => {
  const number = /^\d{1,9}$/.test(text ?? '') ? Number(text) : fallback;
  return Math.min(number, most);
};

/** The memory that a query names, with its index up to date. */
async function placeFor({ places }: ReadContext, { project }: Query): Promise<Result<PageMemory>> {
  const found = await places.at(project);
  if (found.ok) await found.value.follow();
  return found;
}

const required = (query: Query, name: string): Result<string> =>
  query[name] === undefined ? refuse('USAGE_ERROR', `The request needs "${name}".`) : ok(query[name]);

const dayIn = (since: string | undefined): string | undefined => (/^\d{4}-\d{2}-\d{2}/.test(since ?? '') ? since : undefined);

function filterOf({ category, status, kind, since: from }: Query): ItemFilter {
  const known = category === undefined ? undefined : categoryFrom(category);
  const since = dayIn(from);
  return {
    ...(known && { category: known }),
    ...(STATUSES.includes(status ?? '') && { status: status as RecordStatus }),
    ...((kind === 'record' || kind === 'document') && { kind }),
    ...(since !== undefined && { since }),
  };
}

/** A row of the list of projects; says why if the project cannot be opened. */
async function projectRow(context: ReadContext, key: string, path: string): Promise<ProjectRow> {
  try {
    const found = await placeFor(context, { project: key });
    if (!found.ok) return { key, path, records: 0, inbox: 0, sessions: 0, problem: found.error.message };
    const { memory } = found.value;
    const sessions = await sessionsOf(found.value);
    const last = [memory.index.recent({}, 1)[0]?.updatedAt, sessions[0]?.facts.endedAt]
      .filter((at) => at !== undefined)
      .toSorted()
      .at(-1);
    return {
      key,
      path,
      records: memory.index.count({ kind: 'record', status: 'active' }),
      inbox: waitingCount(memory),
      sessions: sessions.filter(({ facts }) => facts.client !== 'git').length,
      ...(last !== undefined && { lastActivity: last }),
    };
  } catch (cause) {
    if (!isFailure(cause) && !isRefused(cause)) throw cause;
    return { key, path, records: 0, inbox: 0, sessions: 0, problem: cause.message };
  }
}

async function wholeSession(context: ReadContext, query: Query, id: string): Promise<Result<SessionPage>> {
  const found = await placeFor(context, query);
  if (!found.ok) return found;
  const { access, memory, log, version } = found.value;
  const key = `${query['project']} ${id} ${await version()}`;
  if (context.session?.key === key) return ok(context.session.page);
  const episode = await (await access.episodes()).find(id);
  if (!episode.ok) return episode;
  const page = await sessionPage(episode.value, episode.value.project === query['project'] ? memory : undefined, log);
  context.session = { key, page };
  return ok(page);
}

/** Conversations of a project, newest first, including imported commits. */
const sessionsOf = async ({ key, access }: PageMemory): Promise<readonly StoredSession[]> =>
  key === USER ? [] : (await access.episodes()).recent(MOST_SESSIONS, key);

/** Titles of the sessions that these injections went to, if known. */
async function titlesOf(place: PageMemory, injections: readonly { readonly session: string }[]): Promise<Readonly<Record<string, string>>> {
  const wanted = new Set(injections.map(({ session }) => session));
  const sessions = (await sessionsOf(place)).filter(({ facts }) => wanted.has(facts.sessionId));
  return Object.fromEntries(sessions.map(({ facts }) => [facts.sessionId, facts.title ?? 'untitled']));
}

/** The answers to the page's queries: one use case each. */
export const READS: { readonly [K in keyof Reads]: Read<K> } = {
  overview: async (context) => {
    const { host } = context;
    const projects: ProjectRow[] = [];
    for (const { key, path } of [...host.projects(), { key: USER, path: '' }]) projects.push(await projectRow(context, key, path));
    const here = projectHere(host);
    return ok({
      version: host.version,
      home: host.home,
      isPerson: host.actor === 'page',
      ...(here !== undefined && { here }),
      projects,
    });
  },
  changes: async ({ places }, { project }) => {
    if (project === ALL) return ok({ version: await places.versionOfAll(), inbox: 0 });
    const found = await places.at(project);
    return found.ok ? ok({ version: await found.value.version(), inbox: waitingCount(found.value.memory) }) : found;
  },
  list: async (context, query) => {
    const found = await placeFor(context, query);
    if (!found.ok) return found;
    const { memory } = found.value;
    const filter = filterOf(query);
    const rows = memory.index.recent(filter, numberOf(query['limit'], 100, MOST_ROWS), numberOf(query['from'], 0, Number.MAX_SAFE_INTEGER));
    return ok({ total: memory.index.count(filter), rows: rows.map((item) => rowOf(memory, item)) });
  },
  search: async (context, query) => {
    const all = query['project'] === ALL;
    const keys = all ? context.host.projects().map(({ key }) => key) : [query['project']];
    const places: PageMemory[] = [];
    for (const key of keys) {
      const found = await context.places.at(key);
      if (found.ok) places.push(found.value);
      else if (!all) return found;
    }
    const warnings: string[] = [];
    const { category, status } = query;
    const since = dayIn(query['since']);
    const known = category === undefined ? undefined : categoryFrom(category);
    const hits = await searchMemory(
      places.map(({ place }) => place),
      {
        query: query['q'] ?? '',
        limit: numberOf(query['limit'], HITS, MOST_ROWS),
        kind: (KINDS.includes(query['kind'] ?? '') ? query['kind'] : 'all') as HitKind,
        ...(known && { category: known }),
        ...(since !== undefined && { since }),
        includeRetired: status === 'any',
        explain: true,
        warn: (what) => warnings.push(what),
      },
    );
    return ok({ hits, warnings });
  },
  record: async (context, query) => {
    const [found, id] = [await context.places.at(query['project']), required(query, 'id')];
    if (!found.ok || !id.ok) return found.ok ? (id as Extract<typeof id, { ok: false }>) : found;
    const page = await recordPage(found.value.memory, found.value.log, id.value);
    if (!page.ok) return page;
    const sessions = await titlesOf(found.value, page.value.injected);
    return ok({ ...page.value, sessions });
  },
  source: async (context, query) => {
    const [found, id] = [await context.places.at(query['project']), required(query, 'id')];
    if (!found.ok || !id.ok) return found.ok ? (id as Extract<typeof id, { ok: false }>) : found;
    const shown = await show(found.value.memory, id.value);
    if (!shown.ok) return shown;
    const { record } = shown.value;
    return ok({ lines: record ? await recordSource(await found.value.access.episodes(), record) : [] });
  },
  history: async (context, query) => {
    const found = await context.places.at(query['project']);
    if (!found.ok) return found;
    const entries = await logOf(found.value.memory, query['id'], MOST_ROWS);
    return entries.ok ? ok({ entries: entries.value }) : entries;
  },
  diff: async (context, query) => {
    const [found, id] = [await context.places.at(query['project']), required(query, 'id')];
    if (!found.ok) return found;
    return id.ok ? diffOf(found.value.memory, id.value, numberOf(query['version'], 0, Number.MAX_SAFE_INTEGER)) : id;
  },
  code: async (context, query) => {
    const [found, id, path] = [await context.places.at(query['project']), required(query, 'id'), required(query, 'path')];
    if (!found.ok) return found;
    if (!id.ok) return id;
    return path.ok ? changedFile(found.value.memory, id.value, path.value, (file, blob) => found.value.access.fileVersions(file, blob)) : path;
  },
  inbox: async (context, query) => {
    const found = await context.places.at(query['project']);
    if (!found.ok) return found;
    const { memory } = found.value;
    const waiting = await listInbox(memory);
    return ok({
      rows: waiting.map(({ item, record, gist, detail, old }) => ({
        ...rowOf(memory, item),
        createdAt: record.created_at,
        gist,
        detail,
        old,
        ...(record.origin?.session_id !== undefined && { session: record.origin.session_id }),
      })),
    });
  },
  injections: async (context, query) => {
    const found = await context.places.at(query['project']);
    if (!found.ok) return found;
    const { memory, log } = found.value;
    const injections = log?.injections(query['session'], numberOf(query['limit'], 200, 20_000)) ?? [];
    const ids = [...new Set(injections.flatMap(({ items }) => items.map(({ id }) => id)))];
    return ok({
      injections,
      verdicts: Object.fromEntries(log?.verdicts(ids) ?? []),
      sessions: await titlesOf(found.value, injections),
      budget: memory.config.get('inject.sessionTokens'),
    });
  },
  sessions: async (context, query) => {
    const found = await context.places.at(query['project']);
    if (!found.ok) return found;
    const sessions = await sessionsOf(found.value);
    return ok({ rows: sessions.filter(({ facts }) => facts.client !== 'git').map(sessionRow) });
  },
  session: async (context, query) => {
    const id = required(query, 'id');
    if (!id.ok) return id;
    const whole = await wholeSession(context, query, id.value);
    if (!whole.ok) return whole;
    const { entries } = whole.value;
    const limit = numberOf(query['limit'], 200, MOST_ROWS);
    const message = query['around'];
    const around = message === undefined ? -1 : entries.findIndex((entry) => holdsMessage(entry, message));
    const from = around < 0 ? numberOf(query['from'], 0, entries.length) : Math.max(0, around - Math.floor(limit / 2));
    return ok({ ...whole.value, entries: entries.slice(from, from + limit), from, total: entries.length });
  },
  home: async (context, query) => {
    const found = await placeFor(context, query);
    return found.ok ? ok(await projectPage(found.value.memory)) : found;
  },
  stale: async (context, query) => {
    const found = await placeFor(context, query);
    return found.ok ? ok({ rows: await staleRecords(found.value.memory) }) : found;
  },
  settings: async (context, query) => {
    const found = await context.places.at(query['project']);
    if (!found.ok) return found;
    const settings = await found.value.access.settings();
    const rows = settings.list().flatMap(({ key, value, source }) => {
      const about = settings.get(key);
      return about.ok ? [{ key, value, source, about: about.value.about, takes: about.value.takes, isByPerson: settings.isByPerson(key) }] : [];
    });
    return ok({ rows, warnings: settings.warnings() });
  },
  plots: async (context, query) => {
    const found = await placeFor(context, query);
    if (!found.ok) return found;
    return ok(await plotsOf(found.value.memory, found.value.log, await sessionsOf(found.value)));
  },
};
