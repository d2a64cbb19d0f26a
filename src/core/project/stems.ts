const DECISION = /^(\d{4}-\d{2}-\d{2})_(\d{3,15})_(.+)$/;

/** A decision's file name in its parts: day, number of the day, id. */
export function decisionParts(stem: string): { readonly day: string; readonly number: number; readonly id: string } | undefined {
  const [, day, number, id] = DECISION.exec(stem) ?? [];
  return day === undefined || id === undefined ? undefined : { day, number: Number(number), id };
}

/** The file names, without extension, that are taken in a folder. */
export class Stems {
  readonly #folded = new Set<string>();
  readonly #numbers = new Map<string, number>();

  constructor(stems: Iterable<string> = []) {
    for (const stem of stems) this.add(stem);
  }

  add(stem: string): void {
    this.#folded.add(stem.toLowerCase());
    const decision = decisionParts(stem);
    if (decision) this.#numbers.set(decision.day, Math.max(this.highestOf(decision.day), decision.number));
  }

  /** In any letter case: file systems that ignore it would make two such names one. */
  has(stem: string): boolean {
    return this.#folded.has(stem.toLowerCase());
  }

  /** The highest number among the decisions of a day. */
  highestOf(day: string): number {
    return this.#numbers.get(day) ?? 0;
  }
}
