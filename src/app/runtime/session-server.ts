import type { Client } from '../../core/episode/episode.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import type { TypedNote } from '../../core/ports/session-states.ts';
import { TaskQueue } from '../../core/task-queue.ts';
import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import { answerHook, type HookEffects } from '../hooks/answer.ts';
import { type HookCall, type HookEvent, eventNamed, readCall } from '../hooks/call.ts';
import { hookEffects, type HookServices } from '../hooks/effects.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import { typedFor } from './typed-prompts.ts';
import { type Reporter, UserPrompts, type UserPromptsState } from '../hooks/user-prompts.ts';
import type { Memory } from '../memory/memory.ts';
import { loadConfig } from '../config/load.ts';
import { type LocatedProject, locateIfOn } from '../project/locate.ts';
import { isStarted, type Switch, switchOf } from '../project/switch.ts';
import { brief } from '../recall/brief/brief.ts';
import type { SearchPlace } from '../search/search.ts';
import { ConnectedClient } from './connected-client.ts';
import { reportFailure } from './event-process.ts';
import { IdleWarmup } from './idle-warmup.ts';
import { OpenProjects, type OpenProjectsHost, type RuntimeProject } from './open-projects.ts';
import { SessionOwner } from './session-owner.ts';

/** A frequent hook is logged at most once in this time. */
const NOTED_MS = 60_000;
/** Earlier sessions are finished once this one has started. */
const FINISH_AFTER_MS = 3_000;

export interface ServerHost extends Pick<OpenProjectsHost, 'openMessages' | 'openEmbedding'> {
  readonly machine: SessionMachine;
  /** The folder of calls that name none. */
  readonly folder: string;
  /** Whether the client named the folder; otherwise it may name another one later. */
  readonly isFolderNamed: boolean;
  /** The session that the client named when it started the server. */
  readonly session: string | undefined;
  /** Whether a Holdfast process started the client: hooks do nothing there. */
  readonly isChild: boolean;
  readonly services: (current: () => Promise<LocatedProject['project']>) => HookServices & { close(): Promise<void> };
  /** Runs `work` when the client has its answer. */
  readonly afterAnswer: (work: () => void) => void;
  readonly agent: HookEffects['agent'];
  /** The folder of Holdfast's programs, as the client's texts name it. */
  readonly programs: string;
}

/** Where a call comes from, as far as its client says so. */
export interface CallOrigin {
  readonly session?: string;
  readonly folders: readonly string[];
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Answers the events and tool calls of a client's session from the memory that is open. Whatever fails, the session goes on. */
export class SessionServer {
  /** Calls are answered one after the other. */
  readonly turns = new TaskQueue();
  readonly #host: ServerHost;
  readonly #projects: OpenProjects;
  readonly #owner: SessionOwner;
  readonly #warmup: IdleWarmup;
  readonly #services: ReturnType<ServerHost['services']>;
  readonly #prompts: UserPrompts;
  readonly #noted = new Map<HookEvent, number>();
  #session: string | undefined;
  readonly #client = new ConnectedClient();
  #folder: string;

