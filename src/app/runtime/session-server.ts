import type { SessionMachine } from '../../core/ports/machine.ts';
import { TaskQueue } from '../../core/task-queue.ts';
import { answerHook, type HookEffects } from '../hooks/answer.ts';
import { type HookCall, type HookEvent, eventNamed, readCall } from '../hooks/call.ts';
import { hookEffects, type HookServices } from '../hooks/effects.ts';
import { UserPrompts } from '../hooks/user-prompts.ts';
import type { LocatedProject } from '../project/locate.ts';
import { BackgroundQueue } from './background-queue.ts';
import { type CallOrigin, type ClientStart, ConnectedClient } from './connected-client.ts';
import { reportFailure } from './event-process.ts';
import { IdleWarmup } from './idle-warmup.ts';
import { OpenProjects, type OpenProjectsHost } from './open-projects.ts';
import { SessionMemory } from './session-memory.ts';
import { SessionOwner } from './session-owner.ts';

/** A frequent event is logged at most once in this time. */
const LOG_INTERVAL_MS = 60_000;
/** Earlier sessions are finished this long after the server has started. */
const FINISH_AFTER_MS = 3_000;

export interface ServerHost extends ClientStart, Pick<OpenProjectsHost, 'openMessages' | 'openEmbedding'> {
  readonly machine: SessionMachine;
  /** Whether a Holdfast process started the client: hooks do nothing there. */
  readonly isChild: boolean;
  readonly services: (current: () => Promise<LocatedProject['project']>) => HookServices & { close(): Promise<void> };
  /** Runs `work` when the client has its answer. */
  readonly afterAnswer: (work: () => void) => void;
  readonly agent: HookEffects['agent'];
  /** The folder of Holdfast's programs, as the client's texts name it. */
  readonly programs: string;
}

/** Answers the events of a client's session from the memory that is open. An event that fails is logged, and the session goes on. */
export class SessionServer {
  /** Calls are answered one after the other. */
  readonly turns = new TaskQueue();
  readonly memory: SessionMemory;
  /** Works in the first of these folders that exists; absent if the client has named its folder. */
  readonly chooseFolder: ((folders: readonly string[]) => void) | undefined;
  readonly #host: ServerHost;
  readonly #client: ConnectedClient;
  readonly #background: BackgroundQueue;
  readonly #owner: SessionOwner;
  readonly #projects: OpenProjects;
  readonly #services: ReturnType<ServerHost['services']>;
  readonly #prompts: UserPrompts;
  readonly #warmup: IdleWarmup;
  readonly #loggedAt = new Map<HookEvent, number>();

  constructor(host: ServerHost) {
    const { machine, agent, openMessages, openEmbedding, isChild } = host;
    const client = new ConnectedClient(machine, host);
    const background = new BackgroundQueue(machine);
    const repairViews = (cwd = client.folder): void => background.add({ cwd, onlyViews: true });
    const projects = new OpenProjects({ machine, client: () => client.known, openMessages, openEmbedding, repairViews }, (wait) => this.turns.aside(wait));
    const services = host.services(async () => (await projects.open(client.folder)).project);
    const prompts = new UserPrompts({
      episodeOf: async (transcript) => (await services.episodes()).choose({ transcript }),
      typedPrompts: async () => client.typedPrompts(),
    });
    this.#host = host;
    this.#client = client;
    this.#background = background;
    this.#owner = new SessionOwner(machine, background);
    this.#projects = projects;
    this.#services = services;
    this.#prompts = prompts;
    this.#warmup = new IdleWarmup({
      context: async () => (isChild ? undefined : (await projects.openIfOn(client.folder))?.context),
      turns: this.turns,
      checkInBackground: () => repairViews(),
      timers: machine.timers,
      watch: machine.watch,
    });
    this.memory = new SessionMemory({ machine, projects, services, prompts, client, agent });
    this.chooseFolder = client.isFolderNamed ? undefined : (folders) => client.chooseFolder(folders);
    machine.timers.after(FINISH_AFTER_MS, () => {
      if (!isChild && projects.isOn(client.folder)) background.add({ cwd: client.folder });
    });
  }

  /** The client's text for the answer to an event; empty when there is none. */
  async answerEvent(input: Readonly<Record<string, unknown>>): Promise<string> {
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
    this.#client.session = call.session ?? this.#client.session;
    this.#prompts.noteEvent(call);
    const cwd = call.cwd ?? this.#client.folder;
    await this.#warmup.finishFirstCheck();
    const opened = await this.#projects.openIfOn(cwd);
    if (!opened) return '';
    const { context, project } = opened;
    const isNewSession = this.#owner.claimSession(call, cwd, context.notes);
    const effects = hookEffects(machine, this.#services, { cwd, client, project, memory: context.memory, agent, programs, userPrompts: this.#prompts });
    const answer = await answerHook(context, call, effects);
    const { backgroundWork } = answer;
    if (backgroundWork) afterAnswer(() => this.#background.add({ cwd, ...backgroundWork }));
    this.#logEvent(call.event, isNewSession, project.key);
    return (await import('../hooks/present-answer.ts')).presentAnswer(call.event, answer, client);
  }

  /** Always logs a session's first event, because starts are deferred only to a server that answers prompts. */
  #logEvent(event: HookEvent, isNewSession: boolean, key: string): void {
    const { hookLog, now: clock } = this.#host.machine;
    const [client, now] = [this.#client.known, clock()];
    if (!isNewSession && now - (this.#loggedAt.get(event) ?? 0) <= LOG_INTERVAL_MS) return;
    this.#loggedAt.set(event, now);
    hookLog.recordRun(client, event, now);
    hookLog.clientsOf(key).record({ client, by: 'hooks', at: now });
  }

  introduceClient(name: string): void {
    this.#client.introduce(name);
    this.#host.afterAnswer(() => this.#client.logConnection());
  }

  noteOrigin(origin: CallOrigin): void {
    this.#client.noteOrigin(origin);
  }

  /** A line was answered; more may follow. */
  afterLine(): void {
    this.#warmup.startWhenIdle();
  }

  /** The client is gone. */
  leave(): void {
    this.#owner.releaseSession();
  }

  async close(): Promise<void> {
    this.#warmup.close();
    await this.#services.close();
    await this.#projects.close();
  }
}
