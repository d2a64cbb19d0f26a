import type { Message, SessionFacts } from '../../core/episode/episode.ts';
import { epochOf, utcSeconds } from '../../core/instant.ts';
import type { Draft } from '../../core/record/draft.ts';
import { titleOf } from '../../core/record/from-text.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import type { ContentOf } from '../../core/record/schema.ts';
import type { TriageMatch } from '../triage/score.ts';
import type { TextCategory, TriageSettings } from '../triage/settings.ts';
import type { Passage } from '../triage/prose.ts';
import type { SourceOptions } from '../triage/tool-answers.ts';
import { QUESTION_TOOL } from '../triage/tool-answers.ts';
import { Triage } from '../triage/triage.ts';
import { statedRecords } from '../drafts/drafts.ts';
import { Statements, type SessionStatement } from '../drafts/statements.ts';
import { topicOf } from '../triage/context.ts';
import { answersIn } from './answers.ts';
import { closingParts } from './closing-parts.ts';
import { completedIn, outcomeOf } from './outcome.ts';
import { DeadEnds, lastThoughts } from './dead-ends.ts';
import { ToolActivity } from './tool-activity.ts';
import { openWork } from './open-work.ts';
import { shortPaths, tagsFor, distinct, isAlike, listItem } from './text.ts';
import { contextOf, goalOf, sessionTask } from './prompts.ts';
import { trackingPoints } from './tasks.ts';
import { ConversationTurns } from './turns.ts';

/** How an agent submits a plan for approval. */
const PLANS = /^(?:ExitPlanMode|exit_plan_mode|plan_exit)$/;
/** How an agent writes a whole file. */
const WRITES = /^(?:Write|write|write_file|create_file)$/;
const MOST_FILES = 10;
const RELATED = 20;
const MOST_COMMITS = 8;

/** Whether a match comes from the agent or a plan. Prompts are covered by the goal. */
const isByAgent = ({ passage }: TriageMatch): boolean => passage.voice === 'agent' || passage.voice === 'plan';

/** Reads a session message by message and summarises it on a page, without a model. */
export class SessionSummary {
  readonly triage: Triage;
  readonly deadEnds = new DeadEnds();
  readonly statements = new Statements();
  readonly activity = new ToolActivity();
  readonly #turns = new ConversationTurns();
  #firstId: string | undefined;
  #lastId: string | undefined;

  constructor(settings: TriageSettings, sources: SourceOptions = {}) {
    this.triage = new Triage(settings, sources);
  }

  add(message: Message): void {
    this.activity.add(message);
    const passage = this.triage.add(message);
    if (message.agentId !== undefined) return;
    this.#addStatements(message, passage);
    this.deadEnds.add(message);
    this.#turns.add(message);
    this.#firstId ??= message.id;
    this.#lastId = message.id;
  }

