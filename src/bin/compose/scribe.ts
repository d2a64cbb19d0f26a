import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../adapters/files/containment.ts';
import { LedgerFile } from '../../adapters/files/ledger.ts';
import { StagedLeftovers } from '../../adapters/files/leftovers.ts';
import { FileStaging } from '../../adapters/files/staging.ts';
import { readCommits } from '../../adapters/git/history.ts';
import { repositoryHolding } from '../../adapters/git/repository.ts';
import { openModel } from '../../adapters/model/open.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { contextsOf } from '../../app/drafting/contexts.ts';
import type { DraftingService, MadeSummary } from '../../app/drafting/scribe.ts';
import { stepModels } from '../../app/drafting/draft.ts';
import { draftRecords, type DraftSession } from '../../app/drafting/drafting.ts';
import { saveExtracted } from '../../app/drafting/extract.ts';
import { saveDrafts } from '../../app/drafting/host.ts';
import { isHandedIn, verdictPath } from '../../app/drafting/names.ts';
import { noteSaved } from '../../app/drafting/note-saved.ts';
import { clearLeftovers } from '../../app/drafting/leftovers.ts';
import { metered } from '../../app/drafting/metered.ts';
import { stageWork } from '../../app/drafting/stage.ts';
import { modelSummary } from '../../app/drafting/summary.ts';
import { digestOf } from '../../app/episodes/digest.ts';
import { importHistory, type HistoryPorts } from '../../app/git/import-history.ts';
import { commitSessions } from '../../app/git/sessions.ts';
import { saveSummary } from '../../app/episodes/save-summary.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { consolidateReports } from '../../app/reports/consolidate.ts';
import { saveReport } from '../../app/reports/save-report.ts';
import { saveRecord } from '../../app/write/save.ts';
import { moveRecord } from '../../app/write/status.ts';
import { updateRecord } from '../../app/write/update.ts';
import { draftsOf } from '../../capture/summary/drafts.ts';
import type { SessionFacts } from '../../core/episode.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Staging } from '../../core/ports/staging.ts';
import { safeSessionId } from '../../core/project/session-id.ts';
import { ok, refuse, type Refusal, type Result } from '../../core/result.ts';
import { draftPath } from '../../core/staging.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { sessionNotesOf } from './session-notes.ts';

export interface OpenDraftingRequest {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Clock;
}

const placesOf = (home: string) => ({
  staging: placesIn(home).staging,
  /** What model calls have used, by day. */
  tokens: join(home, 'holdfast', 'tokens'),
  /** Where a headless client starts, so that its conversations lie in nobody's project. */
  client: join(home, 'holdfast', 'client'),
});

