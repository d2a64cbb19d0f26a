import type { CheckoutState } from '../../../src/app/synthesis/gather.ts';

export const EMPTY: CheckoutState = { docs: [], commits: [], files: [], introductions: [] };
/** A commit of that day in February. */
export const commit = (day: number, subject: string, body = ''): CheckoutState['commits'][number] => ({
  id: `${day}`.repeat(7).slice(0, 7),
  at: `2026-02-${String(day).padStart(2, '0')}T10:00:00Z`,
  subject,
  body,
  merge: false,
  files: [],
});
/** The text of a section of a master. */
export const under = (text: string, heading: string): string => text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
