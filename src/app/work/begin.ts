import { utcSeconds, daysInMs, epochOf } from '../../core/instant.ts';
import { safeSessionId } from '../../core/project/filename.ts';
import { FOLDERS } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { NO_ACTIVE, NO_BLOCKERS, NO_COMPLETED, NO_TASK } from '../../render/documents/project.ts';
import { renderSession, type OpenSession, type PastSession, type WorkSessionFile } from '../../render/documents/session-file.ts';
import type { Initiative, Relationship, WorkspaceMap } from '../../render/documents/workspace.ts';
import type { ViewState } from '../../render/views/recent-index.ts';
import { DOCUMENTS, documentText } from '../documents/read.ts';
import { editDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import { contentLines } from '../recall/brief/state.ts';
import { viewState } from '../views/render.ts';
import { type FoundRelation, addFoundRelations } from '../workspace/discover.ts';
import { neighbourhood, readWorkspace, registerProject } from '../workspace/workspace.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';
import { counted, readSession, SESSION_PLACE, totals } from './file.ts';

/** A session without a write for this long counts as ended. */
const IDLE_MS = daysInMs(1 / 3);

export interface StartWorkRequest extends Author {
  readonly branch?: string | undefined;
  /** The client's id of the session; without one it is the project's unnamed session. */
  readonly sessionId?: string | undefined;
}

export interface WorkStarted {
  readonly status: 'started' | 'already_active';
  readonly session: OpenSession;
  readonly file: WorkSessionFile;
  /** Documents that were missing. */
  readonly created: readonly string[];
  /** Sessions left open, now closed at their last activity. */
  readonly closed: readonly PastSession[];
  readonly warnings: readonly string[];
}

const STRUCTURE = [FOLDERS.decision, FOLDERS.analysis, 'context', 'progress', FOLDERS.subagent_report];
const PLACEHOLDERS = [
  [DOCUMENTS.task, NO_TASK],
  [DOCUMENTS.blockers, NO_BLOCKERS],
  [DOCUMENTS.active, NO_ACTIVE],
  [DOCUMENTS.completed, NO_COMPLETED],
] as const;

/** Starts a work session: creates folders, the session file and missing documents. */
export async function startWork(memory: Memory, request: StartWorkRequest): Promise<Result<WorkStarted>> {
  const sessionId = request.sessionId === undefined ? ok(undefined) : safeSessionId(request.sessionId);
  if (!sessionId.ok) return sessionId;
  return writing(memory, request, async (write) => {
    const { session: before, damaged } = await readSession(memory);
    if (damaged !== undefined) await keepDamagedFile(write, damaged);
    for (const folder of STRUCTURE) await write.folder('private', folder);
    const created = await placeholders(memory, write);
    const { file, closed } = withoutIdle(memory, before);
    const existing = file.open.find(({ id }) => id === sessionId.value);
    const session = existing ?? { started: freshInstant(memory, file), ...(sessionId.value !== undefined && { id: sessionId.value }), ...branchOf(request) };
    const next = existing ? file : withOpened(memory, file, session);
    await write.state(SESSION_PLACE, renderSession(counted(memory, { ...next, projectKey: memory.key, projectPath: memory.projectPath ?? next.projectPath })));
    return ok({ status: existing ? 'already_active' : 'started', session, file: next, created, closed, warnings: write.warnings });
  });
}

const branchOf = ({ branch }: StartWorkRequest): Pick<OpenSession, 'branch'> => (branch === undefined ? {} : { branch });

/** Adds a session. Counting restarts when the first session opens. */
function withOpened(memory: Memory, file: WorkSessionFile, session: OpenSession): WorkSessionFile {
  return {
    ...file,
    open: [...file.open, session],
    lastActivity: utcSeconds(memory.now()),
    ...(file.open.length === 0 && { countedFrom: totals(memory), crumbs: {} }),
  };
}

function withoutIdle(memory: Memory, file: WorkSessionFile): { readonly file: WorkSessionFile; readonly closed: readonly PastSession[] } {
  const last = epochOf(file.lastActivity) ?? epochOf(file.open.at(-1)?.started) ?? 0;
  if (file.open.length === 0 || memory.now() - last < IDLE_MS) return { file, closed: [] };
  const closed = file.open.map((session) => ({ ...session, ended: utcSeconds(last) }));
  return { file: { ...file, open: [], history: [...file.history, ...closed] }, closed };
}

/** A start time that no other session has: it identifies the session. */
function freshInstant(memory: Memory, { open, history }: WorkSessionFile): string {
  const usedInstants = new Set([...open, ...history].map(({ started }) => started));
  let at = memory.now();
  while (usedInstants.has(utcSeconds(at))) at += 1000;
  return utcSeconds(at);
}

async function placeholders(memory: Memory, write: Writing): Promise<string[]> {
  const created: string[] = [];
  for (const [place, text] of PLACEHOLDERS) {
    const edited = await editDocument(memory, write, { place, edit: (there) => ok(there ?? text) });
    if (!edited.ok) write.warnings.push(edited.error.message);
    else if (edited.value.status === 'created') created.push(place.path);
  }
  return created;
}

/** Saves the text of an unreadable session file before it is overwritten. */
async function keepDamagedFile(write: Writing, damaged: string): Promise<void> {
  const path = `${SESSION_PLACE.path}.damaged`;
  await write.state({ root: 'private', path }, damaged);
  write.warnings.push(`${SESSION_PLACE.path} could not be read; its text was saved as ${path}`);
}

export interface StopRequest extends Author {
  /** Ends this session and leaves the others open; without one all of them end. */
  readonly sessionId?: string | undefined;
}

export interface WorkStopped {
  readonly status: 'stopped' | 'already_inactive';
  readonly ended: readonly PastSession[];
  /** Parallel sessions that stay open. */
  readonly open: readonly OpenSession[];
  readonly warnings: readonly string[];
}

/** Ends work sessions of a project: each gets a row in the history; no file is removed. */
export function stopSession(memory: Memory, request: StopRequest): Promise<Result<WorkStopped>> {
  return writing(memory, request, async (write) => {
    const { session, damaged } = await readSession(memory);
    if (damaged !== undefined)
      return refuse('READ_ERROR', `${SESSION_PLACE.path} cannot be read.`, {
        hint: 'fix it in an editor, or start over with holdfast start, which keeps a copy',
      });
    const ending = session.open.filter(({ id }) => request.sessionId === undefined || id === request.sessionId);
    if (request.sessionId !== undefined && ending.length === 0 && session.open.length > 0)
      return refuse('NOT_FOUND', `No session ${request.sessionId} is open.`, { missing: true, hint: 'holdfast status lists the open sessions' });
    const open = session.open.filter((one) => !ending.includes(one));
    if (ending.length === 0) return ok({ status: 'already_inactive', ended: [], open, warnings: write.warnings });
    const now = utcSeconds(memory.now());
    const ended = ending.map((one) => ({ ...one, ended: now < one.started ? one.started : now }));
    const last = ended.at(-1);
    await write.state(
      SESSION_PLACE,
      renderSession({ ...counted(memory, session), open, history: [...session.history, ...ended], lastActivity: now, ...(last && { last }) }),
    );
    return ok({ status: 'stopped', ended, open, warnings: write.warnings });
  });
}

/** The memories and files that a session uses besides its project's memory. */
export interface WorkContext {
  /** The user's own memory: preferences and the map of projects. */
  readonly user: Memory;
  /** The path to this project in the map's quick reference. */
  readonly indexPath: string;
  /** Finds relationships to mapped projects in the project's own files. */
  findRelations(map: WorkspaceMap['projects']): Promise<readonly FoundRelation[]>;
  /** Turns memory on or off for this project. */
  switchMemory(to: 'on' | 'off'): Promise<Result<unknown>>;
}

export interface WorkBegun extends WorkStarted {
  /** Whether the project was added to the map. */
  readonly registered: boolean;
  readonly state: ViewState;
  /** The user's preferences, one line each. */
  readonly preferences: readonly string[];
  /** Relationships that were found in the project's files and added to the map. */
  readonly related: readonly Relationship[];
  /** Initiatives across projects that this one takes part in. */
  readonly initiatives: readonly Initiative[];
  /** The project's description, in its own document. */
  readonly project?: string;
}

/** `start`: turns memory on, starts the session, adds the project to the map, loads preferences and description. */
export async function beginSession(
  memory: Memory,
  { user, indexPath, findRelations, switchMemory }: WorkContext,
  request: StartWorkRequest,
): Promise<Result<WorkBegun>> {
  const turned = await switchMemory('on');
  if (!turned.ok) return turned;
  const started = await startWork(memory, request);
  if (!started.ok) return started;
  const place = { key: memory.key, path: memory.projectPath ?? '', index: indexPath };
  const registered = await registerProject(user, place, { actor: request.actor });
  const related = await addFoundRelations(user, memory.key, await findRelations((await readWorkspace(user)).projects), request.actor);
  const [preferences, project] = [await documentText(user, { root: 'user', path: 'preferences.md' }), await documentText(memory, DOCUMENTS.project)];
  return ok({
    ...started.value,
    registered: registered.ok && registered.value.registered,
    state: await viewState(memory, 'private'),
    preferences: contentLines(preferences),
    related: related.ok ? related.value : [],
    initiatives: neighbourhood(await readWorkspace(user), memory.key).initiatives,
    ...(project !== '' && { project }),
    // The session has started, so a map that cannot be written is only a warning.
    warnings: [
      ...started.value.warnings,
      ...(registered.ok ? registered.value.warnings : [`the map of projects was not changed: ${registered.error.message}`]),
      ...(related.ok || !registered.ok ? [] : [`the relationships that were found were not saved to the map of projects: ${related.error.message}`]),
    ],
  });
}

/** `stop`: ends sessions. With the last one memory is turned off, unless the mode is `session`. */
export async function endWork(memory: Memory, { switchMemory }: Pick<WorkContext, 'switchMemory'>, request: StopRequest): Promise<Result<WorkStopped>> {
  const stopped = await stopSession(memory, request);
  if (!stopped.ok || stopped.value.open.length > 0 || memory.config.get('mode') === 'session') return stopped;
  const turned = await switchMemory('off');
  return turned.ok ? stopped : turned;
}
