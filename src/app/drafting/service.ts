import { daysInMs } from '../../core/instant.ts';
import type { Leftover, Leftovers, StagingFolders } from '../../core/ports/staging.ts';
import type { Memory } from '../memory/memory.ts';
import { estimateTokens } from '../../core/budget/token-ledger.ts';
import type { TokenBudget, Model } from '../../core/ports/model.ts';
import type { SessionStates } from '../../core/ports/session-states.ts';
import type { DraftOutcome } from './outcome.ts';
import { draftsOf } from '../../capture/drafts/drafts.ts';
import type { Config } from '../../core/config/effective.ts';
import type { SessionFacts } from '../../core/episode/episode.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { Draft } from '../../core/record/draft.ts';
import { ok, refuse, type Refusal, type Result } from '../../core/result.ts';
import { draftPath, saveDrafts } from './host.ts';
import { digestOf } from '../episodes/summarize.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { Episode } from '../episodes/read.ts';
import { saveSummary } from '../episodes/save-summary.ts';
import { importHistory, type HistoryImport, type HistoryOptions, type HistoryPorts } from '../commits/import-history.ts';
import { storeCommits } from '../commits/keep-commits.ts';
import { commitSessions } from '../commits/sessions.ts';
import { consolidateReports, type ConsolidatedReport } from '../reports/consolidate.ts';
import { saveReport } from '../reports/save-report.ts';
import type { CreateRequest } from '../write/create.ts';
import { saveRecord } from '../write/save.ts';
import { moveRecord } from '../write/status.ts';
import type { Author } from '../write/transaction.ts';
import { updateRecord } from '../write/update.ts';
import type { Written } from '../write/written.ts';
import { contextsOf, isDraftOrVerdictPath, verdictPath } from './contexts.ts';
import { stepModels, modelSummary } from './draft.ts';
import { draftRecords, type DraftSession } from './drafting.ts';
import { saveExtracted } from './extract.ts';
import { recordsToReplace } from '../write/supersede.ts';
import { savedName } from '../hooks/save-request.ts';
import { saveTurnRecords, type SaveTurnOptions } from './save-turn.ts';
import { stageWork, type StagedWork } from './stage.ts';

export interface ClearedStaging {
  readonly staged: readonly Leftover[];
  /** Days that a staged draft waits to be saved; 0 keeps all. */
  readonly keepDays: number;
}

/** Deletes staged drafts older than the limit. */
export async function clearLeftovers({ config, now }: Memory, leftovers: Leftovers, dryRun: boolean): Promise<ClearedStaging> {
  const keepDays = config.get('staging.keepDays');
  if (keepDays === 0) return { staged: [], keepDays };
  const staged = await leftovers.olderThan(now() - daysInMs(keepDays));
  if (!dryRun) for (const leftover of staged) await leftovers.remove(leftover);
  return { staged, keepDays };
}

/** Limits a model to a daily budget: reserves tokens before each call, then books the tokens it used. */
export function metered(model: Model, budget: TokenBudget, limit: number): Model {
  return {
    complete: async (request) => {
      const estimate = estimateTokens(request.system) + estimateTokens(request.prompt) + request.maxTokens;
      const reserved = await budget.reserve(estimate, limit);
      if (!reserved.ok) return reserved;
      let spent = estimate;
      try {
        const answer = await model.complete(request);
        if (answer.ok) spent = answer.value.usage.input + answer.value.usage.output;
        else if (!answer.error.maybeSpent) spent = 0;
        return answer;
      } finally {
        await reserved.value.settle(spent);
      }
    },
  };
}

/** Records the result of a requested save, for the line that the user is shown. */
function noteSaved(notes: SessionStates, session: string, outcomes: readonly DraftOutcome[]): void {
  const { save } = notes.read(session);
  if (!save || !outcomes.some(({ status }) => status !== 'failed' && status !== 'skipped')) return;
  const records = outcomes.filter(({ status, id }) => status === 'saved' && id !== undefined).map(savedName);
  notes.change(session, { save: { ...save, state: 'saved', records: [...(save.records ?? []), ...records] } });
}

/** A summary, how it was made, and why the model failed, if one was asked. */
export interface MadeSummary {
  readonly draft: Draft;
  readonly by: 'extract' | 'model';
  readonly note?: string;
}

/** Tokens used today. */
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
export type ModelChoice = 'auto' | (string & {});

