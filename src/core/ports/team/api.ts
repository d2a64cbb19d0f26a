import type { Result } from '../../result.ts';

export type TeamAnswer = Readonly<Record<string, unknown>>;

/** The API of a team's server. */
export interface TeamApi {
  /** Host and port, for messages. */
  readonly host: string;
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Result<TeamAnswer>>;
}

/** With which server and project a memory is synced. */
export interface TeamConnection {
  readonly url: string;
  readonly project: string;
  /** Whether private records travel, sealed. */
  readonly isPrivateSynced: boolean;
}

/** The servers that this machine knows: tokens and keys lie in the home, readable by its owner only, never in a project. */
export interface TeamFiles {
  connection(key: string): TeamConnection | undefined;
  remember(key: string, connection: TeamConnection): void;
  /** Forgets the connection and what was agreed on with the server; the records stay. */
  disconnect(key: string): void;
  token(url: string): string | undefined;
  setToken(url: string, token: string): void;
  /** The key that seals private records; made when it is first asked for. */
  sealingKey(): string | undefined;
  setSealingKey(key: string): void;
  /** The file of what was agreed on, for each space. */
  stateFile(key: string, space: string): { read(): string | undefined; write(text: string): void };
}

/** Signs members in at an OpenID Connect issuer, in a browser. */
export interface SignIn {
  /** The address to send the browser to, and the state that it has to bring back. */
  begin(): Promise<Result<{ readonly url: string; readonly state: string }>>;
  /** The user who came back; a state is valid once. */
  finish(state: string, code: string): Promise<Result<{ readonly subject: string }>>;
}
