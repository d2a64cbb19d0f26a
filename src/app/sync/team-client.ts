import type { TeamApi, TeamConnection, TeamFiles } from '../../core/ports/team/api.ts';
import type { Remote, Space, VersionCodec } from '../../core/ports/team/sync.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import type { SyncReport } from './report.ts';
import { planSync, type SyncOptions, syncPlace } from './sync.ts';

/** The client side of a team's server; `bin` supplies it. */
export interface TeamClient {
  readonly files: TeamFiles;
  /** The normalised address, or why nothing may be sent there. */
  address(url: string): Result<string>;
  api(endpoint: { readonly url: string; readonly token: string }): Result<TeamApi>;
  remote(api: TeamApi, project: string, proposes: boolean): Remote;
  readonly plain: VersionCodec;
  sealed(key: string): VersionCodec;
  newKey(): string;
  shownKey(key: string): string;
  /** Reads a typed key; undefined if a character is wrong. */
  typedKey(text: string): string | undefined;
}

export interface ConnectedTeam {
  readonly connection: TeamConnection;
  readonly api: TeamApi;
}

/** The server that a memory is synced with. */
export function connectedTeam({ files, api }: TeamClient, { key }: Memory): Result<ConnectedTeam> {
  const connection = files.connection(key);
  if (!connection)
    return refuse('NOT_FOUND', 'This project is not connected to a server.', { hint: 'holdfast sync --to https://SERVER --as PROJECT connects it' });
  const token = files.token(connection.url);
  if (token === undefined)
    return refuse('SECURITY_ERROR', `There is no token for ${connection.url}.`, { hint: `holdfast sync --to ${connection.url} --token FILE` });
  const opened = api({ url: connection.url, token });
  return opened.ok ? ok({ connection, api: opened.value }) : opened;
}

export interface SpaceReport extends SyncReport {
  readonly space: Space;
}

export interface SyncRequest extends SyncOptions {
  readonly dryRun?: boolean;
  /** Sends everything as proposals. */
  readonly proposes?: boolean;
}

/** Syncs the shared records of a memory and, if the user enabled it, the private ones, encrypted. Nothing private is sent without a key. */
export async function syncMemory(client: TeamClient, memory: Memory, request: SyncRequest): Promise<Result<readonly SpaceReport[]>> {
  const connected = connectedTeam(client, memory);
  if (!connected.ok) return connected;
  const { connection, api } = connected.value;
  const remote = client.remote(api, connection.project, request.proposes === true);
  const key = client.files.sealingKey();
  if (connection.isPrivateSynced && key === undefined)
    return refuse('SECURITY_ERROR', 'Private records are to be synced, but there is no key to encrypt them. Nothing was sent.', {
      hint: 'create one with holdfast sync key, or import the key of your other machine with holdfast sync key --import',
    });
  const run = request.dryRun ? planSync : syncPlace;
  const spaces = [
    ...(memory.store.roots.includes('shared') ? [{ space: 'shared', codec: client.plain, actor: 'sync' } as const] : []),
    ...(connection.isPrivateSynced && key !== undefined ? [{ space: 'private', codec: client.sealed(key), actor: 'sync-own' } as const] : []),
  ];
  const reports: SpaceReport[] = [];
  for (const { space, codec, actor } of spaces) {
    const place = { memory, root: space, space, remote, codec, author: { actor, reason: `from ${api.host}` } };
    const report = await run(place, client.files.stateFile(memory.key, space), request);
    if (!report.ok) return report;
    reports.push({ ...report.value, space });
  }
  return ok(reports);
}
