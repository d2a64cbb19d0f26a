import { isCategory, type Category } from '../../core/record/category.ts';
import { oneLine, type IndexRow } from './row.ts';

const HEADER = '<!-- Every active record, one a line. Rendered from the records by holdfast; what is written here by hand is lost. -->';
const ARROW = ' -> ';
const TAGS = ' #tags:';

export interface IndexEntry {
  readonly category: Category;
  readonly title: string;
  /** Path inside the root. */
  readonly path: string;
  readonly tags: readonly string[];
}

/** A text that cannot pass for the path or the tags of its line. */
function harmless(text: string): string {
  let clean = text;
  while (/#tags:/i.test(clean)) clean = clean.replace(/#tags:/gi, '');
  return oneLine(clean).replace(/(^| )->(?= |$)/g, '$1-');
}

function lineOf({ category, title, path, tags }: IndexRow, prefix: string): string {
  const words = tags.map((tag) => harmless(tag.replaceAll(',', ' '))).filter((tag) => tag !== '');
  return `- [${(category ?? '').toUpperCase()}] ${harmless(title) || 'untitled'}${ARROW}${prefix}${oneLine(path)}${words.length === 0 ? '' : TAGS + words.join(',')}`;
}

const folded = (line: string): string => line.toLowerCase();

/** `index.md`: all active records, a shared one with the path that `prefixOf` puts before it. Documents have no line. */
export function renderActiveIndex<R extends IndexRow>(rows: readonly R[], prefixOf: (row: R) => string): string {
  const lines = rows.filter(({ category }) => category !== undefined).map((row) => lineOf(row, prefixOf(row)));
  const sorted = lines.toSorted((a, b) => (folded(a) < folded(b) ? -1 : folded(a) > folded(b) ? 1 : a < b ? -1 : a > b ? 1 : 0));
  return `${[HEADER, ...sorted].join('\n')}\n`;
}

/** Reads one line; undefined when it is not an entry. */
function parseIndexLine(line: string, prefix: string): IndexEntry | undefined {
  const [, label = '', rest = ''] = /^- \[([A-Za-z_]+)\] (.*)$/s.exec(line.trimEnd()) ?? [];
  const category = label.toLowerCase();
  const arrow = rest.indexOf(ARROW);
  if (!isCategory(category) || arrow < 0) return undefined;
  const target = rest.slice(arrow + ARROW.length);
  const mark = target.lastIndexOf(TAGS);
  const path = (mark < 0 ? target : target.slice(0, mark)).trim();
  const tags =
    mark < 0
      ? []
      : target
          .slice(mark + TAGS.length)
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== '');
  return path === '' ? undefined : { category, title: rest.slice(0, arrow).trim(), path: path.startsWith(prefix) ? path.slice(prefix.length) : path, tags };
}

/** The entries of an `index.md`, whoever wrote it. */
export const parseActiveIndex = (text: string, prefix: string): IndexEntry[] => text.split(/\r?\n/).flatMap((line) => parseIndexLine(line, prefix) ?? []);
