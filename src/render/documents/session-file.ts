import { isObject } from '../../core/value.ts';
/** The results of a session, as `_session.json` counts them. */
export interface SessionStats {
  readonly decisions: number;
  readonly analyses: number;
  readonly indexArchived: number;
  readonly subagentOutputs: number;
}

export const NO_STATS: SessionStats = { decisions: 0, analyses: 0, indexArchived: 0, subagentOutputs: 0 };

/** A session under way; several may be open in one project, told apart by their begin and, where the client says one, their id. */
export interface OpenSession {
  readonly started: string;
  readonly id?: string;
  readonly branch?: string;
}

export interface PastSession extends OpenSession {
  readonly ended: string;
}

/** When a session last left a breadcrumb, and when it was last recovered. */
export interface Crumbs {
  readonly left?: string;
  readonly recovered?: string;
}

export interface WorkSessionFile {
  readonly projectKey: string;
  readonly projectPath: string;
  readonly lastActivity?: string;
  readonly stats: SessionStats;
  /** Open sessions, oldest first; memory mode is active while there is one. */
  readonly open: readonly OpenSession[];
  /** The one that was open last, whether it still is or not. */
  readonly last?: OpenSession;
  readonly history: readonly PastSession[];
  /** The counts when counting began; `stats` has those since. */
  readonly countedFrom: SessionStats;
  readonly crumbs: Readonly<Record<string, Crumbs>>;
  /** Fields that others put there. */
  readonly more: Readonly<Record<string, unknown>>;
}

type Loose = Readonly<Record<string, unknown>>;
const objects = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

const statsOf = (value: unknown): SessionStats => {
  const from = isObject(value) ? value : {};
  return {
    decisions: count(from['decisions']),
    analyses: count(from['analyses']),
    indexArchived: count(from['indexArchived']),
    subagentOutputs: count(from['subagentOutputs']),
  };
};

const openOf = (value: Loose): OpenSession[] => {
  const [started, id, branch] = [text(value['started']), text(value['id']), text(value['branch'])];
  return started === undefined ? [] : [{ started, ...(id !== undefined && { id }), ...(branch !== undefined && { branch }) }];
};

const pastOf = (value: Loose): PastSession[] => {
  const ended = text(value['ended']);
  return ended === undefined ? [] : openOf(value).map((session) => ({ ...session, ended }));
};

function crumbsOf(value: unknown): Record<string, Crumbs> {
  const found: Record<string, Crumbs> = {};
  for (const [id, crumbs] of Object.entries(isObject(value) ? value : {})) {
    const [left, recovered] = isObject(crumbs) ? [text(crumbs['left']), text(crumbs['recovered'])] : [];
    if (id !== '__proto__') found[id] = { ...(left !== undefined && { left }), ...(recovered !== undefined && { recovered }) };
  }
  return found;
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
  const listed = objects(value['sessions']).flatMap(openOf);
  const lastActivity = text(value['lastActivity']);
  const [last] = openOf(value);
  return {
    projectKey: text(value['projectKey']) ?? '',
    projectPath: text(value['projectPath']) ?? '',
    ...(lastActivity !== undefined && { lastActivity }),
    stats: statsOf(value['stats']),
    // The flag decides: a person or another program may have set it by hand.
    open: value['active'] !== true ? [] : listed.length > 0 ? listed : openOf(value),
    ...(last && { last }),
    history: objects(value['history']).flatMap(pastOf),
    countedFrom: statsOf(value['countedFrom']),
    crumbs: crumbsOf(value['breadcrumbs']),
    more: Object.fromEntries(Object.entries(value).filter(([name]) => !KNOWN.includes(name))),
  };
}

/** `_session.json`: the document's fields first, then what tells several sessions apart. */
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
