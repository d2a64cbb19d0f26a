import { SessionSummary } from '../../capture/summary/summary.ts';
import { triageSettings } from '../../capture/triage/settings.ts';
import type { Config } from '../../core/config/effective.ts';
import { type Episode, messagesIn } from './read.ts';

/** An episode taken in as a whole, to be summarised and drafted from. */
export function digestOf(episode: Episode, config: Config): SessionSummary {
  const summary = new SessionSummary(triageSettings(config));
  for (const message of messagesIn(episode)) summary.add(message);
  return summary;
}