/** The newest commit that was read, in a file of its own: a derived fact that may be lost, for what is known stays single. */
const seenCommit = (file: string): HistoryPorts['seen'] => ({
  read: () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined),
  note: (id) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${id}\n`);
  },
});

const sessionOf = ({ sessionId, client }: SessionFacts): DraftSession => ({ sessionId, client });

/** Where drafts and their context files of one session lie; `staging.dir` names a folder for all of them. */
function stagingFor(home: string, memory: Memory, sessionId: string | undefined): Staging {
  const named = memory.config.get('staging.dir').trim();
  if (named !== '') return new FileStaging(named, false);
  const safe = safeSessionId(sessionId ?? '');
  const { staging } = placesOf(home);
  return new FileStaging(safe.ok ? join(staging, safe.value) : join(staging, 'unnamed'), true);
}

/** Why a model that was set up gave nothing, for who reads the result that was made without it. */
const insteadOf = ({ message }: Refusal): string => `made without a model: ${message}`;

/** Drafts and summaries under one home, with the model that the settings name. */
export function openDrafting({ home, env, now }: OpenDraftingRequest): DraftingService {
  const places = placesOf(home);
  const ledger = new LedgerFile({ file: places.tokens, openDatabase, now, newId: () => process.getBuiltinModule('node:crypto').randomUUID() });

  const modelOf = ({ config }: Memory): Result<Model> => {
    const variable = config.get('model.keyVariable').trim();
    const opened = openModel(config, { key: variable === '' ? undefined : env[variable], env, cwd: places.client });
    if (!opened.ok) return opened;
    if (opened.value) return ok(metered(opened.value, ledger, config.get('model.dailyTokens')));
    const word = config.get('model.drafting');
    return refuse('CONFIG_ERROR', `no model is set up: model.drafting is ${word}`, {
      hint: 'holdfast config set model.drafting command (a headless client) or api; --model none needs no model',
    });
  };

  return {
    summarize: async (memory, episode, word) => {
      const digest = digestOf(episode, memory.config);
      const extracted = (note?: string): Result<MadeSummary> => ok({ draft: digest.draft(episode.facts), by: 'extract', ...(note !== undefined && { note }) });
      if (word === undefined || word === 'none') return extracted();
      const model = modelOf(memory);
      if (!model.ok) return model;
      const names = stepModels(memory.config, word);
      const made = await modelSummary(memory, model.value, { draft: names.draft('session_summary'), verify: names.verify }, digest, episode.facts);
      if (made.ok) return ok({ draft: made.value, by: 'model' });
      return extracted(insteadOf(made.error));
    },
    extract: (memory, episode) => draftsOf(digestOf(episode, memory.config), episode.facts),
    saveExtracted,
    draft: async (memory, episode, word, say) => {
      const model = modelOf(memory);
      if (!model.ok) return model;
      const contexts = contextsOf(digestOf(episode, memory.config).triage);
      const models = stepModels(memory.config, word);
      const outcomes = await draftRecords({ memory, model: model.value, contexts, session: sessionOf(episode.facts), models, ...(say && { say }) });
      const errors = outcomes.map(({ error }) => error).filter((error) => error?.code === 'MODEL_ERROR' || error?.code === 'BUDGET_EXHAUSTED');
      // Nothing could be asked of anybody: that is no result, and nothing stands in for it.
      return errors[0] && errors.length === outcomes.length ? { ok: false, error: errors[0] } : ok(outcomes);
    },
    stage: (memory, episode) => {
      const { facts } = episode;
      const staging = stagingFor(home, memory, facts.sessionId);
      return stageWork(memory, staging, digestOf(episode, memory.config).triage, sessionOf(facts), String(process.pid));
    },
    handIn: async (memory, path, value) => {
      const named = memory.config.get('staging.dir').trim();
      const allowed = draftPath(path, named === '' ? places.staging : named);
      if (!allowed.ok) return allowed;
      if (!isHandedIn(path))
        return refuse('INPUT_ERROR', `${JSON.stringify(path)} is not named like a draft or a verdict`, { hint: 'the path that the request names' });
      // A draft may also lie in the system's temporary folder, which is nobody's own.
      const isPrivate = named === '' && isInside(places.staging, path);
      return new FileStaging(dirname(path), isPrivate).put(basename(path), `${JSON.stringify(value)}\n`);
    },
    saveStaged: async (memory, { sessionId, drafts, say }) => {
      const staging = stagingFor(home, memory, sessionId);
      const notes = sessionNotesOf(home, memory.key);
      // In a folder that others use too, only what this session was asked for is looked at, and only once it is verified.
      const asked =
        staging.isPrivate || sessionId === undefined ? undefined : notes.read(sessionId).save?.drafts?.filter((path) => existsSync(verdictPath(path)));
      const named = drafts ?? asked;
      const outcomes = await saveDrafts({
        memory,
        staging,
        session: sessionId === undefined ? {} : { sessionId },
        ...(named && { drafts: named }),
        ...(say && { say }),
      });
      if (sessionId !== undefined && outcomes.ok) noteSaved(notes, sessionId, outcomes.value);
      return outcomes;
    },
    clearStaging: (memory, { dryRun }) => {
      const named = memory.config.get('staging.dir').trim();
      return clearLeftovers(memory, named === '' ? new StagedLeftovers(places.staging, true) : new StagedLeftovers(named, false), dryRun);
    },
    save: saveRecord,
    saveSummary,
    update: updateRecord,
    move: moveRecord,
    saveReport,
    consolidate: consolidateReports,
    ask: async (memory, word, asked) => {
      const model = modelOf(memory);
      if (!model.ok) return model;
      const answer = await model.value.complete({ ...asked, model: stepModels(memory.config, word).draft('session_summary') });
      if (!answer.ok) return answer;
      return answer.value.cut ? refuse('MODEL_ERROR', 'its answer was cut off') : ok(answer.value.text);
    },
    importHistory: async (memory, episodes, asked) => {
      const repository = memory.projectPath === undefined ? undefined : repositoryHolding(memory.projectPath);
      if (!repository)
        return refuse('NOT_FOUND', `${memory.projectPath ?? memory.key} is in no git repository`, {
          hint: 'run it in a repository, or name one with --project',
        });
      const seen = seenCommit(join(placesIn(home).state(memory.key), 'git-seen'));
      return importHistory(memory, { commits: (query) => readCommits(repository, query, process.env), sessionOf: commitSessions(episodes), seen }, asked);
    },
    tokens: ({ config }) => ({ spent: ledger.spentToday(), limit: config.get('model.dailyTokens') }),
  };
}
