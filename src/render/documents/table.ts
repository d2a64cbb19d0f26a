import { tableHead, tableRow } from '../views/row.ts';

/** A table that people may edit too: columns go by their names, and rows and columns that are not asked for stay as they are. */
export interface Table {
  /** Lines before and after the table. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type TableRow = Readonly<Record<string, string>>;

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);
const isRule = (line: string): boolean => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line);
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));

/** The first table of a text; without one, an empty table with these columns after the text. */
export function parseTable(text: string, columns: readonly string[]): Table {
  const lines = text.split(/\r?\n/);
  const rule = lines.findIndex((line, at) => isRule(line) && at > 0 && isRow(lines[at - 1] ?? ''));
  if (rule < 0) return { before: trimEnd(lines), after: [], columns, rows: [] };
  let end = rule + 1;
  while (end < lines.length && isRow(lines[end] ?? '')) end += 1;
  return { before: lines.slice(0, rule - 1), after: lines.slice(end), columns: cellsOf(lines[rule - 1] ?? ''), rows: lines.slice(rule + 1, end).map(cellsOf) };
}

const trimEnd = (lines: readonly string[]): string[] => lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);

const columnAt = (table: Table, name: string): number => table.columns.findIndex((column) => column.toLowerCase() === name.toLowerCase());

/** The rows by the names of their columns. */
export const rowsOf = (table: Table, names: readonly string[]): TableRow[] =>
  table.rows.map((row) => Object.fromEntries(names.map((name) => [name, row[columnAt(table, name)] ?? ''])));

/** Puts values into the row that fits, or adds one; columns that are missing are added at the right. */
export function putRow(table: Table, fits: (row: TableRow) => boolean, values: TableRow): Table {
  const names = Object.keys(values);
  const columns = [...table.columns, ...names.filter((name) => columnAt(table, name) < 0)];
  const wide = { ...table, columns, rows: table.rows.map((row) => columns.map((_column, at) => row[at] ?? '')) };
  const filled = (row: readonly string[]): string[] => {
    const next = [...row];
    for (const name of names) next[columnAt(wide, name)] = values[name] ?? '';
    return next;
  };
  const at = rowsOf(wide, columns).findIndex(fits);
  if (at < 0) return { ...wide, rows: [...wide.rows, filled(columns.map(() => ''))] };
  return { ...wide, rows: wide.rows.map((row, index) => (index === at ? filled(row) : row)) };
}

export function dropRows(table: Table, fits: (row: TableRow) => boolean): Table {
  const named = rowsOf(table, table.columns);
  return { ...table, rows: table.rows.filter((_row, at) => !fits(named[at] ?? {})) };
}

/** The text around the table with the table in it; a table without rows leaves no trace. */
export function renderTable({ before, after, columns, rows }: Table): string {
  const gap = before.length > 0 && (before.at(-1) ?? '').trim() !== '' ? [''] : [];
  const table = rows.length === 0 ? [] : [...gap, ...tableHead(columns), ...rows.map((row) => tableRow(row.map((cell) => (cell === '' ? ' ' : cell))))];
  return [...before, ...table, ...after].join('\n');
}
