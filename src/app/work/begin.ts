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
import { type FoundRelation, addFound } from '../workspace/discover.ts';
import { neighbourhood, readWorkspace, registerProject } from '../workspace/workspace.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';
import { counted, readSession, SESSION_PLACE, totals } from './file.ts';

/** A session without a write for this long counts as over. */
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

/** Begins a session of a project: its folders, its session file, the documents that are missing, the index's head. */
export async function startWork(memory: Memory, request: StartWorkRequest): Promise<Result<WorkStarted>> {
  const named = request.sessionId === undefined ? ok(undefined) : safeSessionId(request.sessionId);
  if (!named.ok) return named;
  return writing(memory, request, async (write) => {
    const { session: before, damaged } = await readSession(memory);
    if (damaged !== undefined) await setAside(write, damaged);
    for (const folder of STRUCTURE) await write.folder('private', folder);
    const created = await placeholders(memory, write);
    const { file, closed } = withoutIdle(memory, before);
    const there = file.open.find(({ id }) => id === named.value);
    const session = there ?? { started: freshInstant(memory, file), ...(named.value !== undefined && { id: named.value }), ...branchOf(request) };
    const next = there ? file : opened(memory, file, session);
    await write.state(SESSION_PLACE, renderSession(counted(memory, { ...next, projectKey: memory.key, projectPath: memory.projectPath ?? next.projectPath })));
    return ok({ status: there ? 'already_active' : 'started', session, file: next, created, closed, warnings: write.warnings });
  });
}

const branchOf = ({ branch }: StartWorkRequest): Pick<OpenSession, 'branch'> => (branch === undefined ? {} : { branch });

/** Counting begins anew with the first session that opens, and goes on while others join. */
function opened(memory: Memory, file: WorkSessionFile, session: OpenSession): WorkSessionFile {
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

/** The begin tells sessions apart: two that start within a second still differ. */
function freshInstant(memory: Memory, { open, history }: WorkSessionFile): string {
  const taken = new Set([...open, ...history].map(({ started }) => started));
  let at = memory.now();
  while (taken.has(utcSeconds(at))) at += 1000;
  return utcSeconds(at);
}

async function placeholders(memory: Memory, write: Writing): Promise<string[]> {
  const created: string[] = [];
  for (const [place, text] of PLACEHOLDERS) {
    const made = await editDocument(memory, write, { place, edit: (there) => ok(there ?? text) });
    if (!made.ok) write.warnings.push(made.error.message);
    else if (made.value.status === 'created') created.push(place.path);
  }
  return created;
}

/** A session file that cannot be read is no reason to lose what it says. */
async function setAside(write: Writing, damaged: string): Promise<void> {
  const path = `${SESSION_PLACE.path}.damaged`;
  await write.state({ root: 'private', path }, damaged);
  write.warnings.push(`${SESSION_PLACE.path} could not be read; what it said is in ${path}`);
}

export interface StopRequest extends Author {
  /** Ends this session and leaves the others open; without one all of them end. */
  readonly sessionId?: string | undefined;
}

export interface Stopped {
  readonly status: 'stopped' | 'already_inactive';
  readonly ended: readonly PastSession[];
  /** Parallel sessions that go on. */
  readonly open: readonly OpenSession[];
  readonly warnings: readonly string[];
}

/** Ends the sessions of a project: each gets its row in the archive, every file stays. */
export function stopSession(memory: Memory, request: StopRequest): Promise<Result<Stopped>> {
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
  /** Where the map's quick reference leads for this project. */
  readonly indexPath: string;
  /** Relationships to projects of the map that the project's own files tell of. */
  found(map: WorkspaceMap['projects']): Promise<readonly FoundRelation[]>;
  /** Says yes or no to memory for this project. */
  turn(to: 'on' | 'off'): Promise<Result<unknown>>;
}

export interface Begun extends WorkStarted {
  /** Whether the project was new on the map. */
  readonly registered: boolean;
  readonly state: ViewState;
  /** The user's preferences, a line each, that the session is to follow. */
  readonly preferences: readonly string[];
  /** Relationships that were not on the map and were found in the project's files. */
  readonly related: readonly Relationship[];
  /** Initiatives across projects that this one takes part in. */
  readonly initiatives: readonly Initiative[];
  /** The project's description, in its own document. */
  readonly project?: string;
}

/** `start`: memory mode on, the session begun, the project on the map, preferences and the project's description loaded. */
export async function beginSession(memory: Memory, { user, indexPath, found, turn }: WorkContext, request: StartWorkRequest): Promise<Result<Begun>> {
  const turned = await turn('on');
  if (!turned.ok) return turned;
  const started = await startWork(memory, request);
  if (!started.ok) return started;
  const place = { key: memory.key, path: memory.projectPath ?? '', index: indexPath };
  const registered = await registerProject(user, place, { actor: request.actor });
  const related = await addFound(user, memory.key, await found((await readWorkspace(user)).projects), request.actor);
  const [preferences, project] = [await documentText(user, { root: 'user', path: 'preferences.md' }), await documentText(memory, DOCUMENTS.project)];
  return ok({
    ...started.value,
    registered: registered.ok && registered.value.registered,
    state: await viewState(memory, 'private'),
    preferences: contentLines(preferences),
    related: related.ok ? related.value : [],
    initiatives: neighbourhood(await readWorkspace(user), memory.key).initiatives,
    ...(project !== '' && { project }),
    // The session has begun; a map that cannot be written is worth a word, not a refusal.
    warnings: [
      ...started.value.warnings,
      ...(registered.ok ? registered.value.warnings : [`the map of projects was not changed: ${registered.error.message}`]),
      ...(related.ok || !registered.ok ? [] : [`the relationships that were found were not saved to the map of projects: ${related.error.message}`]),
    ],
  });
}

/** `stop`: the sessions end, and where hooks act all the time memory is switched off with the last of them. */
export async function endWork(memory: Memory, { turn }: Pick<WorkContext, 'turn'>, request: StopRequest): Promise<Result<Stopped>> {
  const stopped = await stopSession(memory, request);
  if (!stopped.ok || stopped.value.open.length > 0 || memory.config.get('mode') === 'session') return stopped;
  const turned = await turn('off');
  return turned.ok ? stopped : turned;
}
