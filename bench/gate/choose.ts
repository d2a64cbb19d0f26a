import { GATE } from '../../src/recall/gate/weights.ts';
import type { Judged, ScoredRecord } from './run.ts';

/** The most tokens on prompts without an answer: on other topics, and on prompts that only share words. */
export const LIMITS = { other: 5, same: 30 } as const;
const OTHER = new Set(['other-topic', 'chat', 'generic']);

export const isOther = ({ prompt }: Judged): boolean => OTHER.has(prompt.why ?? '');
export const isSame = ({ prompt }: Judged): boolean => prompt.why === 'same-words';

/** From which strength a record is named, and shown. */
export interface Thresholds {
  readonly name: number;
  readonly show: number;
}

/** The result of the thresholds for one prompt. */
export interface Outcome {
  readonly right: boolean;
  readonly records: number;
  readonly tokens: number;
  readonly shown: boolean;
}

/** Tokens of one title, of two, of a shown record, and of titles with a deciding sentence. */
export type Costs = readonly [one: number, two: number, shown: number, sentence: number];

export function outcomeOf(scored: readonly ScoredRecord[], { name, show }: Thresholds, [one, two, shown, sentence]: Costs): Outcome {
  const best = scored[0]?.strength ?? 0;
  const least = best >= show ? show : name;
  const injected = best < least ? [] : scored.filter(({ strength }) => strength >= Math.max(least, best * GATE.besides)).slice(0, GATE.named);
  const tokens =
    injected.length === 0
      ? 0
      : best >= show
        ? shown + (injected.length - 1) * (shown / 2)
        : injected[0]?.showsSentence
          ? sentence
          : injected.length === 1
            ? one
            : two;
  return { right: injected.some(({ right }) => right), records: injected.length, tokens, shown: best >= show };
}

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The thresholds that inject most right records within the limits; shown records count a little more than named ones. */
export function chooseThresholds(
  judged: readonly Judged[],
  of: (one: Judged) => readonly ScoredRecord[],
  costs: Costs,
  grid: readonly Thresholds[],
): Thresholds {
  const answerable = judged.filter(({ prompt }) => prompt.how !== undefined);
  const tokens = (some: readonly Judged[], at: Thresholds): number => mean(some.map((one) => outcomeOf(of(one), at, costs).tokens));
  let best: { readonly at: Thresholds; readonly worth: number } | undefined;
  for (const at of grid) {
    if (tokens(judged.filter(isOther), at) > LIMITS.other || tokens(judged.filter(isSame), at) > LIMITS.same) continue;
    const outcomes = answerable.map((one) => outcomeOf(of(one), at, costs));
    const worth = mean(outcomes.map(({ right, shown }) => (right ? 1 : 0) + (shown && right ? 0.2 : 0)));
    if (best === undefined || worth > best.worth) best = { at, worth };
  }
  return best?.at ?? (grid.at(-1) as Thresholds);
}
