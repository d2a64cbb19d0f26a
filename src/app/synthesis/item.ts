import type { MemoryRecord } from '../../core/record/schema.ts';

/** The sections of a master that hold items; `Evolution & Changes` is made from how they replaced each other. */
export type MasterSection = 'status' | 'decisions' | 'learnings' | 'evolution' | 'questions';

/** One thing that the master says. */
export interface Item {
  readonly section: MasterSection;
  readonly text: string;
  /** Its source: `category/id`, a session, a commit or a document; empty if a person wrote it into the master. */
  readonly ref: string;
  /** When it was said, epoch milliseconds. */
  readonly at: number;
  /** Words that it might be filed under, best first. */
  readonly topics: readonly string[];
  /** Files of the project it speaks of. */
  readonly files: readonly string[];
  /** How well it is founded: 2 for a record, up to 1 with a reason, 0 for a plain sentence. */
  readonly worth?: number;
  /** It is about the project as a whole, whatever words it uses. */
  readonly isGeneral?: true;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}(?=-)/;

/** How a session is named in the master: by as much of its id as tells it apart. */
export const sessionName = (id: string): string => `session ${UUID.exec(id)?.[0] ?? id}`;

export const refOf = ({ category, id }: Pick<MemoryRecord, 'category' | 'id'>): string =>
  category === 'session_summary' ? sessionName(id) : `${category}/${id}`;

export const isSessionRef = (ref: string): boolean => ref.startsWith('session ');

const LONGEST = 260;

/** One line, as long as a reader of many lines bears. */
export function masterLine(text: string, longest = LONGEST): string {
  const flat = text
    .replaceAll(/^\s*(?:[-*+]|\d+[.)]|#{1,6})\s+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (flat.length <= longest) return flat;
  const cut = flat.slice(0, longest);
  const sentence = /^[\s\S]{80,}[.!?](?=\s)/.exec(cut)?.[0];
  const shown = sentence ?? `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 80)).replace(/[\s,;:.–—-]+$/, '')}…`;
  // A bracket that the cut left open is closed.
  return shown.lastIndexOf('(') > shown.lastIndexOf(')') ? `${shown})` : shown;
}
