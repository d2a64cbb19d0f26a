import type { Draft } from '../../core/record/draft.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { Result } from '../../core/result.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { Episode } from '../episodes/read.ts';
import type { HistoryOptions, HistoryImported } from '../git/import-history.ts';
import type { Memory } from '../memory/memory.ts';
import type { Consolidated } from '../reports/consolidate.ts';
import type { saveReport } from '../reports/save-report.ts';
import type { CreateRequest } from '../write/create.ts';
import type { moveRecord } from '../write/status.ts';
import type { Author } from '../write/transaction.ts';
import type { updateRecord } from '../write/update.ts';
import type { Written } from '../write/written.ts';
import type { Cleared } from './leftovers.ts';
import type { DraftOutcome } from './outcome.ts';
import type { StagedWork } from './stage.ts';

/** A summary, who made it, and why it was not the one who was asked. */
export interface MadeSummary {
  readonly draft: Draft;
  readonly by: 'extract' | 'model';
  readonly note?: string;
}

/** What is spent of a day's tokens. */
export interface TokensToday {
  readonly spent: number;
  readonly limit: number;
}

export interface SaveStagedOptions {
  readonly sessionId?: string;
  /** Paths of the drafts that passed; without them, every staged draft with a verdict. */
  readonly drafts?: readonly string[];
  readonly say?: (line: string) => void;
}

/** `auto` is the model that the settings name. */
export type ModelWord = 'auto' | (string & {});

/** Where drafts are made, checked and saved, with a model or without; opened for one home. */
export interface DraftingService {
  summarize(memory: Memory, episode: Episode, model?: ModelWord): Promise<Result<MadeSummary>>;
  /** What triage found, as drafts made without a model. */
  extract(memory: Memory, episode: Episode): readonly Draft[];
  /** The same, saved. */
  saveExtracted(memory: Memory, episode: Episode, say?: (line: string) => void): Promise<readonly DraftOutcome[]>;
  /** Drafted and verified by a model, and saved. */
  draft(memory: Memory, episode: Episode, model: ModelWord, say?: (line: string) => void): Promise<Result<readonly DraftOutcome[]>>;
  /** Context files for the agent's own subagents. */
  stage(memory: Memory, episode: Episode): Promise<StagedWork>;
  /** Puts a draft or a verdict where the stage expects it, for agents that may not write there. */
  handIn(memory: Memory, path: string, value: object): Promise<Result<string>>;
  saveStaged(memory: Memory, asked: SaveStagedOptions): Promise<Result<readonly DraftOutcome[]>>;
  /** Clears what was staged and never saved. */
  clearStaging(memory: Memory, how: { readonly dryRun: boolean }): Promise<Cleared>;
  /** What a user asked for, with the candidate check before it. */
  save(memory: Memory, request: CreateRequest): Promise<Result<Written>>;
  saveSummary(memory: Memory, sessionId: string, draft: Draft, author: Author): Promise<Result<Written>>;
  /** A record that is there, changed or moved to another state. */
  update: typeof updateRecord;
  move: typeof moveRecord;
  /** What a subagent found, kept once. */
  saveReport: typeof saveReport;
  consolidate(memory: Memory, places?: readonly FileRef[]): Promise<Result<readonly Consolidated[]>>;
  /** Asks the model for one text, within the day's tokens. */
  ask(memory: Memory, model: ModelWord, asked: { readonly system: string; readonly prompt: string; readonly maxTokens: number }): Promise<Result<string>>;
  /** Decisions from commits that say why, and a survey of the history. */
  importHistory(memory: Memory, episodes: Pick<Episodes, 'recent' | 'find'>, asked: HistoryOptions): Promise<Result<HistoryImported>>;
  tokens(memory: Memory): TokensToday;
}
