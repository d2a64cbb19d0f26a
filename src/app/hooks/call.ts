/** The events of a session that hooks answer; every version of the client that is supported knows them. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What a client says about an event, one client's field names removed. */
export interface HookCall {
  readonly event: HookEvent;
  readonly session?: string;
  readonly cwd?: string;
  readonly transcript?: string;
  /** How a session starts: startup, resume, clear, compact, fork. */
  readonly source?: string;
  readonly prompt?: string;
  readonly tool?: string;
  /** The file that a tool is about to write. */
  readonly file?: string;
  /** The command that a shell is about to run. */
  readonly command?: string;
  readonly agentId?: string;
  readonly agentType?: string;
  readonly agentTranscript?: string;
  readonly lastMessage?: string;
  readonly stopActive?: boolean;
  readonly trigger?: string;
  readonly compactSummary?: string;
}

/** Work that is not done in the user's time. */
export interface LaterWork {
  readonly session?: string;
  readonly transcript?: string;
}

/** What a hook has to say; nothing at all is the usual answer. */
export interface HookAnswer {
  /** Put before the agent. */
  readonly context?: string;
  readonly permission?: 'allow' | 'deny';
  /** Why a tool is denied or the agent is to go on. */
  readonly reason?: string;
  /** Lets the agent go on instead of stopping. */
  readonly goesOn?: true;
  /** Added to what the client tells its summariser. */
  readonly hints?: string;
  readonly later?: LaterWork;
}

export const SILENT: HookAnswer = {};
