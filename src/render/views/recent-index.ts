import { oneLine, tableHead, tableRow, labelOf, newestFirst, type IndexRow } from './row.ts';

/** Rows that `_index.md` shows; the older ones are in `_index-archive.md`. */
export const RECENT_ROWS = 20;
const TOPICS = 10;

/** What the project is at, for the head of `_index.md`. */
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

/** The tags that most records carry, each with its newest file; `rows` are newest first. */
function topics(rows: readonly IndexRow[]): string[] {
  const found = new Map<string, { count: number; path: string }>();
  for (const { tags, path } of rows) {
    for (const tag of new Set(tags.map(oneLine))) {
      const topic = found.get(tag) ?? { count: 0, path };
      found.set(tag, { ...topic, count: topic.count + 1 });
    }
  }
  found.delete('untagged');
  return [...found]
    .toSorted(([a, { count: inA }], [b, { count: inB }]) => inB - inA || (a < b ? -1 : 1))
    .slice(0, TOPICS)
    .map(([tag, { path }]) => `- ${tag} → ${oneLine(path)}`);
}

const said = (text: string | undefined): string => oneLine(text ?? '') || 'None';

/** `_index.md`: where the project stands and its newest files. Rows are the active records and documents. */
export function renderRecentIndex(state: ViewState, rows: readonly IndexRow[]): string {
  const sorted = newestFirst(rows);
  return [
    `# Memory Index: ${oneLine(state.key)}`,
    `Session: ${said(state.session)}`,
    `Status: ${state.active ? 'ACTIVE' : 'INACTIVE'}`,
    `Path: ${oneLine(state.path)}`,
    '',
    '## Current State',
    `- **Task**: ${said(state.task)}`,
    `- **Progress**: ${said(state.progress)}`,
    `- **Active Blocker**: ${said(state.blocker)}`,
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
