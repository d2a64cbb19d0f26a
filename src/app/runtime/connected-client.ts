import { CLIENTS, type Client } from '../../core/episode/episode.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import type { TypedNote } from '../../core/ports/session-states.ts';
import { locateIfOn } from '../project/locate.ts';
import { findTypedPrompts } from './typed-prompts.ts';

/** How clients begin the names they give to a server; Droid gives its maker's. */
const nameOfClient = (name: string): Client | undefined => (name.startsWith('factory') ? 'droid' : CLIENTS.find((client) => name.startsWith(client)));
/** Records name other clients only if the name is plain. */
const PLAIN_NAME = /^[\w@][\w@./ -]{0,59}$/;

/** What a client tells the server when it starts it. */
export interface ClientStart {
  /** The folder of calls that name none. */
  readonly folder: string;
  /** Whether the client named the folder; otherwise it may name another one later. */
  readonly isFolderNamed: boolean;
  readonly session: string | undefined;
}

/** Session and folders that a client names with a call. */
export interface CallOrigin {
  readonly session?: string;
  readonly folders: readonly string[];
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** The client that talks to the server: its name, its session and the folder it works in. */
export class ConnectedClient {
  readonly #machine: SessionMachine;
  readonly isFolderNamed: boolean;
  folder: string;
  /** The session that the client named last. */
  session: string | undefined;
  /** The client, if Holdfast knows its sessions and hooks; Claude Code until another one introduces itself. */
  known: Client = 'claude-code';
  /** How a record names the client; undefined until it introduces itself. */
  name: string | undefined;

  constructor(machine: SessionMachine, { folder, isFolderNamed, session }: ClientStart) {
    this.#machine = machine;
    this.folder = folder;
    this.isFolderNamed = isFolderNamed;
    this.session = session;
  }

  introduce(name: string): void {
    const known = nameOfClient(name);
    this.known = known ?? this.known;
    this.name = known ?? (PLAIN_NAME.test(name) ? name : this.name);
  }

  noteOrigin({ session, folders }: CallOrigin): void {
    this.session = session ?? this.session;
    if (!this.isFolderNamed && !folders.some((folder) => isIn(this.folder, folder))) this.chooseFolder(folders);
  }

  /** Works in the first of these folders that exists. */
  chooseFolder(folders: readonly string[]): void {
    const chosen = folders.find((folder) => this.#machine.folders.exists(folder)) ?? this.folder;
    if (chosen === this.folder) return;
    this.folder = chosen;
    this.logConnection();
  }

  /** Logs the connection for the project in the folder; leaves nothing behind where memory is off. */
  logConnection(): void {
    if (this.name === undefined) return;
    const { folders, hookLog, now } = this.#machine;
    try {
      const located = locateIfOn(folders, { cwd: this.folder, now });
      if (located) hookLog.clientsOf(located.project.key).record({ client: this.name, by: 'server', at: now() });
    } catch {
      // A folder that does not answer is reported by the first call that needs it.
    }
  }

  /** Prompts that were noted by the client's hooks, where these run as processes. */
  typedPrompts(): TypedNote | undefined {
    const machine = this.#machine;
    const located = locateIfOn(machine.folders, { cwd: this.folder, now: machine.now });
    const query = { session: this.session, parent: machine.processes.parent, now: machine.now() };
    return located && findTypedPrompts(machine.sessionNotes(located.project.key), query);
  }
}
