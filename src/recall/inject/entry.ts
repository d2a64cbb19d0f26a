import type { Category } from '../../core/record/category.ts';
import type { Trust } from '../../core/record/schema.ts';
import { withoutLabels } from '../../core/record/labels.ts';
import type { BlockLine } from './block.ts';
import { cut, plain } from './plain.ts';

/** A record as an agent is shown it. */
export interface RecallEntry {
  /** `category/id`. */
  readonly id: string;
  /** The id that is shown. */
  readonly shortId?: string;
  readonly category?: Category;
  readonly title: string;
  readonly updatedAt: string;
  readonly trust: Trust;
  /** Its main statement. */
  readonly gist: string;
  /** The rest of its content. */
  readonly detail?: string;
  /** Files that have changed since it was written. */
  readonly stale?: readonly string[];
  /** Ids of the records that it replaces. */
  readonly replaces?: readonly string[];
  /** Where it comes from, if not from this project's private memory: the user's own memory, or the repository, which anyone who can push may write. */
  readonly from?: 'user' | 'repository';
}

/** A reference to a message of a session or a document, to be looked up. */
export interface Pointer {
  readonly id: string;
  readonly what: string;
  readonly at: string;
  readonly passage: string;
}

const SHORT = 220;
const LONG = 900;
const FILES_NAMED = 3;

/** Only the day, because a text that changes during the day would invalidate the client's prompt cache. */
const dayOf = (instant: string): string => plain(instant.slice(0, 10));

function notesOf({ stale = [], replaces = [] }: RecallEntry): string {
  const files = stale.slice(0, FILES_NAMED).map((file) => cut(plain(file), 80));
  const more = stale.length > FILES_NAMED ? ` and ${stale.length - FILES_NAMED} more` : '';
  return [
    ...(stale.length > 0 ? [` [may be outdated: ${files.join(', ')}${more} changed since]`] : []),
    ...(replaces.length > 0 ? [` [replaces ${replaces.slice(0, FILES_NAMED).map(plain).join(', ')}]`] : []),
  ].join('');
}

/** Title and text, without repeating one that contains the other. */
export function titleAndText(title: string, gist: string): string {
  const [head, body] = [plain(withoutLabels(title)), plain(gist)];
  const [short, long] = [(head.endsWith('…') ? head.slice(0, -1) : head).toLowerCase(), body.toLowerCase()];
  if (short.includes(long)) return head;
  return long.startsWith(short) ? body : `${head}: ${body}`;
}

export const originLabel = (from: RecallEntry['from']): string => (from === undefined ? '' : from === 'user' ? 'yours, ' : 'from the repository, ');

/** The line of a record: always its id, date, trust and warnings, then as much of its text as there is room for. */
export function recallLine(entry: RecallEntry): BlockLine {
  const head = `- ${plain(entry.shortId ?? entry.id)} (${entry.category === undefined || entry.shortId === undefined ? '' : `${entry.category}, `}${dayOf(entry.updatedAt)}, ${originLabel(entry.from)}${entry.trust})${notesOf(entry)}: `;
  const text = titleAndText(entry.title, entry.gist);
  const detail = plain(entry.detail ?? '');
  const forms = [
    cut(text, SHORT),
    cut(text, LONG),
    cut(detail === '' ? text : `${text}${text !== '' && '.!?…'.includes(text.slice(-1)) ? '' : '.'} ${detail}`, LONG),
  ];
  const [short = '', ...longer] = [...new Set(forms)];
  return { id: entry.id, forms: [head + short, ...longer.map((form) => head + form)] };
}

export function pointerLine({ id, what, at, passage }: Pointer): BlockLine {
  return { id, forms: [`- ${plain(what)} ${plain(id)} (${dayOf(at)}): ${cut(plain(passage), SHORT)}`] };
}
