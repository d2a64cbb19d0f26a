/** Tools whose errors the client words itself: no program or server can put text of its own there. */
const CLIENTS_OWN = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|NotebookRead|Glob|Grep|LS|TodoWrite|ExitPlanMode|EnterPlanMode|AskUserQuestion)$/;
/** Since this version what a failed command printed stands behind the client's "Exit code"; before it, it stands alone. */
const EXIT_CODES_SINCE = [2, 0, 30];

function isSince(version: string, since: readonly number[]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const at = parts.findIndex((part, nth) => part !== since[nth]);
  return at < 0 || (parts[at] as number) > (since[at] as number);
}

/**
 * Whether an error that begins like the client's refusal is the client's: decided by the tool that was called and the client's version, as the transcript's
 * own fields tell them, since a server can begin its errors with any words.
 */
export const wordsItsErrors = (tool: string | undefined, version: string | undefined): boolean =>
  tool !== undefined && (CLIENTS_OWN.test(tool) || (tool === 'Bash' && version !== undefined && isSince(version, EXIT_CODES_SINCE)));
