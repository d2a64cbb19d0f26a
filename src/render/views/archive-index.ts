import { epochOf } from '../../core/instant.ts';
import { oneLine, tableHead, tableRow, labelOf, newestFirst, type IndexRow } from './row.ts';
import { RECENT_ROWS } from './recent-index.ts';

export interface ArchivedSession {
  readonly started: string;
  readonly ended: string;
}

export interface ArchivedRow extends IndexRow {
  readonly archivedAt: string;
}

/**
 * The rows that no longer fit `_index.md`, newest first. A row left `_index.md` when the twentieth newer one was added, so that row's date counts. It follows
 * from the rows alone, so that a rebuild writes the same file.
 */
export function archivedRows(rows: readonly IndexRow[]): ArchivedRow[] {
  const sorted = newestFirst(rows);
  return sorted.slice(RECENT_ROWS).map((row, at) => ({ ...row, archivedAt: sorted[at]?.updatedAt ?? row.updatedAt }));
}

const isDuring = (instant: string, { started, ended }: ArchivedSession): boolean => {
  const at = epochOf(instant) ?? 0;
  return at >= (epochOf(started) ?? 0) && at <= (epochOf(ended) ?? 0);
};

/** `_index-archive.md`: past sessions with the number of entries each moved out of `_index.md`, and those entries. */
export function renderArchiveIndex(key: string, sessions: readonly ArchivedSession[], rows: readonly IndexRow[]): string {
  const archived = archivedRows(rows);
  const inOrder = sessions.toSorted((a, b) => (epochOf(a.started) ?? 0) - (epochOf(b.started) ?? 0) || (a.ended < b.ended ? -1 : 1));
  return [
    `# Memory Index Archive: ${oneLine(key)}`,
    '',
    '## Archived Sessions',
    ...tableHead(['Session Started', 'Session Ended', 'Entries Archived']),
    ...inOrder.map((session) => tableRow([session.started, session.ended, String(archived.filter((row) => isDuring(row.archivedAt, session)).length)])),
    '',
    '## Archived Entries',
    ...tableHead(['Category', 'File', 'Updated', 'Summary', 'Archived']),
    ...archived.map((row) => tableRow([labelOf(row), row.path, row.updatedAt, row.title, row.archivedAt])),
    '',
  ].join('\n');
}
