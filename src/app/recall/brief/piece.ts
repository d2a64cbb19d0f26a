import type { BlockLine } from '../../../recall/inject/block.ts';

/** A line of the brief with what the log keeps of it. */
export interface BriefItem {
  readonly line: BlockLine & { readonly rank: number };
  readonly title: string;
  readonly updatedAt: string;
  /** Why it is in the brief. */
  readonly reason: string;
}

/** Whether it says something of its own; how to ask for more does not. */
export const isTelling = ({ line }: BriefItem): boolean => line.id !== undefined;
