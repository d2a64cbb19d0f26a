import { type SessionCommit, ToolActivity } from '../../capture/summary/tool-activity.ts';
import { type Episode, messagesIn } from './read.ts';

/** The commits made in an episode, by its tools' own words. */
export function commitsIn(episode: Episode): readonly SessionCommit[] {
  const ledger = new ToolActivity();
  for (const message of messagesIn(episode)) ledger.add(message);
  return ledger.commits;
}
