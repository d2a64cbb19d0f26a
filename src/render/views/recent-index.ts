import { oneLine, tableHead, tableRow, labelOf, newestFirst, type IndexRow } from './row.ts';
import { isCategory, type Category } from '../../core/record/category.ts';

/** The number of rows in `_index.md`; older ones are in `_index-archive.md`. */
export const RECENT_ROWS = 20;
const TOPICS = 10;

/** The state of the project, for the head of `_index.md`. */
export interface ViewState {
  readonly key: string;
  readonly path: string;
  /** When the session started; absent before the first. */
  readonly session?: string;
  readonly active: boolean;
  readonly task?: string;
  /** `X/Y` or a percentage. */
  readonly progress?: string;
  readonly blocker?: string;
}

const FIXED_LOOKUP = ['- Current task → context/current-task.md', '- Blockers → context/blockers.md', '- Sub-agent outputs → subagent/'];

/** The most frequent tags, each with its newest file; `rows` are newest first. */
function topics(rows: readonly IndexRow[]): string[] {
  const topicByTag = new Map<string, { count: number; path: string }>();
  for (const { tags, path } of rows) {
    for (const tag of new Set(tags.map(oneLine))) {
      const topic = topicByTag.get(tag) ?? { count: 0, path };
      topicByTag.set(tag, { ...topic, count: topic.count + 1 });
    }
  }
  topicByTag.delete('untagged');
  return [...topicByTag]
    .toSorted(([a, { count: inA }], [b, { count: inB }]) => inB - inA || (a < b ? -1 : 1))
    .slice(0, TOPICS)
    .map(([tag, { path }]) => `- ${tag} → ${oneLine(path)}`);
}

const textOrNone = (text: string | undefined): string => oneLine(text ?? '') || 'None';

/** `_index.md`: the state of the project and its newest files. Rows are the active records and documents. */
export function renderRecentIndex(state: ViewState, rows: readonly IndexRow[]): string {
  const sorted = newestFirst(rows);
  return [
    `# Memory Index: ${oneLine(state.key)}`,
    `Session: ${textOrNone(state.session)}`,
    `Status: ${state.active ? 'ACTIVE' : 'INACTIVE'}`,
    `Path: ${oneLine(state.path)}`,
    '',
    '## Current State',
    `- **Task**: ${textOrNone(state.task)}`,
    `- **Progress**: ${textOrNone(state.progress)}`,
    `- **Active Blocker**: ${textOrNone(state.blocker)}`,
    '',
    `## Recent Files (Last ${RECENT_ROWS})`,
    ...tableHead(['Category', 'File', 'Updated', 'Summary']),
    ...sorted.slice(0, RECENT_ROWS).map((row) => tableRow([labelOf(row), row.path, row.updatedAt, row.title])),
    '',
    '## Quick Lookup',
    ...topics(sorted),
    ...FIXED_LOOKUP,
    '',
    '<!-- Older entries archived to _index-archive.md -->',
    '',
  ].join('\n');
}

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

/** A text that cannot be read as the path or the tags of its line. */
function withoutSyntax(text: string): string {
  let clean = text;
  while (/#tags:/i.test(clean)) clean = clean.replace(/#tags:/gi, '');
  return oneLine(clean).replace(/(^| )->(?= |$)/g, '$1-');
}

function lineOf({ category, title, path, tags }: IndexRow, prefix: string): string {
  const words = tags.map((tag) => withoutSyntax(tag.replaceAll(',', ' '))).filter((tag) => tag !== '');
  return `- [${(category ?? '').toUpperCase()}] ${withoutSyntax(title) || 'untitled'}${ARROW}${prefix}${oneLine(path)}${words.length === 0 ? '' : TAGS + words.join(',')}`;
}

const folded = (line: string): string => line.toLowerCase();

/** `index.md`: all active records; `prefixOf` gives the folder before a row's path. Documents have no line. */
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

/** The entries of an `index.md`, which may have manual edits. */
export const parseActiveIndex = (text: string, prefix: string): IndexEntry[] => text.split(/\r?\n/).flatMap((line) => parseIndexLine(line, prefix) ?? []);
