/** Sums the weights of the terms in a mask, eight terms at a step. */
export class TermWeights {
  readonly #tables: readonly Float64Array[];

  constructor(weights: readonly number[]) {
    this.#tables = [0, 8, 16, 24].map((from) => {
      const table = new Float64Array(256);
      for (let mask = 1; mask < 256; mask++) {
        const lowest = 31 - Math.clz32(mask & -mask);
        table[mask] = (table[mask & (mask - 1)] as number) + (weights[from + lowest] ?? 0);
      }
      return table;
    });
  }

  sum(mask: number): number {
    const [a, b, c, d] = this.#tables as [Float64Array, Float64Array, Float64Array, Float64Array];
    return (a[mask & 255] as number) + (b[(mask >>> 8) & 255] as number) + (c[(mask >>> 16) & 255] as number) + (d[mask >>> 24] as number);
  }
}
