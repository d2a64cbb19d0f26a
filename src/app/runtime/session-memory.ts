import type { Client } from '../../core/episode/episode.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import { loadConfig } from '../config/load.ts';
import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { HookEffects } from '../hooks/answer.ts';
import type { HookServices } from '../hooks/effects.ts';
import type { Reporter, UserPrompts, UserPromptsState } from '../hooks/user-prompts.ts';
import type { Memory } from '../memory/memory.ts';
import { locateIfOn } from '../project/locate.ts';
import { isStarted, type Switch, switchOf } from '../project/switch.ts';
import { brief } from '../recall/brief/brief.ts';
import type { SearchPlace } from '../search/search.ts';
import type { ConnectedClient } from './connected-client.ts';
import type { OpenProjects, RuntimeProject } from './open-projects.ts';

export interface SessionMemoryParts {
  readonly machine: SessionMachine;
  readonly projects: OpenProjects;
  readonly services: Pick<HookServices, 'episodes' | 'drafting'>;
  readonly prompts: UserPrompts;
  readonly client: ConnectedClient;
  readonly agent: HookEffects['agent'];
}

/** The memory of a client's session, as the MCP tools and resources use it. */
export class SessionMemory {
  readonly #parts: SessionMemoryParts;

  constructor(parts: SessionMemoryParts) {
    this.#parts = parts;
  }

  isOn(): boolean {
    return this.#parts.projects.isOn(this.#parts.client.folder);
  }

  /** Whether the end of a turn may ask the agent to save. */
  asksToSave(): boolean {
    const { machine, agent, client } = this.#parts;
    const located = locateIfOn(machine.folders, { cwd: client.folder, now: machine.now });
    const flow = located && loadConfig(located.config).config.get('capture.flow');
    return flow === 'inline' || flow === 'agents' || (flow === 'auto' && !agent.isHeadless);
  }

  /** Changes with the list of records. */
  async recordsVersion(): Promise<string> {
    const { index } = (await this.#open()).memory;
    const [newest] = index.recent({ kind: 'record', status: 'active' }, 1);
    return [index.count({ kind: 'record', status: 'active' }), newest?.id, newest?.updatedAt].join(' ');
  }

  async project(): Promise<{ readonly memory: Memory; readonly path: string; readonly switched: Switch }> {
    const { memory, project } = await this.#open();
    const started = isStarted(this.#parts.machine.folders.sessionText(project.privateRoot));
    return { memory, path: project.path, switched: switchOf(memory.config, started) };
  }

  user(): Promise<Memory> {
    return this.#parts.projects.user();
  }

  places(): Promise<readonly SearchPlace[]> {
    return this.#parts.projects.places(this.#parts.client.folder);
  }

  async brief(): Promise<string> {
    const { memory, recallContext } = (await this.#open()).hookContext();
    // Only the plugin for Claude Code has the command that the inbox line names.
    const { inbox: _inbox, ...withoutInbox } = recallContext;
    return (await brief(memory, (this.clientName() ?? this.client()) === 'claude-code' ? recallContext : withoutInbox, { event: 'startup' })).text;
  }

  async openFiles(): Promise<readonly string[]> {
    const { session } = this.#parts.client;
    return session === undefined ? [] : ((await this.#open()).hookContext().notes.read(session).open ?? []);
  }

  episodes(): Promise<Episodes> {
    return this.#parts.services.episodes();
  }

  drafting(): Promise<DraftingService> {
    return this.#parts.services.drafting();
  }

  client(): Client {
    return this.#parts.client.known;
  }

  clientName(): string | undefined {
    return this.#parts.client.name;
  }

  session(): string | undefined {
    return this.#parts.client.session ?? this.#parts.client.typedPrompts()?.session;
  }

  userPrompts(): Promise<UserPromptsState> {
    return this.#parts.prompts.all();
  }

  reporter(file: string): Reporter | undefined {
    return this.#parts.prompts.reporter(file);
  }

  words(): Promise<ReadonlySet<string> | undefined> {
    return this.#parts.prompts.words();
  }

  noteSaved(category: string): void {
    this.#parts.prompts.noteSaved(category);
  }

  get undo(): string {
    return this.#parts.agent.undo;
  }

  now(): number {
    return this.#parts.machine.now();
  }

  #open(): Promise<RuntimeProject> {
    return this.#parts.projects.open(this.#parts.client.folder);
  }
}
