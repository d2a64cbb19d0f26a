/** The last run of a hook. */
export interface HookRun {
  readonly client: string;
  readonly event: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface FailedHook {
  readonly at: string;
  readonly client: string;
  readonly event: string;
  readonly message: string;
}

/** The last activity of a client in a project, by its hooks or by a connection to the MCP server. */
export interface ClientActivity {
  readonly client: string;
  readonly by: 'hooks' | 'server';
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface ProjectClients {
  record(activity: ClientActivity): void;
  all(): readonly ClientActivity[];
}

/** The last runs and failures of hooks in all projects. Agents do not see a failing hook, so it is logged here. */
export interface HookLog {
  recordRun(client: string, event: string, at: number): void;
  recordFailure(failure: FailedHook): void;
  lastRuns(): readonly HookRun[];
  failures(): readonly FailedHook[];
  /** The clients of a project. */
  clientsOf(key: string): ProjectClients;
}
