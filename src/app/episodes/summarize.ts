import { triageSettings } from '../../capture/triage/settings.ts';
import { Triage, type TriageResult } from '../../capture/triage/triage.ts';
import type { Config } from '../../core/config/effective.ts';
import type { Draft } from '../../core/record/draft.ts';
import { digestOf, sourcesOf } from './digest.ts';
import { type Episode, messagesIn } from './read.ts';

/** What of an episode is worth a record, and the lines that say so. */
export function triageEpisode(episode: Episode, config: Config): TriageResult {
  const triage = new Triage(triageSettings(config), sourcesOf(episode));
  for (const message of messagesIn(episode)) triage.add(message);
  return triage.result();
}

/** An episode in a page, made without a model. */
export const summarizeEpisode = (episode: Episode, config: Config): Draft => digestOf(episode, config).draft(episode.facts);
