import type { KnownFailure } from '../../core/ports/episodes.ts';
import type { AgentAction } from '../../core/rules/actions.ts';

/** The cause of past failures to mention before a command of the same kind runs again. */
export interface FailureToTell {
  readonly cause: string;
  /** The message that names the cause. */
  readonly messageId: string;
  /** When it last occurred, epoch milliseconds. */
  readonly at: number;
  /** Number of sessions in which it occurred. */
  readonly sessions: number;
}

/** The score that a cause from a single session needs; more for tests and builds, which fail often. */
const PLAIN_ENOUGH = 2.25;
const PLAIN_FOR_CHECKS = 3;

const COMMON = new Set(
  'test tests file files from that this with which because error errors failure failures failing failed hook pre existing unrelated and the are not for was all our its issue warning code change changes commit due src tsx run runs main'.split(
    ' ',
  ),
);
const wordsOf = (text: string): ReadonlySet<string> => new Set((text.toLowerCase().match(/[a-z_]\w{2,}/g) ?? []).filter((word) => !COMMON.has(word)));

/** Two descriptions of one cause share a third of their words. */
function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared * 3 >= Math.min(a.size, b.size);
}

/** The cause that occurred in most sessions, then most recently, in its best-scored words. */
export function failureToTell(failures: readonly KnownFailure[], action: AgentAction): FailureToTell | undefined {
  const causes: { readonly words: ReadonlySet<string>; readonly tellings: KnownFailure[] }[] = [];
  for (const failure of failures) {
    const words = wordsOf(failure.cause);
    const known = causes.find((cause) => isSame(cause.words, words));
    if (known) known.tellings.push(failure);
    else causes.push({ words, tellings: [failure] });
  }
  const enough = action === 'test' || action === 'build' ? PLAIN_FOR_CHECKS : PLAIN_ENOUGH;
  const scored = causes.map(({ tellings }) => {
    const best = tellings.reduce((a, b) => (b.score > a.score ? b : a));
    const sessions = new Set(tellings.map(({ session }) => session)).size;
    return { cause: best.cause, messageId: best.messageId, score: best.score, at: Math.max(...tellings.map(({ at }) => at)), sessions };
  });
  const [top] = scored.filter(({ score, sessions }) => sessions > 1 || score >= enough).toSorted((a, b) => b.sessions - a.sessions || b.at - a.at);
  return top && { cause: top.cause, messageId: top.messageId, at: top.at, sessions: top.sessions };
}
