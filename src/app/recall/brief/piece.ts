import type { Line } from '../../../recall/inject/block.ts';

/** A line of the brief with what the log keeps of it. */
export interface Piece {
  readonly line: Line & { readonly rank: number };
  readonly title: string;
  readonly updatedAt: string;
  /** Why it is in the brief. */
  readonly reason: string;
}

/** Whether it says something of its own; how to ask for more does not. */
export const isTelling = ({ line }: Piece): boolean => line.id !== undefined;
