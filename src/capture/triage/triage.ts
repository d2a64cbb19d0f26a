import type { Message } from '../../core/episode/episode.ts';
import { type Activity, ActivityCount, activityParts } from './activity.ts';
import { constraintsIn } from './constraint.ts';
import { sessionContext, textContext, isAboutLife, isAboutWork } from './context.ts';
import { decisionsIn } from './decision.ts';
import { type Excerpt, Excerpts } from './excerpts.ts';
import { preferencesIn } from './preference.ts';
import { type Passage, passageOf, type Sentence } from './prose.ts';
import { runbooksIn } from './runbook.ts';
import { type TriageMatch, type SignalPart, withPart } from './score.ts';
import { QUESTION_TOOL, type SourceOptions, ToolAnswers } from './tool-answers.ts';
import type { TextCategory, TriageCategory, TriageSettings } from './settings.ts';
import { TRIAGED } from '../../core/config/categories.ts';
import { debtsIn } from './tech-debt.ts';

/** A line that matched a category, with its reasons, whose weights sum to the score. */
export interface TriagedLine {
  readonly messageId: string;
  /** Number of the line in its message, from 1. */
  readonly line: number;
  readonly text: string;
  readonly score: number;
  readonly why: readonly SignalPart[];
}

export interface TriagedCategory {
  readonly category: TriageCategory;
  /** The score of its best line, or of the activity. */
  readonly score: number;
  readonly threshold: number;
  readonly fired: boolean;
  /** Best first. */
  readonly lines: readonly TriagedLine[];
  /** For session_summary: the parts of its score. */
  readonly parts?: readonly SignalPart[];
}

export interface TriageResult {
  readonly categories: readonly TriagedCategory[];
  readonly activity: Activity;
}

type MatchFinder = (passage: Passage, before: readonly Passage[]) => readonly TriageMatch[];

const FINDERS: Readonly<Record<TextCategory, MatchFinder>> = {
  decision: decisionsIn,
  runbook: runbooksIn,
  constraint: constraintsIn,
  tech_debt: debtsIn,
  preference: preferencesIn,
};

const TEXT_CATEGORIES = Object.keys(FINDERS) as TextCategory[];
/** Deduction in a session without tool calls for matches that are not about software. */
const IDLE: Readonly<Record<TextCategory, number>> = { decision: -0.15, constraint: -0.15, preference: -0.15, runbook: -0.2, tech_debt: -0.15 };
/** Bonus during work, because word rules miss more than they invent: the most with which nine in ten matches of the labelled sessions stay right. */
const AT_WORK: Readonly<Partial<Record<TextCategory, number>>> = { decision: 0.05, runbook: 0.1 };
const PRIVATE = -0.7;
const LOOK_BACK = 6;
const MOST_MATCHES = 40;

/** Finds the lines of a session that are worth a record. Only the best matches stay in memory. */
export class Triage {
  readonly #settings: TriageSettings;
  readonly #count = new ActivityCount();
  readonly #excerpts = new Excerpts();
  readonly #sources: ToolAnswers;
  readonly #repeated = new WeakSet<Sentence>();
  readonly #around = new WeakMap<Sentence, () => Excerpt>();
  readonly #matches: Record<TextCategory, readonly TriageMatch[]> = { decision: [], runbook: [], constraint: [], tech_debt: [], preference: [] };
  readonly #asked = new Set<string>();
  #before: readonly Passage[] = [];
  #atWork = 0;
  #privately = 0;

  constructor(settings: TriageSettings, sources: SourceOptions = {}) {
    this.#settings = settings;
    this.#sources = new ToolAnswers(sources);
  }

