import { SessionSummary } from '../../capture/summary/summary.ts';
import type { SourceOptions } from '../../capture/triage/tool-answers.ts';
import { triageSettings } from '../../capture/triage/settings.ts';
import type { Config } from '../../core/config/effective.ts';
import { type Episode, messagesIn } from './read.ts';

/** What tells the words of those at work from the words of others. */
export const sourcesOf = ({ facts, afterOutside }: Episode): SourceOptions => ({ project: facts.project, afterOutside });

/** An episode taken in as a whole, to be summarised and drafted from. */
export function digestOf(episode: Episode, config: Config): SessionSummary {
  const summary = new SessionSummary(triageSettings(config), sourcesOf(episode));
  for (const message of messagesIn(episode)) summary.add(message);
  return summary;
}
