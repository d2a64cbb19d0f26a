import { CLIENTS, type Client } from '../../core/episode/episode.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import { locateIfOn } from '../project/locate.ts';

/** How clients begin the names they give to a server; Droid gives its maker's. */
const nameOfClient = (name: string): Client | undefined => (name.startsWith('factory') ? 'droid' : CLIENTS.find((client) => name.startsWith(client)));
/** Other names are kept in records, where only a plain one is of use. */
const PLAIN_NAME = /^[\w@][\w@./ -]{0,59}$/;

/** The client that talks to the server, by the name it introduced itself with. */
export class ConnectedClient {
  /** Whose sessions and hooks Holdfast knows; Claude Code until another introduces itself. */
  known: Client = 'claude-code';
  /** By its own name, where it is none of those. */
  name: string | undefined;

  introduce(name: string): void {
    const known = nameOfClient(name);
    this.known = known ?? this.known;
    this.name = known ?? (PLAIN_NAME.test(name) ? name : this.name);
  }

  /** Logs the connection for the project in a folder. Where memory is off, nothing is left behind. */
  noteIn(cwd: string, { folders, hookLog, now }: SessionMachine): void {
    if (this.name === undefined) return;
    try {
      const located = locateIfOn(folders, { cwd, now });
      if (located) hookLog.clientsOf(located.project.key).record({ client: this.name, by: 'server', at: now() });
    } catch {
      // A folder that does not answer is reported by the first call that needs it.
    }
  }
}
