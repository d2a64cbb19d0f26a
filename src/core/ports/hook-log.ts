export interface SeenHook {
  readonly client: string;
  readonly event: string;
  /** When it last ran, epoch milliseconds. */
  readonly at: number;
}

export interface FailedHook {
  readonly at: string;
  readonly client: string;
  readonly event: string;
  readonly message: string;
}

/** Which clients were at work in a project: by their hooks, or by a connection to the MCP server. */
export interface SeenClient {
  readonly client: string;
  readonly by: 'hooks' | 'server';
  /** When last, epoch milliseconds. */
  readonly at: number;
}

export interface ClientsSeen {
  saw(seen: SeenClient): void;
  all(): readonly SeenClient[];
}

/** The last runs and failures of hooks in any project: a hook that fails tells the agent nothing, so this log does. */
export interface HookLog {
  saw(client: string, event: string, at: number): void;
  failed(failure: FailedHook): void;
  seen(): readonly SeenHook[];
  failures(): readonly FailedHook[];
  /** The clients of a project. */
  clientsOf(key: string): ClientsSeen;
}
