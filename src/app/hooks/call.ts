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

/** An event, independent of any client's field names. */
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

/** Work for a background process. */
export interface LaterWork {
  readonly session?: string;
  readonly transcript?: string;
}

/** The answer of a hook, usually empty. */
export interface HookAnswer {
  /** Injected into the agent's context. */
  readonly context?: string;
  readonly permission?: 'allow' | 'deny';
  /** Why a tool is denied, or why the agent must continue. */
  readonly reason?: string;
  /** Makes the agent continue instead of stopping. */
  readonly goesOn?: true;
  /** Added to the client's instructions for its summariser. */
  readonly hints?: string;
  readonly later?: LaterWork;
}

export const SILENT: HookAnswer = {};
