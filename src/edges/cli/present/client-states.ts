import type { ClientState } from '../../../app/setup/apply.ts';
import { HOOK_CLIENTS } from '../../../app/hooks/client-dialect.ts';
import { NOTES } from '../../../app/setup/other-clients.ts';
import type { Finding } from '../../../app/read/doctor.ts';
import type { SeenHook } from '../../../core/ports/hook-log.ts';
import type { StoredSession } from '../../../core/ports/episodes.ts';

const SAID: Readonly<Record<ClientState['state'], string>> = {
  absent: 'not on this machine',
  'not set up': 'on this machine, not set up',
  'partly set up': 'partly set up',
  'set up': 'set up by holdfast init',
  'package installed': 'its package is installed',
  unreadable: 'its settings cannot be read',
};

const hasRun = (client: string, seen: readonly SeenHook[]): boolean => seen.some((hook) => hook.client === client);
export const isSet = ({ state }: ClientState): boolean => state === 'set up' || state === 'package installed';
const hasHooks = (client: string): boolean => HOOK_CLIENTS.some((known) => known === client);

/** One line a client that is on this machine. */
export const clientLines = (states: readonly ClientState[], seen: readonly SeenHook[]): readonly string[] =>
  states
    .filter(({ client, state }) => state !== 'absent' || hasRun(client, seen))
    .map((one) => {
      const ran = !hasHooks(one.client) ? 'no hooks, tools only' : hasRun(one.client, seen) ? 'hooks have run' : 'no hook has run yet';
      return `client  ${one.client}: ${SAID[one.state]}${isSet(one) ? `; ${ran}` : ''}`;
    });

/** The missing parts, and how to add them. */
export const clientFindings = (states: readonly ClientState[], seen: readonly SeenHook[]): readonly Finding[] =>
  states.flatMap((one): Finding[] => {
    const { client, state, missing } = one;
    if (state === 'partly set up')
      return [{ level: 'note', what: `${client} is only partly set up; ${missing.join(', ')} would change`, mend: `holdfast init --client ${client}` }];
    if (state === 'unreadable')
      return [{ level: 'note', what: `The settings of ${client} cannot be read: ${missing.join()}`, mend: 'fix the file in an editor' }];
    if (!isSet(one) || !hasHooks(client) || hasRun(client, seen)) return [];
    return [{ level: 'note', what: `${client} is set up, but none of its hooks has run yet.`, mend: NOTES[client] }];
  });

export interface ClientSessions {
  readonly client: string;
  readonly sessions: number;
  /** When the newest of them ended. */
  readonly last?: string;
}

/** The clients whose conversations a project has, newest first. */
export function clientsSeen(sessions: readonly StoredSession[]): readonly ClientSessions[] {
  const seen = new Map<string, ClientSessions>();
  for (const { facts } of sessions) {
    const { sessions: before = 0, last = facts.endedAt } = seen.get(facts.client) ?? {};
    seen.set(facts.client, { client: facts.client, sessions: before + 1, ...(last !== undefined && { last }) });
  }
  return [...seen.values()];
}