  constructor(host: ServerHost) {
    const { machine, openMessages, openEmbedding } = host;
    this.#host = host;
    this.#folder = host.folder;
    this.#session = host.session;
    this.#owner = new SessionOwner(machine);
    const repair = (cwd = this.#folder): void => this.#owner.later({ cwd, onlyViews: true });
    this.#projects = new OpenProjects({ machine, client: () => this.#client.known, openMessages, openEmbedding, repair }, (wait) => this.turns.aside(wait));
    this.#services = host.services(async () => (await this.#open()).project);
    this.#prompts = new UserPrompts({
      episodeOf: async (transcript) => (await this.episodes()).choose({ transcript }),
      typed: async () => this.#typed(),
    });
    this.#warmup = new IdleWarmup({
      context: async () => (await this.#openIfOn(this.#folder))?.context,
      turns: this.turns,
      lookElsewhere: () => repair(),
      timers: machine.timers,
      watch: host.machine.watch,
    });
    machine.timers.after(FINISH_AFTER_MS, () => {
      if (!host.isChild && this.isOn()) this.#owner.later({ cwd: this.#folder });
    });
  }

  /** The answer to an event for the client; empty when there is none. */
  async answer(input: Readonly<Record<string, unknown>>): Promise<string> {
    const event = eventNamed(typeof input['event'] === 'string' ? input['event'] : '');
    if (event === undefined || this.#host.isChild) return '';
    const { machine } = this.#host;
    try {
      const call = readCall(event, input);
      if (!call.ok) throw new Error(call.error.message);
      return await this.#answerCall(call.value);
    } catch (cause) {
      reportFailure({ log: machine.hookLog, warn: machine.warn, client: this.#client.known, event }, cause, machine.now());
      return '';
    }
  }

  async #answerCall(call: HookCall): Promise<string> {
    const { machine, afterAnswer, agent, programs } = this.#host;
    const client = this.#client.known;
    this.#session = call.session ?? this.#session;
    this.#prompts.note(call);
    const cwd = call.cwd ?? this.#folder;
    await this.#warmup.ready();
    const opened = await this.#openIfOn(cwd);
    if (!opened) return '';
    const { context, project } = opened;
    const isNewSession = this.#owner.saw(call, cwd, context.notes);
    const effects = hookEffects(machine, this.#services, { cwd, client, project, memory: context.memory, agent, programs, userPrompts: this.#prompts });
    const answer = await answerHook(context, call, effects);
    const { later } = answer;
    if (later) afterAnswer(() => this.#owner.later({ cwd, ...later }));
    this.#note(call.event, isNewSession, project.key);
    return (await import('../hooks/present-answer.ts')).presentAnswer(call.event, answer, client);
  }

  /** Always logs a session's first prompt, because starts are deferred only to a server that answers prompts. */
  #note(event: HookEvent, isNewSession: boolean, key: string): void {
    const { machine } = this.#host;
    const now = machine.now();
    if (!isNewSession && now - (this.#noted.get(event) ?? 0) <= NOTED_MS) return;
    this.#noted.set(event, now);
    machine.hookLog.recordRun(this.#client.known, event, now);
    machine.hookLog.clientsOf(key).record({ client: this.#client.known, by: 'hooks', at: now });
  }

  /** Where memory is off, nothing is opened. */
  isOn(cwd = this.#folder): boolean {
    const { folders, now } = this.#host.machine;
    return this.#projects.isOpen(cwd) || locateIfOn(folders, { cwd, now }) !== undefined;
  }

  async #openIfOn(cwd: string): Promise<{ readonly context: HookContext; readonly project: RuntimeProject['project'] } | undefined> {
    if (this.#host.isChild || !this.isOn(cwd)) return undefined;
    const opened = await this.#projects.project(cwd);
    const context = opened.hook();
    return context.switched.on ? { context, project: opened.project } : undefined;
  }

  #open(): Promise<RuntimeProject> {
    return this.#projects.project(this.#folder);
  }

  introduced(name: string): void {
    this.#client.introduce(name);
    this.#host.afterAnswer(() => this.#client.noteIn(this.#folder, this.#host.machine));
  }

  /** The client by its own name, where it is none whose sessions are known. */
  clientName(): string | undefined {
    return this.#client.name;
  }

  client(): Client {
    return this.#client.known;
  }

  /** Works in the first of the client's folders that is there. */
  get workIn(): ((folders: readonly string[]) => void) | undefined {
    if (this.#host.isFolderNamed) return undefined;
    return (folders) => {
      const found = folders.find((folder) => this.#host.machine.folders.exists(folder)) ?? this.#folder;
      if (found === this.#folder) return;
      this.#folder = found;
      this.#client.noteIn(found, this.#host.machine);
    };
  }

  /** A line was answered; more may follow. */
  answered(): void {
    this.#warmup.said();
  }

  /** The client is gone. */
  leave(): void {
    this.#owner.leave();
  }

  async close(): Promise<void> {
    this.#warmup.close();
    await this.#services.close();
    await this.#projects.close();
  }

  async project(): Promise<{ readonly memory: Memory; readonly path: string; readonly switched: Switch }> {
    const { memory, project } = await this.#open();
    const started = isStarted(this.#host.machine.folders.sessionText(project.privateRoot));
    return { memory, path: project.path, switched: switchOf(memory.config, started) };
  }

  user(): Promise<Memory> {
    return this.#projects.user();
  }

  places(): Promise<readonly SearchPlace[]> {
    return this.#projects.places(this.#folder);
  }

  async brief(): Promise<string> {
    const { memory, recallContext } = (await this.#open()).hook();
    // A client of another name has no commands of the plugin.
    const { inbox: _ofPlugin, ...named } = recallContext;
    return (await brief(memory, (this.#client.name ?? this.#client.known) === 'claude-code' ? recallContext : named, { event: 'startup' })).text;
  }

  /** Changes with the list of records. */
  async position(): Promise<string | undefined> {
    const { index } = (await this.#open()).memory;
    const [newest] = index.recent({ kind: 'record', status: 'active' }, 1);
    return [index.count({ kind: 'record', status: 'active' }), newest?.id, newest?.updatedAt].join(' ');
  }

  episodes(): Promise<Episodes> {
    return this.#services.episodes();
  }

  drafting(): Promise<DraftingService> {
    return this.#services.drafting();
  }

  session(): string | undefined {
    return this.#session ?? this.#typed()?.session;
  }

  /** Prompts noted by hooks of this client that run as processes. */
  #typed(): TypedNote | undefined {
    const { machine } = this.#host;
    const located = locateIfOn(machine.folders, { cwd: this.#folder, now: machine.now });
    const query = { session: this.#session, parent: machine.processes.parent, now: machine.now() };
    return located && typedFor(machine.sessionNotes(located.project.key), query);
  }

  /** A call says where it comes from: some clients name session and folders with each. */
  called({ session, folders }: CallOrigin): void {
    this.#session = session ?? this.#session;
    if (!folders.some((folder) => isIn(this.#folder, folder))) this.workIn?.(folders);
  }

  async openFiles(): Promise<readonly string[]> {
    return this.#session === undefined ? [] : ((await this.#open()).hook().notes.read(this.#session).open ?? []);
  }

  userPrompts(): Promise<UserPromptsState> {
    return this.#prompts.soFar();
  }

  reporter(file: string): Reporter | undefined {
    return this.#prompts.reporter(file);
  }

  words(): Promise<ReadonlySet<string> | undefined> {
    return this.#prompts.words();
  }

  get undo(): string {
    return this.#host.agent.undo;
  }

  /** Whether the end of a turn may ask the agent to save. */
  asksToSave(): boolean {
    const { machine, agent } = this.#host;
    const located = locateIfOn(machine.folders, { cwd: this.#folder, now: machine.now });
    const flow = located && loadConfig(located.config).config.get('capture.flow');
    return flow === 'inline' || flow === 'agents' || (flow === 'auto' && !agent.isHeadless);
  }

  noteSaved(category: string): void {
    this.#prompts.keep(category);
  }

  now(): number {
    return this.#host.machine.now();
  }
}
