import type { MemoryRecord } from '../../core/record/schema.ts';

/** The sections of a master. */
export type MasterSection = 'status' | 'decisions' | 'learnings' | 'evolution' | 'questions';

/** One statement of the master. */
export interface Item {
  readonly section: MasterSection;
  readonly text: string;
  /** Its source: `category/id`, a session, a commit or a document; empty if a person wrote it into the master. */
  readonly ref: string;
  /** When it was said, epoch milliseconds. */
  readonly at: number;
  /** Possible themes, best first. */
  readonly topics: readonly string[];
  /** The project's files that it is about. */
  readonly files: readonly string[];
  /** Its value: 2 for a record, up to 1 with a reason, 0 for a plain sentence. */
  readonly worth?: number;
  /** It applies to the whole project, whatever its words. */
  readonly isGeneral?: true;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}(?=-)/;

/** The name of a session in the master, with a shortened id. */
export const sessionName = (id: string): string => `session ${UUID.exec(id)?.[0] ?? id}`;

export const refOf = ({ category, id }: Pick<MemoryRecord, 'category' | 'id'>): string =>
  category === 'session_summary' ? sessionName(id) : `${category}/${id}`;

export const isSessionRef = (ref: string): boolean => ref.startsWith('session ');

const LONGEST = 260;

/** Flattens a text to one line and shortens it, if possible at the end of a sentence. */
export function masterLine(text: string, longest = LONGEST): string {
  const flat = text
    .replaceAll(/^\s*(?:[-*+]|\d+[.)]|#{1,6})\s+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (flat.length <= longest) return flat;
  const cut = flat.slice(0, longest);
  const sentence = /^[\s\S]{80,}[.!?](?=\s)/.exec(cut)?.[0];
  const shortened = sentence ?? `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 80)).replace(/[\s,;:.–—-]+$/, '')}…`;
  // Close a bracket that was cut open.
  return shortened.lastIndexOf('(') > shortened.lastIndexOf(')') ? `${shortened})` : shortened;
}