  #addStatements(message: Message, passage: Passage | undefined): void {
    const { triage, statements } = this;
    for (const call of message.toolCalls ?? []) {
      if (QUESTION_TOOL.test(call.name)) statements.addQuestion(call.id, call.input);
      if (PLANS.test(call.name)) statements.addPlan(call.id, call.input);
      if (WRITES.test(call.name) && call.files[0]?.endsWith('.md') === true) statements.addDocument(call.input);
    }
    if (message.role === 'user') statements.prompt(message, passage && topicOf(passage));
    else if (message.role === 'tool') statements.answer(message, (text) => triage.repeatsTool(text));
    else if (passage !== undefined) statements.reply(message, passage.sentences, (sentence) => triage.repeatsOthers(passage, sentence));
  }

  /** The session's statements, without rules that are not about the work. */
  get workStatements(): readonly SessionStatement[] {
    const { isSmallTalk } = this.triage;
    return this.statements.all.filter((statement) => statement.kind !== 'rule' || (!isSmallTalk && statement.topic !== 'life'));
  }

  /** The subject of the session in one line; empty if it is unknown. */
  get task(): string {
    return sessionTask(this.#turns.all);
  }

  /** Files that were changed, as the project names them. */
  relatedFiles(facts?: SessionFacts): string[] {
    this.activity.setProject(facts?.project);
    const files = this.activity.files.toSorted((a, b) => b.edits - a.edits).map((file) => file.path);
    const names = shortPaths(files, facts?.project);
    return files.slice(0, RELATED).map((file) => names.get(file) ?? file);
  }

  content(facts?: SessionFacts): ContentOf<'session_summary'> {
    const turns = this.#turns.all;
    const activity = this.activity;
    activity.setProject(facts?.project);
    const names = shortPaths(
      activity.files.map((file) => file.path),
      facts?.project,
    );
    const outcome = outcomeOf(turns, activity);
    const debts = distinct(
      this.#ownMatches('tech_debt')
        .filter((match) => isByAgent(match) && !this.#turns.isRequestedLater(match))
        .slice(0, 2)
        .map((match) => listItem(match.sentence.text)),
    );
    const { inProgress, blockers, nextActions } = openWork(turns, activity, outcome, debts, names);
    const done = activity.tasks.filter((task) => task.state === 'completed').map((task) => task.subject);
    const context = contextOf(turns);
    const tracking = trackingPoints({
      records: statedRecords(this).filter(({ statement }) => !statement.foreign),
      matches: (category) => this.#ownMatches(category).filter(isByAgent),
      activity,
      isAbandoned: (match) => this.deadEnds.isAbandoned(match),
      discoveries: distinct(this.#turns.lastingTurns.flatMap(({ closing }) => closingParts(closing).discoveries)),
    }).filter(({ label, text }) => label !== 'Discovery' || context === '' || !isAlike(text, context));
    const completed = completedIn(this.#turns.lastingTurns, activity.commits, done);
    const hasOutcome = completed.length > 0 || outcome === 'abandoned';
    const results = hasOutcome
      ? []
      : answersIn(this.#turns.lastingTurns).filter((text) => !this.triage.repeatsTool(text) && !tracking.some((one) => isAlike(one.text, text)));
    const points = [...results.map((text) => ({ label: 'Result', text })), ...tracking];
    return {
      goal: goalOf(turns, facts?.title),
      outcome,
      completed,
      in_progress: inProgress,
      blockers,
      next_actions: nextActions,
      key_changes: this.#keyChanges(names),
      ...(context === '' ? {} : { context }),
      ...(points.length === 0 ? {} : { tracking_points: points }),
    };
  }

  /** The summary as a draft of a record. */
  draft(facts: SessionFacts): Draft {
    const content = this.content(facts);
    const files = this.relatedFiles(facts);
    // The session's own time, not that of its import: index, timeline and synthesis use it.
    const ended = epochOf(facts.endedAt ?? facts.startedAt);
    return {
      category: 'session_summary',
      ...(ended !== undefined && ended >= 0 && { created_at: utcSeconds(ended) }),
      title: titleOf(content.goal),
      tags: tagsFor(content.goal, files),
      ...(files.length === 0 ? {} : { related_files: files }),
      confidence: 0.8,
      trust: trustFrom('capture'),
      origin: {
        channel: 'capture',
        client: facts.client,
        session_id: facts.sessionId,
        ...(this.#firstId === undefined || this.#lastId === undefined ? {} : { message_ids: distinct([this.#firstId, this.#lastId]) }),
      },
      content,
    };
  }

  /** The matches of triage, without decisions that an agent only considered. */
  matches(category: TextCategory): readonly TriageMatch[] {
    const matches = this.triage.matches(category);
    return category === 'decision' ? lastThoughts(matches, (id) => this.#turns.placeOf(id)) : matches;
  }

  /** Matches in the words of the user and the agent. Text from tools and the web goes into quarantined drafts, never into the summary. */
  #ownMatches(category: TextCategory): TriageMatch[] {
    return this.matches(category).filter((match) => !this.triage.isForeign(match));
  }

  #keyChanges(names: ReadonlyMap<string, string>): string[] {
    const files = this.activity.files.toSorted((a, b) => Number(b.isNew) - Number(a.isNew) || b.edits - a.edits);
    const fileLines = files
      .slice(0, MOST_FILES)
      .map((file) => `${names.get(file.path) ?? file.path}${file.isNew ? ' (new)' : file.edits > 1 ? ` (${file.edits} edits)` : ''}`);
    const hashes = distinct(this.activity.commits.flatMap(({ hash }) => (hash === undefined ? [] : [hash.slice(0, 8)])));
    return [
      ...(hashes.length > 0 ? [`${hashes.length === 1 ? 'Commit' : 'Commits'}: ${hashes.slice(-MOST_COMMITS).join(', ')}`] : []),
      ...fileLines,
      ...(files.length > MOST_FILES ? [`and ${files.length - MOST_FILES} more`] : []),
    ];
  }
}
