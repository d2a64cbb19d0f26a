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

/** A line that spoke for a category, and why: the weights sum to its score. */
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
  /** That of its best line, or of the activity. */
  readonly score: number;
  readonly threshold: number;
  readonly fired: boolean;
  /** Best first. */
  readonly lines: readonly TriagedLine[];
  /** For session_summary: what its score is made of. */
  readonly parts?: readonly SignalPart[];
}

export interface TriageResult {
  readonly categories: readonly TriagedCategory[];
  readonly activity: Activity;
}

type Looker = (passage: Passage, before: readonly Passage[]) => readonly TriageMatch[];

const LOOKERS: Readonly<Record<TextCategory, Looker>> = {
  decision: decisionsIn,
  runbook: runbooksIn,
  constraint: constraintsIn,
  tech_debt: debtsIn,
  preference: preferencesIn,
};

const TEXT_CATEGORIES = Object.keys(LOOKERS) as TextCategory[];
/** People decide and wish in their free time too: in a talk without a single tool, what is not about software counts less. */
const IDLE: Readonly<Record<TextCategory, number>> = { decision: -0.15, constraint: -0.15, preference: -0.15, runbook: -0.2, tech_debt: -0.15 };
/** As much as the labelled stretches bear with nine in ten still right: rules of words miss more than they invent. */
const AT_WORK: Readonly<Partial<Record<TextCategory, number>>> = { decision: 0.05, runbook: 0.1 };
const PRIVATE = -0.7;
const LOOK_BACK = 6;
const MOST_MATCHES = 40;

/** Watches a session go by and says what in it is worth a record. Memory stays flat: only the best matches are kept. */
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

  /** Takes a message in and returns what it says in words. Subagents' messages are passed over: what they found comes back as a report. */
  add(message: Message): Passage | undefined {
    this.#sources.add(message);
    if (message.agentId !== undefined) return undefined;
    this.#count.add(message);
    for (const call of message.toolCalls ?? []) if (QUESTION_TOOL.test(call.name)) this.#asked.add(call.id);
    const isUserAnswer = message.answers !== undefined && this.#asked.delete(message.answers) && message.failed !== true;
    const passage = passageOf(message, isUserAnswer, this.#sources.afterOutside);
    const found = passage === undefined ? [] : this.#look(passage);
    const here = [...new Set(found.filter((match) => match.passage === passage).map((match) => match.sentence))];
    const around = this.#excerpts.add(
      message,
      here.map((sentence) => sentence.line + 1),
    );
    here.forEach((sentence, at) => this.#around.set(sentence, around[at] as () => Excerpt));
    for (const sentence of here) if (message.role === 'assistant' && this.#sources.repeats(sentence)) this.#repeated.add(sentence);
    // Text that came from others stays theirs when the agent repeats it.
    if (passage?.afterOutside === true) for (const sentence of here) this.#sources.derives(sentence.text);
    return passage;
  }

  /** Whether a text is made of the words of a tool or of the web. */
  repeatsTool(text: string): boolean {
    return this.#sources.repeats({ text });
  }

  /** Whether a sentence of the message just taken in may be the words of a tool or of the web; from then on it counts as theirs. */
  repeatsOthers(passage: Passage, sentence: Sentence): boolean {
    const isTheirs = passage.afterOutside || this.#sources.repeats(sentence);
    if (isTheirs) this.#sources.derives(sentence.text);
    return isTheirs;
  }

  #look(passage: Passage): readonly TriageMatch[] {
    if (this.#isIdle) this.#listen(passage);
    const all = TEXT_CATEGORIES.filter((category) => this.#settings[category].proposes).flatMap((category) => {
      const found = LOOKERS[category](passage, this.#before);
      if (found.length > 0) this.#matches[category] = bestOf([...this.#matches[category], ...found]);
      return found;
    });
    this.#before = [...this.#before, passage].slice(-LOOK_BACK);
    return all;
  }

  /** As long as no tool was used, what is talked about tells work from small talk. */
  #listen(passage: Passage): void {
    if (isAboutWork(passage)) this.#atWork++;
    if (isAboutLife(passage)) this.#privately++;
  }

  /** Whether a session without any work is talk about other things. */
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

  /** Whether a match may be the words of a tool or of the web rather than of the people at work. */
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

  /** A remark about other things than the work counts less; during work, a choice or a fix counts a little more. */
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

/** One match a sentence, the best ones, best first. */
function bestOf(matches: readonly TriageMatch[]): readonly TriageMatch[] {
  const best = new Map<string, TriageMatch>();
  for (const match of matches) {
    const key = `${match.passage.messageId}\n${match.sentence.line}\n${match.sentence.plain}`;
    const known = best.get(key);
    if (known === undefined || match.score > known.score) best.set(key, match);
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, MOST_MATCHES);
}
