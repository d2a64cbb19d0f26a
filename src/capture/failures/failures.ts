import type { Message } from '../../core/episode/episode.ts';
import { actionsOf, type AgentAction } from '../../core/rules/actions.ts';
import type { CommandFailure } from '../../core/ports/episodes.ts';
import { causeIn } from './cause.ts';

/** The output of a failed run, and the messages after it. */
interface OpenFailure {
  readonly action: AgentAction;
  readonly output: string;
  readonly replies: Message[];
}

/** Messages after a failure that are searched for its cause. */
const MOST_REPLIES = 8;
const MOST_OPEN = 20;

const FAILED =
  /\b(?:FAIL(?:ED|URE)?|fatal:|error:|panic:|rejected|hook (?:failed|declined|exited)|exit(?:ed)?(?: with)? (?:code|status)[: ]+[1-9]|command not found)/;
/** The command did not really fail: the user refused it, or there was nothing to do. */
const REFUSED =
  /doesn't want to (?:proceed|take this action)|Request interrupted|nothing to commit|no changes added|permission to use|requires approval|was (?:rejected|denied) by/i;

/** Actions whose failures need a search for the cause; a linter names the cause itself. */
const REMEMBERED: ReadonlySet<AgentAction> = new Set<AgentAction>(['commit', 'push', 'pull-request', 'test', 'build', 'release', 'deploy']);

/** Whether a command failed. A pipe hides the exit code, so the output decides there. */
const isFailure = ({ failed, text }: Message, command: string): boolean =>
  (failed === true || (/[|;]|\n/.test(command) && FAILED.test(text))) && !REFUSED.test(text);

/** Git's report of a commit, which then did not fail, whatever else did. */
const MADE_COMMIT = /^\[[^\]\s]+(?: \([^)]*\))? [0-9a-f]{7,40}\] /m;

/** The failed commands of a session whose cause the agent named. */
export function failuresIn(messages: Iterable<Message>): readonly CommandFailure[] {
  const failures: CommandFailure[] = [];
  const running = new Map<string, string>();
  let open: OpenFailure[] = [];
  const close = (): void => {
    for (const { action, output, replies } of open) {
      const best = replies.flatMap((reply) => causesOf(reply, output, action)).toSorted((a, b) => b.score - a.score)[0];
      if (best !== undefined) failures.push(best);
    }
    open = [];
  };
  for (const message of messages) {
    if (message.agentId !== undefined) continue;
    if (message.role === 'user') close();
    for (const { id, command } of message.toolCalls ?? []) {
      if (command !== undefined) running.set(id, command);
    }
    if (message.role === 'assistant' && message.text !== '') for (const one of open) if (one.replies.length < MOST_REPLIES) one.replies.push(message);
    if (message.role !== 'tool' || message.answers === undefined) continue;
    const command = running.get(message.answers);
    running.delete(message.answers);
    if (command === undefined || !isFailure(message, command)) continue;
    const isCommitted = MADE_COMMIT.test(message.text);
    for (const action of actionsOf(command))
      if (open.length < MOST_OPEN && REMEMBERED.has(action) && !(isCommitted && action === 'commit')) open.push({ action, output: message.text, replies: [] });
  }
  close();
  return failures;
}

const causesOf = ({ id, at, text }: Message, output: string, action: AgentAction): readonly CommandFailure[] => {
  const cause = causeIn(text, output);
  return cause === undefined ? [] : [{ action, messageId: id, ...(at !== undefined && { at }), cause: cause.text, score: cause.score }];
};
