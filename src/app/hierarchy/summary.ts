import { localMinutes } from './local-time.ts';

/** What a session has to say to the next one. */
export interface SessionNotes {
  /** Kept in the session's log, not in MEMORY.md. */
  readonly taskSummaries?: readonly string[];
  readonly filesModified?: readonly string[];
  readonly decisions?: readonly string[];
  readonly patterns?: readonly string[];
  readonly issues?: readonly string[];
}

export const SUMMARY_HEADING = 'Session Summary - ';

/** An item is one line, whatever it was before. */
const item = (text: string): string => `- ${text.replace(/\s*\r?\n\s*/g, ' ').trim()}`;

const section = (heading: string, items: readonly string[] = []): readonly string[] => (items.length === 0 ? [] : [`### ${heading}`, ...items.map(item), '']);

/** A session in MEMORY.md: dated, and a section for everything it has something to say of. */
export const summaryText = ({ filesModified, decisions, patterns, issues }: SessionNotes, at: number): string =>
  [
    `## ${SUMMARY_HEADING}${localMinutes(at)}\n`,
    ...section('Key Decisions', decisions),
    ...section('Files Modified', filesModified),
    ...section('Patterns Established', patterns),
    ...section('Issues/Notes', issues),
  ].join('\n');
