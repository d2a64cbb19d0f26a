import type { Origin } from '../../core/record/schema.ts';
import type { DraftVerdict } from './answer.ts';
import type { DraftSource, Settled } from './save.ts';

declare const passed: unique symbol;

/** A draft that has passed its check, which is the only kind that is saved. There is no way to one but `checked`. */
export interface Checked {
  readonly settled: Settled;
  readonly source: DraftSource;
  readonly issues: readonly string[];
  readonly [passed]: true;
}

/** Who may check: the rules, a model, or the agent's own verifier. */
export type Checker = NonNullable<Origin['verified']>;

/** The draft as one that may be saved; undefined when its verdict is against it. */
export function checked(settled: Settled, source: DraftSource, { passed: isGood, issues }: DraftVerdict, by: Checker): Checked | undefined {
  if (!isGood) return undefined;
  const { draft } = settled;
  const origin: Origin = { ...source.origin, verified: by };
  const marked = draft && settled.action === 'CREATE' ? { ...settled, draft: { ...draft, origin } } : settled;
  return { settled: marked, source, issues } as Checked;
}
