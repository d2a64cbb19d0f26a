/** A transcript independent of its client: the messages of a session, in order. */
export type Role = 'user' | 'assistant' | 'tool';

/** A tool call of the agent, without the answer. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The input as readable text: a command line, a path and the new text, a query. */
  readonly input: string;
  readonly files: readonly string[];
  readonly command?: string;
}

export interface Message {
  /** Unique in its session and the same on every import of the same transcript. */
  readonly id: string;
  readonly sessionId: string;
  /** `user` is only text that the person wrote; `tool` is a tool's answer. */
  readonly role: Role;
  /** ISO 8601, UTC; absent when the transcript has none. */
  readonly at?: string;
  /** Prose for user and assistant, the answer (cut sensibly) for tool. */
  readonly text: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCall[];
  /** The call a tool message answers. */
  readonly answers?: string;
  readonly failed?: boolean;
  /** Who spoke, in a chat with names. */
  readonly speaker?: string;
  /** Set inside a subagent. */
  readonly agentId?: string;
  /** Part of its text was forgotten; an import of the transcript must not restore it. */
  readonly forgotten?: true;
}

/** The facts about a session beside its messages. */
export interface SessionFacts {
  readonly sessionId: string;
  /** `git` for a commit, which is kept as a conversation of one message. */
  readonly client: Client | typeof GIT;
  /** Working directory, or a project's name where the transcript has no path. */
  readonly project?: string;
  readonly branch?: string;
  /** The URL of the repository, where the client notes it. */
  readonly remote?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly clientVersion?: string;
  readonly title?: string;
}

export const CLIENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'kilo', 'copilot', 'qwen', 'droid', 'chat'] as const;
export type Client = (typeof CLIENTS)[number];
export const GIT = 'git';

/** A commit of a repository. */
export interface CommitFacts {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly subject: string;
  readonly body: string;
  readonly merge: boolean;
  /** Paths from the top of the repository. */
  readonly files: readonly string[];
  /** Whether a session made it whose id is unknown. */
  readonly session?: string;
}
