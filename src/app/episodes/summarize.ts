import { SessionSummary } from '../../capture/summary/summary.ts';
import type { SourceOptions } from '../../capture/triage/tool-answers.ts';
import { triageSettings } from '../../capture/triage/settings.ts';
import type { Config } from '../../core/config/effective.ts';
import { type Episode, messagesIn } from './read.ts';
import { Triage, type TriageResult } from '../../capture/triage/triage.ts';
import type { Draft } from '../../core/record/draft.ts';

/** The facts that distinguish text of the user and the agent from text from outside. */
const sourcesOf = ({ facts, afterOutside }: Episode): SourceOptions => ({ project: facts.project, afterOutside });

/** Digests a whole episode, for a summary and for drafts. */
export function digestOf(episode: Episode, config: Config): SessionSummary {
  const summary = new SessionSummary(triageSettings(config), sourcesOf(episode));
  for (const message of messagesIn(episode)) summary.add(message);
  return summary;
}

export function triageOf(episode: Episode, config: Config): Triage {
  const triage = new Triage(triageSettings(config), sourcesOf(episode));
  for (const message of messagesIn(episode)) triage.add(message);
  return triage;
}

/** The parts of an episode that are worth a record, with the lines that support them. */
export const triageEpisode = (episode: Episode, config: Config): TriageResult => triageOf(episode, config).result();

/** Summarises an episode without a model. */
export const summarizeEpisode = (episode: Episode, config: Config): Draft => digestOf(episode, config).draft(episode.facts);
