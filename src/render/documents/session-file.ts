import { isObject } from '../../core/value.ts';

/** The counts in `_session.json`. */
export interface SessionStats {
  readonly decisions: number;
  readonly analyses: number;
  readonly indexArchived: number;
  readonly subagentOutputs: number;
}

export const NO_STATS: SessionStats = { decisions: 0, analyses: 0, indexArchived: 0, subagentOutputs: 0 };

/** An open session. Several may be open in one project; they differ in their start and, if the client gives one, their id. */
export interface OpenSession {
  readonly started: string;
  readonly id?: string;
  readonly branch?: string;
}

export interface PastSession extends OpenSession {
  readonly ended: string;
}

/** When a session last wrote a breadcrumb, and when its context was last recovered. */
export interface Crumbs {
  readonly left?: string;
  readonly recovered?: string;
}

export interface WorkSessionFile {
  readonly projectKey: string;
  readonly projectPath: string;
  readonly lastActivity?: string;
  readonly stats: SessionStats;
  /** Open sessions, oldest first. Memory mode is active while there is one. */
  readonly open: readonly OpenSession[];
  /** The session that was opened last; it may have ended. */
  readonly last?: OpenSession;
  readonly history: readonly PastSession[];
  /** The counts at the time when counting began; `stats` has the counts since then. */
  readonly countedFrom: SessionStats;
  readonly crumbs: Readonly<Record<string, Crumbs>>;
  /** Fields of other programs. */
  readonly more: Readonly<Record<string, unknown>>;
}

type Loose = Readonly<Record<string, unknown>>;
const objects = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const countOf = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

const statsOf = (value: unknown): SessionStats => {
  const from = isObject(value) ? value : {};
  return {
    decisions: countOf(from['decisions']),
    analyses: countOf(from['analyses']),
    indexArchived: countOf(from['indexArchived']),
    subagentOutputs: countOf(from['subagentOutputs']),
  };
};

const openSessions = (value: Loose): OpenSession[] => {
  const [started, id, branch] = [textOf(value['started']), textOf(value['id']), textOf(value['branch'])];
  return started === undefined ? [] : [{ started, ...(id !== undefined && { id }), ...(branch !== undefined && { branch }) }];
};

const pastSessions = (value: Loose): PastSession[] => {
  const ended = textOf(value['ended']);
  return ended === undefined ? [] : openSessions(value).map((session) => ({ ...session, ended }));
};

function crumbsOf(value: unknown): Record<string, Crumbs> {
  const crumbsById: Record<string, Crumbs> = {};
  for (const [id, crumbs] of Object.entries(isObject(value) ? value : {})) {
    const [left, recovered] = isObject(crumbs) ? [textOf(crumbs['left']), textOf(crumbs['recovered'])] : [];
    if (id !== '__proto__') crumbsById[id] = { ...(left !== undefined && { left }), ...(recovered !== undefined && { recovered }) };
  }
  return crumbsById;
}

const KNOWN = ['active', 'started', 'projectKey', 'projectPath', 'branch', 'lastActivity', 'stats', 'sessions', 'history', 'countedFrom', 'breadcrumbs'];

/** Reads `_session.json`, also if another program wrote it; undefined if it is not a JSON object. */
export function parseSession(source: string): WorkSessionFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const listed = objects(value['sessions']).flatMap(openSessions);
  const lastActivity = textOf(value['lastActivity']);
  const [last] = openSessions(value);
  return {
    projectKey: textOf(value['projectKey']) ?? '',
    projectPath: textOf(value['projectPath']) ?? '',
    ...(lastActivity !== undefined && { lastActivity }),
    stats: statsOf(value['stats']),
    // The flag decides, because a person or another program may have changed it.
    open: value['active'] !== true ? [] : listed.length > 0 ? listed : openSessions(value),
    ...(last && { last }),
    history: objects(value['history']).flatMap(pastSessions),
    countedFrom: statsOf(value['countedFrom']),
    crumbs: crumbsOf(value['breadcrumbs']),
    more: Object.fromEntries(Object.entries(value).filter(([name]) => !KNOWN.includes(name))),
  };
}

/** `_session.json`: the fields of the documented format first, then the list of sessions. */
export function renderSession(file: WorkSessionFile): string {
  const { open, history } = file;
  const newest = open.at(-1) ?? file.last ?? history.at(-1);
  return `${JSON.stringify(
    {
      active: open.length > 0,
      started: newest?.started ?? null,
      projectKey: file.projectKey,
      projectPath: file.projectPath,
      branch: newest?.branch ?? null,
      lastActivity: file.lastActivity ?? newest?.started ?? null,
      stats: file.stats,
      ...(open.length > 0 && { sessions: open }),
      ...(history.length > 0 && { history }),
      countedFrom: file.countedFrom,
      ...(Object.keys(file.crumbs).length > 0 && { breadcrumbs: file.crumbs }),
      ...file.more,
    },
    null,
    2,
  )}\n`;
}
