/** How a client's hooks differ from those of other clients. Everything else is the same for all. */
export interface ClientDialect {
  /** The field of a hook's output that holds context for the model. */
  readonly contextField: 'hookSpecificOutput' | 'additionalContext' | 'additional_context' | 'contextModification';
  /** How much context reaches the model uncut; Codex counts a token as four bytes. */
  readonly contextLimit: { readonly characters: number } | { readonly bytes: number };
  /** How the agent is made to continue at the end of a turn: by context that is shown as feedback, or by a refusal to stop. */
  readonly continuesBy: 'context' | 'block';
  /** Whether plain text at PreCompact guides the client's summary. Others show it to the user or take it for broken JSON. */
  readonly takesSummaryHints: boolean;
  /** Whether the client drops context from before a tool call, so that it is injected with the tool's result. */
  readonly injectsAfterTool: boolean;
  /** Sources of starts whose context the client drops: it is injected with the next prompt. */
  readonly lostStarts: readonly string[];
  /** Whether the client reports a start after a compaction; otherwise the next prompt brings the recovery. */
  readonly startsAfterCompaction: boolean;
  /** Whether a subagent's last message is saved as its report. */
  readonly keepsReports: boolean;
  /** Whether the client marks its agents' shells and not its hooks, so that a prompt in an unmarked hook was typed by the user. */
  readonly marksShells: boolean;
}

const DEFAULT_DIALECT: ClientDialect = {
  contextField: 'hookSpecificOutput',
  contextLimit: { characters: 10_000 },
  continuesBy: 'block',
  takesSummaryHints: false,
  injectsAfterTool: false,
  lostStarts: [],
  startsAfterCompaction: false,
  keepsReports: false,
  marksShells: false,
};

const DIALECTS: Readonly<Record<string, ClientDialect>> = {
  'claude-code': { ...DEFAULT_DIALECT, continuesBy: 'context', takesSummaryHints: true, startsAfterCompaction: true, keepsReports: true },
  codex: { ...DEFAULT_DIALECT, contextLimit: { bytes: 9_900 }, startsAfterCompaction: true, marksShells: true },
  gemini: { ...DEFAULT_DIALECT, injectsAfterTool: true, lostStarts: ['clear'], marksShells: true },
  qwen: { ...DEFAULT_DIALECT, injectsAfterTool: true },
  copilot: { ...DEFAULT_DIALECT, contextField: 'additionalContext' },
  cursor: { ...DEFAULT_DIALECT, contextField: 'additional_context' },
  droid: { ...DEFAULT_DIALECT, injectsAfterTool: true },
  cline: { ...DEFAULT_DIALECT, contextField: 'contextModification' },
  opencode: { ...DEFAULT_DIALECT, startsAfterCompaction: true, marksShells: true },
  kilo: { ...DEFAULT_DIALECT, startsAfterCompaction: true, marksShells: true },
};

/** Clients whose hooks are answered; each reports its compactions, or they show in its transcript. Cline reports only tool calls. */
export const HOOK_CLIENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'kilo', 'copilot', 'qwen', 'cursor', 'droid', 'cline'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

export const dialectOf = (client: string): ClientDialect => DIALECTS[client] ?? DEFAULT_DIALECT;
