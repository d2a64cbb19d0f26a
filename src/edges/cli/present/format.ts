import type { Paint } from '../command.ts';
import { inert } from '../paint.ts';

/** `1 record`, `2 records`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The lines of a unified diff: added ones green, removed ones red. */
export const diffLines = (diff: string, paint: Paint): string[] =>
  inert(diff)
    .split('\n')
    .map((line) => {
      if (/^\+(?!\+\+)/.test(line)) return paint.green(line);
      return /^-(?!--)/.test(line) ? paint.red(line) : line;
    });

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `512 B`, `4.2 KB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const amount = bytes / 1024 ** step;
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[step]}`;
}
