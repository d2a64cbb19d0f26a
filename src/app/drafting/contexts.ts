import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Triage } from '../../capture/triage/triage.ts';
import { redact } from '../../core/redact/text.ts';
import { trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import { TRIAGED } from '../../core/config/categories.ts';

/** A drafter's input for one category whose score reached its threshold. */
export interface DraftContext {
  readonly category: TriageCategory;
  readonly score: number;
  /** The text of its context file; missing when there is none, and then the category is skipped. */
  readonly text?: string;
  /** The lines that reached the threshold; the candidate search uses them. */
  readonly newInfo: string;
  readonly messageIds: readonly string[];
  /** `quarantined` if those lines may come from a tool or the web. */
  readonly trust?: UnconfirmedTrust;
}

const BEST_LINES = 5;

/** The contexts of the categories that fired, redacted because they leave the process. */
export function contextsOf(triage: Pick<Triage, 'result' | 'contextOf' | 'matches' | 'isForeign'>): readonly DraftContext[] {
  return triage
    .result()
    .categories.filter(({ fired }) => fired)
    .map(({ category, score, threshold, lines }) => {
      const best = lines.filter((line) => line.score >= threshold).slice(0, BEST_LINES);
      return {
        category,
        score,
        text: redact(triage.contextOf(category)).text,
        newInfo: redact(best.map(({ text }) => text).join('\n')).text,
        messageIds: [...new Set(best.map(({ messageId }) => messageId))],
        trust: trustFrom(
          category !== 'session_summary' &&
            triage
              .matches(category)
              .slice(0, BEST_LINES)
              .some((match) => triage.isForeign(match))
            ? 'tool-output'
            : 'capture',
        ),
      };
    });
}

/** The names under which agents and Holdfast find each other's files. */

export const contextName = (category: TriageCategory): string => `.memory-triage-context-${category}.txt`;

export const draftName = (category: TriageCategory, drafter: string): string => `.memory-draft-${category}-${drafter}.json`;

const NAME = new RegExp(String.raw`(?:^|[/\\])\.memory-(draft|verdict)-(${TRIAGED.join('|')})-([\w-]+)\.json$`);

/** The parts of a draft's file name. */
export interface DraftName {
  readonly path: string;
  readonly category: TriageCategory;
  /** A process or agent id, to tell drafters apart. */
  readonly drafter: string;
}

function parseName(path: string, kind: string): DraftName | undefined {
  const [, foundKind, category, drafter] = NAME.exec(path) ?? [];
  return foundKind === kind && drafter !== undefined ? { path, category: category as TriageCategory, drafter } : undefined;
}

export const draftNameIn = (path: string): DraftName | undefined => parseName(path, 'draft');

/** Whether a drafter or verifier may write this path. */
export const isDraftOrVerdictPath = (path: string): boolean => NAME.test(path);

/** The path of a draft's verdict, in the same folder. */
export const verdictPath = (draft: string): string => draft.replace(/\.memory-draft-([^/\\]*)$/, '.memory-verdict-$1');
