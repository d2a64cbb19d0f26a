import type { ClientState } from '../../../app/setup/apply.ts';
import { HOOK_CLIENTS } from '../../../app/hooks/client-dialect.ts';
import { NOTES, OTHER_CLIENTS } from '../../../app/setup/other-clients.ts';
import type { Finding } from '../../../app/read/doctor.ts';
import { utcSeconds } from '../../../core/instant.ts';
import type { ClientActivity, HookRun } from '../../../core/ports/hook-log.ts';
import type { StoredSession } from '../../../core/ports/episodes.ts';
import { shownTime } from '../instant.ts';
import { plural } from './format.ts';

const STATE_TEXTS: Readonly<Record<ClientState['state'], string>> = {
  absent: 'not on this machine',
  'not set up': 'on this machine, not set up',
  'partly set up': 'partly set up',
  'set up': 'set up by holdfast init',
  'package installed': 'its package is installed',
  unreadable: 'its settings cannot be read',
};

const hasRun = (client: string, seen: readonly HookRun[]): boolean => seen.some((hook) => hook.client === client);
export const isSet = ({ state }: ClientState): boolean => state === 'set up' || state === 'package installed';
const hasHooks = (client: string): boolean => HOOK_CLIENTS.some((known) => known === client);

/** One line for each client on this machine. */
export const clientLines = (states: readonly ClientState[], seen: readonly HookRun[]): readonly string[] =>
  states
    .filter(({ client, state }) => state !== 'absent' || hasRun(client, seen))
    .map((one) => {
      const ran = !hasHooks(one.client) ? 'no hooks, tools only' : hasRun(one.client, seen) ? 'hooks have run' : 'no hook has run yet';
      return `client  ${one.client}: ${STATE_TEXTS[one.state]}${isSet(one) ? `; ${ran}` : ''}`;
    });

/** The missing parts, and how to add them. */
export const clientFindings = (states: readonly ClientState[], seen: readonly HookRun[]): readonly Finding[] =>
  states.flatMap((one): Finding[] => {
    const { client, state, missing } = one;
    if (state === 'partly set up')
      return [{ level: 'note', what: `${client} is only partly set up; ${missing.join(', ')} would change`, mend: `holdfast init --client ${client}` }];
    if (state === 'unreadable')
      return [{ level: 'note', what: `The settings of ${client} cannot be read: ${missing.join()}`, mend: 'fix the file in an editor' }];
    if (!isSet(one) || !hasHooks(client) || hasRun(client, seen)) return [];
    return [
      {
        level: 'note',
        what: `${client} is set up, but none of its hooks has run yet.`,
        mend: client === 'codex' ? NOTES.codex : `start ${client} in this project`,
      },
    ];
  });

export interface ProjectClient {
  readonly client: string;
  /** How many of its conversations the project has. */
  readonly sessions: number;
  /** When the newest of them ended. */
  readonly last?: string;
  /** When one of its hooks last ran here. */
  readonly hooks?: string;
  /** When it last connected to the MCP server here. */
  readonly server?: string;
}

/** The clients with conversations, hooks or connections in a project, the latest first. */
export function clientsOf(sessions: readonly StoredSession[], seen: readonly ClientActivity[]): readonly ProjectClient[] {
  const clients = new Map<string, ProjectClient>();
  const entryOf = (client: string): ProjectClient => clients.get(client) ?? { client, sessions: 0 };
  for (const { facts } of sessions) {
    const entry = entryOf(facts.client);
    const last = entry.last ?? facts.endedAt;
    clients.set(facts.client, { ...entry, sessions: entry.sessions + 1, ...(last !== undefined && { last }) });
  }
  for (const { client, by, at } of seen) {
    const name = setupNameOf(client);
    clients.set(name, { ...entryOf(name), [by]: utcSeconds(at) });
  }
  const latest = ({ last = '', hooks = '', server = '' }: ProjectClient): string => [last, hooks, server].toSorted().at(-1) ?? '';
  return [...clients.values()].toSorted((a, b) => (latest(a) < latest(b) ? 1 : latest(a) > latest(b) ? -1 : 0));
}

/** The name that `init` uses. Some clients report another name to the server, such as goose-cli or @cline/core. */
const setupNameOf = (client: string): string => OTHER_CLIENTS.find((known) => new RegExp(`\\b${known}\\b`, 'i').test(client)) ?? client;

const TIMES = ['last', 'hooks', 'server'] as const;

/** A client as `status` shows it: its sessions, and when it was last active. */
export function clientLine(one: ProjectClient): string {
  const { client, sessions } = one;
  const times = TIMES.flatMap((field) => (one[field] === undefined ? [] : [`${field} ${shownTime(one[field])}`]));
  return `${client}${sessions === 0 ? '' : ` ${plural(sessions, 'session')}`}${times.length === 0 ? '' : ` (${times.join(', ')})`}`;
}
