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

/** What became of hooks, whatever the project: a hook that fails says nothing to the agent, so it is said here. */
export interface HookLog {
  saw(client: string, event: string, at: number): void;
  failed(failure: FailedHook): void;
  seen(): readonly SeenHook[];
  failures(): readonly FailedHook[];
}
