/** Variables that coding agents set for the commands they run; Holdfast's plugin for opencode and Kilo sets the last one. */
export const SHELL_MARKS = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'CODEX_CI',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'CLINE_ACTIVE',
  'GOOSE_TERMINAL',
  'AUGMENT_AGENT',
  'AGENT',
  'AI_AGENT',
  'HOLDFAST_AGENT_SHELL',
] as const;

const OFF = new Set(['', '0', 'false']);

/** Whether a command runs in an agent's shell: then it writes as the agent, even if it names another author. */
export const isAgentShell = (env: Readonly<Record<string, string | undefined>>): boolean => SHELL_MARKS.some((mark) => !OFF.has(env[mark] ?? ''));

/** Whether a client runs without a person at its terminal, so that its last words are its output. Claude Code says so to its hooks and servers. */
export const isHeadlessRun = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /^sdk-|^claude-code-github-action$/.test(env['CLAUDE_CODE_ENTRYPOINT'] ?? '');
