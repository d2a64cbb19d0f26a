import path from 'node:path';

/** The folder with the data to measure on: named with --data, or the one that lies beside the repository. */
export function dataIn(argv: readonly string[]): string {
  const at = argv.indexOf('--data');
  return path.resolve(at < 0 ? '../shared/bench' : (argv[at + 1] ?? '.'));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The same numbers in every run: a linear congruential generator is random enough for made-up words. */
export function rng(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
