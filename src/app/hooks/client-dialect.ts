/** How a client's hooks differ from those of other clients. Everything else about an event is decided once for all clients. */
export interface ClientDialect {
  /** The field of a hook's output that holds context for the model. */
  readonly form: 'hookSpecificOutput' | 'additionalContext' | 'additional_context' | 'contextModification';
  /** How much context reaches the model whole; Codex counts a token as four bytes. */
  readonly most: { readonly characters: number } | { readonly bytes: number };
  /** What makes the agent go on at the end of a turn: context that is shown as feedback, or a refusal to stop. */
  readonly goesOnBy: 'context' | 'block';
  /** Whether plain text at PreCompact guides the client's summary. Others show it to the user or take it for broken JSON. */
  readonly takesHints: boolean;
  /** Whether context from before a tool call is dropped, so that it is given beside the tool's result. */
  readonly tellsAfterTool: boolean;
  /** Starts whose context reaches no request: it is given with the next prompt. */
  readonly lostStarts: readonly string[];
  /** Whether a start is reported after a compaction; otherwise the next prompt gives the recovery. */
  readonly startsAfterCompaction: boolean;
  /** Whether what a subagent says last is kept as its report. */
  readonly keepsReports: boolean;
  /** Whether the client was seen to mark its agents' shells and not its hooks: what a hook tells was typed by the user. */
  readonly marksShells: boolean;
}

const USUAL: ClientDialect = {
  form: 'hookSpecificOutput',
  most: { characters: 10_000 },
  goesOnBy: 'block',
  takesHints: false,
  tellsAfterTool: false,
  lostStarts: [],
  startsAfterCompaction: false,
  keepsReports: false,
  marksShells: false,
};

const DIALECTS: Readonly<Record<string, ClientDialect>> = {
  'claude-code': { ...USUAL, goesOnBy: 'context', takesHints: true, startsAfterCompaction: true, keepsReports: true },
  codex: { ...USUAL, most: { bytes: 9_900 }, startsAfterCompaction: true, marksShells: true },
  gemini: { ...USUAL, tellsAfterTool: true, lostStarts: ['clear'], marksShells: true },
  qwen: { ...USUAL, tellsAfterTool: true },
  copilot: { ...USUAL, form: 'additionalContext' },
  cursor: { ...USUAL, form: 'additional_context' },
  droid: { ...USUAL, tellsAfterTool: true },
  cline: { ...USUAL, form: 'contextModification' },
  opencode: { ...USUAL, startsAfterCompaction: true, marksShells: true },
  kilo: { ...USUAL, startsAfterCompaction: true, marksShells: true },
};

/** Clients whose hooks are answered; each reports its compactions, or they show in its transcript. Cline reports calls of tools alone. */
export const HOOK_CLIENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'kilo', 'copilot', 'qwen', 'cursor', 'droid', 'cline'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

export const dialectOf = (client: string): ClientDialect => DIALECTS[client] ?? USUAL;
