import type { Origin } from '../../core/record/schema.ts';
import type { DraftVerdict } from './answer.ts';
import type { DraftSource, Settled } from './save.ts';

declare const passed: unique symbol;

/** A draft that has passed verification. Only `checked` makes one, and only these are saved. */
export interface Checked {
  readonly settled: Settled;
  readonly source: DraftSource;
  readonly issues: readonly string[];
  readonly [passed]: true;
}

/** Who verified: rules, a model, or the agent's verifier. */
export type Checker = NonNullable<Origin['verified']>;

/** The draft as `Checked`; undefined when its verdict failed. */
export function checked(settled: Settled, source: DraftSource, { passed: isGood, issues }: DraftVerdict, by: Checker): Checked | undefined {
  if (!isGood) return undefined;
  const { draft } = settled;
  const origin: Origin = { ...source.origin, verified: by };
  const marked = draft && settled.action === 'CREATE' ? { ...settled, draft: { ...draft, origin } } : settled;
  return { settled: marked, source, issues } as Checked;
}
