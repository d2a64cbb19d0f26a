import { GATE } from '../../src/recall/gate/weights.ts';
import type { Judged, Weighed } from './run.ts';

/** Tokens on prompts that nothing answers, at most: on other matters, and where words are shared without need. */
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

/** What one title costs, two titles, a record that is shown, and a line of titles with a deciding sentence. */
export type Costs = readonly [one: number, two: number, shown: number, sentence: number];

export function outcomeOf(weighed: readonly Weighed[], { name, show }: Thresholds, [one, two, shown, sentence]: Costs): Outcome {
  const best = weighed[0]?.strength ?? 0;
  const least = best >= show ? show : name;
  const put = best < least ? [] : weighed.filter(({ strength }) => strength >= Math.max(least, best * GATE.besides)).slice(0, GATE.named);
  const tokens = put.length === 0 ? 0 : best >= show ? shown + (put.length - 1) * (shown / 2) : put[0]?.showsSentence ? sentence : put.length === 1 ? one : two;
  return { right: put.some(({ right }) => right), records: put.length, tokens, shown: best >= show };
}

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The thresholds that put most right records before the agent within the limits; those that are shown count a little more than those named. */
export function chooseThresholds(judged: readonly Judged[], of: (one: Judged) => readonly Weighed[], costs: Costs, grid: readonly Thresholds[]): Thresholds {
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
