import { ok, type Result } from '../../core/result.ts';
import type { Initiative, Relationship, WorkspaceMap } from '../../render/documents/workspace.ts';
import type { ViewState } from '../../render/views/recent-index.ts';
import { DOCUMENTS } from '../documents/places.ts';
import { documentText } from '../documents/read.ts';
import type { Memory } from '../memory/memory.ts';
import { linesSaid } from '../recall/brief/state.ts';
import { viewState } from '../views/state.ts';
import type { FoundRelation } from '../workspace/discover.ts';
import { addFound } from '../workspace/found.ts';
import { neighbourhood, readWorkspace, registerProject } from '../workspace/workspace.ts';
import { startWork, type WorkStarted, type StartWorkRequest } from './start.ts';
import { stopSession, type Stopped, type StopRequest } from './stop.ts';

/** What a session touches beside the memory of its project. */
export interface SessionSurroundings {
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
  /** What the project is, in its own document. */
  readonly project?: string;
}

/** `start`: memory mode on, the session begun, the project on the map, preferences and the project's own words at hand. */
export async function beginSession(memory: Memory, { user, indexPath, found, turn }: SessionSurroundings, request: StartWorkRequest): Promise<Result<Begun>> {
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
    preferences: linesSaid(preferences),
    related: related.ok ? related.value : [],
    initiatives: neighbourhood(await readWorkspace(user), memory.key).initiatives,
    ...(project !== '' && { project }),
    // The session has begun; a map that cannot be written is worth a word, not a refusal.
    warnings: [
      ...started.value.warnings,
      ...(registered.ok ? registered.value.warnings : [`the map of projects was not changed: ${registered.error.message}`]),
      ...(related.ok || !registered.ok ? [] : [`what was found was not put on the map: ${related.error.message}`]),
    ],
  });
}

/** `stop`: the sessions end, and where hooks act all the time memory is switched off with the last of them. */
export async function endWork(memory: Memory, { turn }: Pick<SessionSurroundings, 'turn'>, request: StopRequest): Promise<Result<Stopped>> {
  const stopped = await stopSession(memory, request);
  if (!stopped.ok || stopped.value.open.length > 0 || memory.config.get('mode') === 'session') return stopped;
  const turned = await turn('off');
  return turned.ok ? stopped : turned;
}