/** Makes, checks and saves drafts, with a model or without; opened for one home. */
export interface DraftingService {
  summarize(memory: Memory, episode: Episode, model?: ModelChoice): Promise<Result<MadeSummary>>;
  /** Drafts made from triage's matches without a model. */
  extract(memory: Memory, episode: Episode): readonly Draft[];
  /** The same, saved. */
  saveExtracted(memory: Memory, episode: Episode, say?: (line: string) => void): Promise<readonly DraftOutcome[]>;
  /** Drafted and verified by a model, and saved. */
  draft(memory: Memory, episode: Episode, model: ModelChoice, say?: (line: string) => void): Promise<Result<readonly DraftOutcome[]>>;
  /** Context files for the agent's own subagents. */
  stage(memory: Memory, episode: Episode): Promise<StagedWork>;
  /** Writes a draft or verdict into the staging folder, for agents that may not write files. */
  submitDraft(memory: Memory, path: string, value: object): Promise<Result<string>>;
  saveStaged(memory: Memory, options: SaveStagedOptions): Promise<Result<readonly DraftOutcome[]>>;
  /** Saves the records that a hook asked the agent for at the end of a turn. */
  saveTurn(memory: Memory, options: SaveTurnOptions): Promise<Result<readonly DraftOutcome[]>>;
  /** Deletes old staged drafts. */
  clearStaging(memory: Memory, how: { readonly dryRun: boolean }): Promise<ClearedStaging>;
  /** Saves a record that the user asked for, after the candidate check. */
  save(memory: Memory, request: CreateRequest): Promise<Result<Written>>;
  /** Resolves the ids of records that a new one replaces. */
  recordsToReplace: typeof recordsToReplace;
  saveSummary(memory: Memory, sessionId: string, draft: Draft, author: Author): Promise<Result<Written>>;
  /** Updates a record or changes its status. */
  update: typeof updateRecord;
  move: typeof moveRecord;
  /** Saves a subagent's report once. */
  saveReport: typeof saveReport;
  consolidate(memory: Memory, places?: readonly FileRef[]): Promise<Result<readonly ConsolidatedReport[]>>;
  /** Asks the model for one text, within the day's tokens. */
  ask(memory: Memory, model: ModelChoice, request: { readonly system: string; readonly prompt: string; readonly maxTokens: number }): Promise<Result<string>>;
  /** Makes decisions from commits that give a reason, and a survey of the history. */
  importHistory(
    memory: Memory,
    episodes: Pick<Episodes, 'recent' | 'find' | 'newestCommit' | 'storeParts'>,
    options: HistoryOptions,
  ): Promise<Result<HistoryImport>>;
  /** Stores the messages of newer commits, if history was imported before. */
  keepNewCommits(memory: Memory, episodes: Pick<Episodes, 'newestCommit' | 'storeParts'>): Promise<Result<number>>;
  tokens(memory: Memory): TokensToday;
}

/** The parts of the machine that drafting uses. */
export interface DraftingHost {
  /** The model that the settings name; undefined if they name none. */
  openModel(config: Config): Result<Model | undefined>;
  readonly budget: TokenBudget;
  readonly staging: StagingFolders;
  notes(key: string): SessionStates;
  /** The git history of a folder; undefined if it is in no repository. */
  history(folder: string, key: string): Pick<HistoryPorts, 'commits' | 'seen'> | undefined;
  /** Distinguishes this process's files from those of others. */
  readonly processName: string;
}

const sessionOf = ({ sessionId, client, endedAt }: SessionFacts): DraftSession => ({ sessionId, client, ...(endedAt !== undefined && { statedAt: endedAt }) });

const namedFolder = ({ config }: Memory): string => config.get('staging.dir').trim();

/** Why the configured model failed; shown with the result that was made without it. */
const failureNote = ({ message }: Refusal): string => `made without a model: ${message}`;

