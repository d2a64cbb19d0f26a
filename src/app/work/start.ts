import { daysInMs, epochOf, utcSeconds } from '../../core/instant.ts';
import { safeSessionId } from '../../core/project/filename.ts';
import { FOLDERS } from '../../core/record/category.ts';
import { ok, type Result } from '../../core/result.ts';
import { NO_ACTIVE, NO_BLOCKERS, NO_COMPLETED, NO_TASK } from '../../render/documents/project.ts';
import { renderSession, type OpenSession, type PastSession, type WorkSessionFile } from '../../render/documents/session-file.ts';
import { DOCUMENTS } from '../documents/read.ts';
import { editDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
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
