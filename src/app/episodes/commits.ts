import type { Commit } from '../../capture/summary/commits.ts';
import { Ledger } from '../../capture/summary/ledger.ts';
import { type Episode, messagesIn } from './read.ts';

/** The commits made in an episode, by its tools' own words. */
export function commitsIn(episode: Episode): readonly Commit[] {
  const ledger = new Ledger();
  for (const message of messagesIn(episode)) ledger.add(message);
  return ledger.commits;
}