  /** Adds a message and returns its prose. Messages of subagents are skipped, because their findings come back as a report. */
  add(message: Message): Passage | undefined {
    this.#sources.add(message);
    if (message.agentId !== undefined) return undefined;
    this.#count.add(message);
    for (const call of message.toolCalls ?? []) if (QUESTION_TOOL.test(call.name)) this.#asked.add(call.id);
    const isUserAnswer = message.answers !== undefined && this.#asked.delete(message.answers) && message.failed !== true;
    const passage = passageOf(message, isUserAnswer, this.#sources.afterOutside);
    const matches = passage === undefined ? [] : this.#look(passage);
    const here = [...new Set(matches.filter((match) => match.passage === passage).map((match) => match.sentence))];
    const around = this.#excerpts.add(
      message,
      here.map((sentence) => sentence.line + 1),
    );
    here.forEach((sentence, at) => this.#around.set(sentence, around[at] as () => Excerpt));
    for (const sentence of here) if (message.role === 'assistant' && this.#sources.repeats(sentence)) this.#repeated.add(sentence);
    // Text from outside stays foreign when the agent repeats it.
    if (passage?.afterOutside === true) for (const sentence of here) this.#sources.derives(sentence.text);
    return passage;
  }

  /** Whether a text repeats a tool or the web. */
  repeatsTool(text: string): boolean {
    return this.#sources.repeats({ text });
  }

  /** Whether a sentence of the last added message may repeat a tool or the web; if so, it counts as foreign from now on. */
  repeatsOthers(passage: Passage, sentence: Sentence): boolean {
    const isTheirs = passage.afterOutside || this.#sources.repeats(sentence);
    if (isTheirs) this.#sources.derives(sentence.text);
    return isTheirs;
  }

  #look(passage: Passage): readonly TriageMatch[] {
    if (this.#isIdle) this.#listen(passage);
    const all = TEXT_CATEGORIES.filter((category) => this.#settings[category].proposes).flatMap((category) => {
      const matches = FINDERS[category](passage, this.#before);
      if (matches.length > 0) this.#matches[category] = bestOf([...this.#matches[category], ...matches]);
      return matches;
    });
    this.#before = [...this.#before, passage].slice(-LOOK_BACK);
    return all;
  }

  /** Counts passages about work and private life while no tool is used. */
  #listen(passage: Passage): void {
    if (isAboutWork(passage)) this.#atWork++;
    if (isAboutLife(passage)) this.#privately++;
  }

  /** Whether a session without tool calls is mainly about private life. */
  get isSmallTalk(): boolean {
    return this.#isIdle && this.#privately > this.#atWork;
  }

  get #isIdle(): boolean {
    return this.#count.activity.toolUses === 0;
  }

  /** The matches of a category that reach its threshold, best first. */
  matches(category: TextCategory): readonly TriageMatch[] {
    return this.#settled(category).filter((match) => match.score >= this.#settings[category].threshold);
  }

  /** Whether a match may come from a tool or the web instead of the user and the agent. */
  isForeign(match: TriageMatch): boolean {
    return match.passage.afterOutside || this.#repeated.has(match.sentence);
  }

  #settled(category: TextCategory): readonly TriageMatch[] {
    const judged = this.#matches[category].map((match) => {
      const part = this.#asides(category, match);
      return part === undefined ? match : withPart(match, part);
    });
    return judged.filter((match) => match !== undefined).toSorted((a, b) => b.score - a.score);
  }

  /** A deduction for a match that is not about the work, or a bonus for a choice or fix during work. */
  #asides(category: TextCategory, { passage }: TriageMatch): SignalPart | undefined {
    if (this.isSmallTalk) return { why: 'the talk is about other things than work', weight: PRIVATE };
    if (!isAboutWork(passage)) {
      if (isAboutLife(passage)) return { why: 'it is about life, not about the work', weight: PRIVATE };
      if (this.#isIdle) return { why: 'nothing there is about the work', weight: IDLE[category] };
    }
    const weight = AT_WORK[category];
    return weight === undefined ? undefined : { why: 'it is said at work', weight };
  }

  result(): TriageResult {
    const { activity } = this.#count;
    return { activity, categories: TRIAGED.map((category) => (category === 'session_summary' ? this.#session(activity) : this.#text(category))) };
  }

  /** The text of a category's context file. */
  contextOf(category: TriageCategory): string {
    const { description } = this.#settings[category];
    const { activity } = this.#count;
    if (category === 'session_summary') return sessionContext(this.#session(activity).score, description, activity, this.#excerpts.first, this.#excerpts.last);
    const matches = this.matches(category);
    const excerpts = matches.map((match) => this.#around.get(match.sentence)?.()).filter((excerpt) => excerpt !== undefined);
    return textContext(category, matches[0]?.score ?? 0, description, excerpts);
  }

  #text(category: TextCategory): TriagedCategory {
    const { threshold, proposes } = this.#settings[category];
    const lines = this.#settled(category).map(({ passage, sentence, score, parts }) => ({
      messageId: passage.messageId,
      line: sentence.line + 1,
      text: sentence.text,
      score,
      why: parts,
    }));
    const score = lines[0]?.score ?? 0;
    return { category, score, threshold, fired: proposes && score > 0 && score >= threshold, lines };
  }

  #session(activity: Activity): TriagedCategory {
    const { threshold, proposes } = this.#settings.session_summary;
    const parts = activityParts(activity);
    const score = Math.min(1, Math.round(parts.reduce((sum, part) => sum + part.weight, 0) * 1000) / 1000);
    return { category: 'session_summary', score, threshold, fired: proposes && score > 0 && score >= threshold, lines: [], parts };
  }
}

/** The best match of each sentence, best first, up to MOST_MATCHES. */
function bestOf(matches: readonly TriageMatch[]): readonly TriageMatch[] {
  const best = new Map<string, TriageMatch>();
  for (const match of matches) {
    const key = `${match.passage.messageId}\n${match.sentence.line}\n${match.sentence.plain}`;
    const known = best.get(key);
    if (known === undefined || match.score > known.score) best.set(key, match);
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, MOST_MATCHES);
}