/** Drafts and summaries with the model that the settings name. */
export function draftingService({ openModel, budget, staging: folders, notes: notesOf, history, processName }: DraftingHost): DraftingService {
  const modelOf = ({ config }: Memory): Result<Model> => {
    const opened = openModel(config);
    if (!opened.ok) return opened;
    if (opened.value) return ok(metered(opened.value, budget, config.get('model.dailyTokens')));
    const setting = config.get('model.drafting');
    return refuse('CONFIG_ERROR', `no model is set up: model.drafting is ${setting}`, {
      hint: 'holdfast config set model.drafting command (a headless client) or api; --model none needs no model',
    });
  };

  return {
    summarize: async (memory, episode, choice) => {
      const digest = digestOf(episode, memory.config);
      const extracted = (note?: string): Result<MadeSummary> => ok({ draft: digest.draft(episode.facts), by: 'extract', ...(note !== undefined && { note }) });
      if (choice === undefined || choice === 'none') return extracted();
      const model = modelOf(memory);
      if (!model.ok) return model;
      const names = stepModels(memory.config, choice);
      const summary = await modelSummary(memory, model.value, { draft: names.draft('session_summary'), verify: names.verify }, digest, episode.facts);
      if (summary.ok) return ok({ draft: summary.value, by: 'model' });
      return extracted(failureNote(summary.error));
    },
    extract: (memory, episode) => draftsOf(digestOf(episode, memory.config), episode.facts),
    saveExtracted,
    recordsToReplace,
    draft: async (memory, episode, choice, say) => {
      const model = modelOf(memory);
      if (!model.ok) return model;
      const contexts = contextsOf(digestOf(episode, memory.config).triage);
      const models = stepModels(memory.config, choice);
      const outcomes = await draftRecords({ memory, model: model.value, contexts, session: sessionOf(episode.facts), models, ...(say && { say }) });
      const errors = outcomes.map(({ error }) => error).filter((error) => error?.code === 'MODEL_ERROR' || error?.code === 'BUDGET_EXHAUSTED');
      // If no model could be asked, return its error instead of outcomes.
      return errors[0] && errors.length === outcomes.length ? { ok: false, error: errors[0] } : ok(outcomes);
    },
    stage: (memory, episode) => {
      const { facts } = episode;
      const staging = folders.ofSession(facts.sessionId, namedFolder(memory));
      return stageWork(memory, staging, digestOf(episode, memory.config).triage, sessionOf(facts), processName);
    },
    submitDraft: async (memory, path, value) => {
      const folder = namedFolder(memory);
      const allowed = draftPath(path, folder === '' ? folders.root : folder);
      if (!allowed.ok) return allowed;
      if (!isDraftOrVerdictPath(path))
        return refuse('INPUT_ERROR', `${JSON.stringify(path)} is not the path of a draft or a verdict`, { hint: 'use the path from the request' });
      return folders.putFile(path, folder, `${JSON.stringify(value)}\n`);
    },
    saveStaged: async (memory, { sessionId, drafts, say }) => {
      const staging = folders.ofSession(sessionId, namedFolder(memory));
      const notes = notesOf(memory.key);
      // In a shared folder, save only the drafts that this session was asked for and that have a verdict.
      const expectedDrafts =
        staging.isPrivate || sessionId === undefined ? undefined : notes.read(sessionId).save?.drafts?.filter((path) => folders.exists(verdictPath(path)));
      const draftPaths = drafts ?? expectedDrafts;
      const outcomes = await saveDrafts({
        memory,
        staging,
        session: sessionId === undefined ? {} : { sessionId },
        ...(draftPaths && { drafts: draftPaths }),
        ...(say && { say }),
      });
      if (sessionId !== undefined && outcomes.ok) noteSaved(notes, sessionId, outcomes.value);
      return outcomes;
    },
    saveTurn: async (memory, options) => {
      const notes = notesOf(memory.key);
      const { save } = notes.read(options.sessionId);
      if (save?.flow !== 'inline' || save.state !== 'pending')
        return refuse('INPUT_ERROR', 'no request to save this turn is open', {
          hint: 'pass records only when a memory hook asks for them at the end of a turn; to save what the user asked for, give category, text and asked',
        });
      const outcomes = await saveTurnRecords(memory, save, options);
      noteSaved(notes, options.sessionId, outcomes);
      return ok(outcomes);
    },
    clearStaging: (memory, { dryRun }) => clearLeftovers(memory, folders.leftovers(namedFolder(memory)), dryRun),
    save: saveRecord,
    saveSummary,
    update: updateRecord,
    move: moveRecord,
    saveReport,
    consolidate: consolidateReports,
    ask: async (memory, choice, request) => {
      const model = modelOf(memory);
      if (!model.ok) return model;
      const answer = await model.value.complete({ ...request, model: stepModels(memory.config, choice).draft('session_summary') });
      if (!answer.ok) return answer;
      return answer.value.cut ? refuse('MODEL_ERROR', 'its answer was cut off') : ok(answer.value.text);
    },
    keepNewCommits: async (memory, episodes) => {
      const { commits, seen } = (memory.projectPath === undefined ? undefined : history(memory.projectPath, memory.key)) ?? {};
      if (commits === undefined || seen?.read() === undefined) return ok(0);
      return storeCommits(episodes, memory.key, commits, memory.config.get('capture.exclude'));
    },
    importHistory: async (memory, episodes, options) => {
      const commits = memory.projectPath === undefined ? undefined : history(memory.projectPath, memory.key);
      if (!commits)
        return refuse('NOT_FOUND', `${memory.projectPath ?? memory.key} is in no git repository`, {
          hint: 'run it in a repository, or name one with --project',
        });
      const keepMessages = (): Promise<Result<number>> => storeCommits(episodes, memory.key, commits.commits, memory.config.get('capture.exclude'));
      return importHistory(memory, { ...commits, keepMessages, sessionOf: commitSessions(episodes) }, options);
    },
    tokens: ({ config }) => ({ spent: budget.spentToday(), limit: config.get('model.dailyTokens') }),
  };
}
