import type { TextCategory } from '../../capture/triage/settings.ts';
import type { TriagedLine } from '../../capture/triage/triage.ts';
import { fingerprint } from '../../capture/transcripts/event.ts';
import { TRIAGED } from '../../core/config/categories.ts';
import { ruleSentences } from '../../core/rules/standing-rule.ts';
import { trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { triageOf } from '../episodes/summarize.ts';
import { recordRepeating } from '../write/target.ts';

/** A line of a turn that is worth a record. */
export interface TurnFinding {
  readonly category: TextCategory;
  readonly text: string;
  readonly score: number;
  readonly messageId: string;
  /** Identifies the line when it comes again. */
  readonly mark: string;
  readonly trust: UnconfirmedTrust;
  /** Whether the user typed it as a standing rule. */
  readonly isRule: boolean;
}

export interface TurnFindings {
  /** Each line once, in the category with its highest score; highest first. */
  readonly findings: readonly TurnFinding[];
  readonly summaryFired: boolean;
}

export interface FindingOptions {
  /** Categories that the agent saved in this turn because the user asked for it. */
  readonly savedCategories: ReadonlySet<string>;
  /** Marks of lines that were asked about before. */
  readonly askedMarks: ReadonlySet<string>;
  /** Whether every line that triage proposes counts, as in the flow of drafter and verifier. */
  readonly acceptsAll: boolean;
}

/**
 * How far above its threshold a line must score before the agent is asked to save it. A request costs the user time, and in real sessions triage proposes a
 * line in two turns of three.
 */
const MARGIN_OVER_THRESHOLD: Readonly<Record<TextCategory, number>> = { decision: 0.25, runbook: 0.5, constraint: 0.3, tech_debt: 0.25, preference: 0.2 };

const TEXT_CATEGORIES = TRIAGED.filter((category): category is TextCategory => category !== 'session_summary');

const markOfLine = (text: string): string => fingerprint(text.trim().toLowerCase());

/** The statements of a turn that are worth a record: not asked about before, not saved in this turn, and not in a record already. */
export function findingsIn(
  memory: { readonly config: Memory['config']; readonly index: Pick<Memory['index'], 'search'> },
  episode: Episode,
  { savedCategories, askedMarks, acceptsAll }: FindingOptions,
): TurnFindings {
  if (episode.entries.length === 0) return { findings: [], summaryFired: false };
  const triage = triageOf(episode, memory.config);
  const { categories } = triage.result();
  const best = new Map<string, TurnFinding>();
  const covered = new Set<string>();
  for (const category of TEXT_CATEGORIES) {
    const { fired, lines, threshold } = categories.find((one) => one.category === category) ?? { fired: false, lines: [], threshold: 1 };
    if (!fired) continue;
    const foreign = new Set(
      triage
        .matches(category)
        .filter((match) => triage.isForeign(match))
        .map(({ sentence }) => sentence.text),
    );
    const minScore = acceptsAll ? threshold : Math.min(1, threshold + MARGIN_OVER_THRESHOLD[category]);
    for (const line of lines.filter(({ score }) => score >= minScore)) {
      const mark = markOfLine(line.text);
      if (savedCategories.has(category)) covered.add(mark);
      if ((best.get(mark)?.score ?? 0) < line.score) best.set(mark, findingOf(category, line, mark, foreign.has(line.text)));
    }
  }
  for (const rule of memory.config.get('categories.preference.auto_capture') ? rulesIn(episode) : [])
    best.set(rule.mark, { ...rule, ...categoryOf(best.get(rule.mark)) });
  const findings = [...best.values()].filter(
    ({ mark, text, category }) => !covered.has(mark) && !savedCategories.has(category) && !askedMarks.has(mark) && !recordRepeating(memory, text),
  );
  return {
    findings: findings.toSorted((a, b) => Number(b.isRule) - Number(a.isRule) || b.score - a.score),
    summaryFired: categories.some(({ category, fired }) => category === 'session_summary' && fired),
  };
}

/** Rules that the user typed, even if triage did not find them: later, a transcript hardly shows who typed them. */
const rulesIn = (episode: Episode): readonly TurnFinding[] =>
  [...messagesIn(episode)]
    .filter(({ role, agentId }) => role === 'user' && agentId === undefined)
    .flatMap(({ id, text }) =>
      ruleSentences(text).map((rule) => ({
        category: 'preference' as const,
        text: rule.text,
        score: 1,
        messageId: id,
        mark: markOfLine(rule.text),
        trust: trustFrom('capture'),
        isRule: true,
      })),
    );

/** A rule about a limit stays a constraint. */
const categoryOf = (finding: TurnFinding | undefined): Partial<TurnFinding> => (finding?.category === 'constraint' ? { category: 'constraint' } : {});

const findingOf = (category: TextCategory, { text, score, messageId }: TriagedLine, mark: string, isForeign: boolean): TurnFinding => ({
  category,
  text,
  score,
  messageId,
  mark,
  trust: trustFrom(isForeign ? 'tool-output' : 'capture'),
  isRule: false,
});
