/** One question's candidates: what each measures, and whether it is right. */
export interface Sample {
  readonly values: readonly (readonly number[])[];
  readonly gold: readonly boolean[];
}

const ROUNDS = 80;
const RATE = 0.15;
/** Keeps weights of channels that hardly differ from running away. */
const RIDGE = 0.006;
const [SLOW, SLOWER] = [0.9, 0.99];

/** Weights that make the right candidates likely in a softmax over all of a question's: Adam on the log-likelihood. */
export function regress(samples: readonly Sample[], used: readonly boolean[]): number[] {
  const answerable = samples.filter(({ gold }) => gold.includes(true));
  const weights: number[] = used.map((use) => (use ? 1 : 0));
  const first = new Float64Array(used.length);
  const second = new Float64Array(used.length);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = slopeAt(answerable, weights);
    for (const [nth, use] of used.entries()) {
      if (!use) continue;
      const step = (slope[nth] as number) / answerable.length + RIDGE * (weights[nth] as number);
      first[nth] = SLOW * (first[nth] as number) + (1 - SLOW) * step;
      second[nth] = SLOWER * (second[nth] as number) + (1 - SLOWER) * step * step;
      const mean = first[nth] / (1 - SLOW ** round);
      const spread = second[nth] / (1 - SLOWER ** round);
      weights[nth] = (weights[nth] as number) - (RATE * mean) / (Math.sqrt(spread) + 1e-8);
    }
  }
  return weights;
}

function slopeAt(samples: readonly Sample[], weights: readonly number[]): number[] {
  const slope = weights.map(() => 0);
  for (const { values, gold } of samples) {
    const scores = values.map((value) => value.reduce((sum, one, nth) => sum + one * (weights[nth] as number), 0));
    const top = Math.max(...scores);
    const likely = scores.map((score) => Math.exp(score - top));
    const all = likely.reduce((sum, one) => sum + one, 0);
    const right = likely.reduce((sum, one, nth) => sum + (gold[nth] ? one : 0), 0);
    for (const [nth, value] of values.entries()) {
      const pull = (likely[nth] as number) / all - (gold[nth] ? (likely[nth] as number) / right : 0);
      for (let at = 0; at < slope.length; at++) slope[at] = (slope[at] as number) + pull * (value[at] as number);
    }
  }
  return slope;
}
