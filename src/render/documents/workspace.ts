import { tableHead, tableRow } from '../views/row.ts';
import { sectionBody, splitSections, withSection } from './sections.ts';

/** A table that people may edit too: columns are found by name, and unknown rows and columns stay. */
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
function parseTable(text: string, columns: readonly string[]): Table {
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
const rowsOf = (table: Table, names: readonly string[]): TableRow[] =>
  table.rows.map((row) => Object.fromEntries(names.map((name) => [name, row[columnAt(table, name)] ?? ''])));

/** Sets values in the first matching row, or adds a row; missing columns are added at the right. */
function putRow(table: Table, matches: (row: TableRow) => boolean, values: TableRow): Table {
  const names = Object.keys(values);
  const columns = [...table.columns, ...names.filter((name) => columnAt(table, name) < 0)];
  const widened = { ...table, columns, rows: table.rows.map((row) => columns.map((_column, at) => row[at] ?? '')) };
  const withValues = (row: readonly string[]): string[] => {
    const next = [...row];
    for (const name of names) next[columnAt(widened, name)] = values[name] ?? '';
    return next;
  };
  const at = rowsOf(widened, columns).findIndex(matches);
  if (at < 0) return { ...widened, rows: [...widened.rows, withValues(columns.map(() => ''))] };
  return { ...widened, rows: widened.rows.map((row, index) => (index === at ? withValues(row) : row)) };
}

function dropRows(table: Table, matches: (row: TableRow) => boolean): Table {
  const rowsByName = rowsOf(table, table.columns);
  return { ...table, rows: table.rows.filter((_row, at) => !matches(rowsByName[at] ?? {})) };
}

/** The text with its table; a table without rows is left out. */
function renderTable({ before, after, columns, rows }: Table): string {
  const gap = before.length > 0 && (before.at(-1) ?? '').trim() !== '' ? [''] : [];
  const table = rows.length === 0 ? [] : [...gap, ...tableHead(columns), ...rows.map((row) => tableRow(row.map((cell) => (cell === '' ? ' ' : cell))))];
  return [...before, ...table, ...after].join('\n');
}

/** A project on the map. */
export interface MappedProject {
  readonly project: string;
  readonly path: string;
  readonly description: string;
  readonly status: string;
}

export interface Relationship {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly note: string;
}

export interface Initiative {
  readonly initiative: string;
  readonly projects: readonly string[];
  readonly status: string;
  readonly updated: string;
  readonly note: string;
}

export interface WorkspaceMap {
  readonly projects: readonly MappedProject[];
  readonly relationships: readonly Relationship[];
  readonly initiatives: readonly Initiative[];
  readonly reference: readonly string[];
}

const SECTIONS = { projects: 'Projects', relationships: 'Relationships', initiatives: 'Current Initiatives', reference: 'Quick Reference' } as const;
const COLUMNS = {
  projects: ['Project', 'Path', 'Description', 'Status'],
  relationships: ['From', 'Relation', 'To', 'Note'],
  initiatives: ['Initiative', 'Projects', 'Status', 'Updated', 'Note'],
} as const;
type TableName = keyof typeof COLUMNS;

export const EMPTY_WORKSPACE = `# Workspace

<!-- The map of your projects. holdfast workspace edits the tables; edits by hand are kept, and so is everything else in this file. -->

## ${SECTIONS.projects}

## ${SECTIONS.relationships}

## ${SECTIONS.initiatives}

## ${SECTIONS.reference}
`;

const same = (a: string | undefined, b: string): boolean => (a ?? '').trim().toLowerCase() === b.trim().toLowerCase();

const rows = (source: string, name: TableName): TableRow[] => rowsOf(parseTable(sectionBody(source, SECTIONS[name]) ?? '', COLUMNS[name]), COLUMNS[name]);

/** The content of the map, also if it was written by hand. */
export function parseWorkspace(source: string): WorkspaceMap {
  return {
    projects: rows(source, 'projects').map((row) => ({
      project: row['Project'] ?? '',
      path: row['Path'] ?? '',
      description: row['Description'] ?? '',
      status: row['Status'] ?? '',
    })),
    relationships: rows(source, 'relationships').map((row) => ({
      from: row['From'] ?? '',
      relation: row['Relation'] ?? '',
      to: row['To'] ?? '',
      note: row['Note'] ?? '',
    })),
    initiatives: rows(source, 'initiatives').map((row) => ({
      initiative: row['Initiative'] ?? '',
      projects: (row['Projects'] ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      status: row['Status'] ?? '',
      updated: row['Updated'] ?? '',
      note: row['Note'] ?? '',
    })),
    reference: (sectionBody(source, SECTIONS.reference) ?? '').split(/\r?\n/).filter((line) => /^\s*[-*]\s/.test(line)),
  };
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether a project is on the map, be it only in a list or sentence written by hand. */
export function isListed(source: string, key: string, path: string): boolean {
  const { projects } = parseWorkspace(source);
  if (projects.some((row) => same(row.project, key) || (path !== '' && row.path === path))) return true;
  const { head, sections } = splitSections(source.replace(/<!--[\s\S]*?-->/g, ''));
  const others = sections.filter(({ title }) => !same(title, SECTIONS.relationships) && !same(title, SECTIONS.initiatives));
  const registry = [head, ...others.map(({ body }) => body)].join('\n');
  // A key is often a common word, so it counts only at the start of an entry.
  const entry = new RegExp(String.raw`^\s*(?:[-*+]|\d+[.)]|#{3,}|\|)\s*[*_\`[]*${escapePattern(key)}(?![\w./-])`, 'im');
  return entry.test(registry) || (path !== '' && new RegExp(String.raw`${escapePattern(path)}(?![\w./-])`).test(registry));
}

function editTable(source: string, name: TableName, edit: (table: ReturnType<typeof parseTable>) => ReturnType<typeof parseTable>): string {
  return withSection(source, SECTIONS[name], (body) => renderTable(edit(parseTable(body, COLUMNS[name]))));
}

/** Values that are not undefined; the others stay unchanged. */
const defined = (values: Readonly<Record<string, string | undefined>>): TableRow =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

export function putProject(source: string, key: string, values: Partial<Omit<MappedProject, 'project'>>, reference: string): string {
  const listed = editTable(source, 'projects', (table) =>
    putRow(table, (row) => same(row['Project'], key), defined({ Project: key, Path: values.path, Description: values.description, Status: values.status })),
  );
  const line = `- ${key} → ${reference}`;
  return withSection(listed, SECTIONS.reference, (body) =>
    body.split(/\r?\n/).includes(line) ? body : `${body.replace(/\s+$/, '')}\n${line}\n`.replace(/^\n/, ''),
  );
}

/** Removes a project and its relationships from the map. */
export function dropProject(source: string, key: string): string {
  const unlisted = editTable(source, 'projects', (table) => dropRows(table, (row) => same(row['Project'], key)));
  const dropped = editTable(unlisted, 'relationships', (table) => dropRows(table, (row) => same(row['From'], key) || same(row['To'], key)));
  return withSection(dropped, SECTIONS.reference, (body) =>
    body
      .split(/(?<=\n)/)
      .filter((line) => !line.startsWith(`- ${key} → `))
      .join(''),
  );
}

const joins = (row: TableRow, from: string, to: string): boolean => same(row['From'], from) && same(row['To'], to);

export const putRelationship = (source: string, { from, relation, to, note }: Omit<Relationship, 'note'> & { readonly note?: string | undefined }): string =>
  editTable(source, 'relationships', (table) =>
    putRow(table, (row) => joins(row, from, to) && same(row['Relation'], relation), defined({ From: from, Relation: relation, To: to, Note: note })),
  );

export const dropRelationship = (source: string, from: string, to: string): string =>
  editTable(source, 'relationships', (table) => dropRows(table, (row) => joins(row, from, to)));

export interface InitiativeChange {
  readonly initiative: string;
  readonly projects?: readonly string[] | undefined;
  readonly status?: string | undefined;
  readonly note?: string | undefined;
  readonly updated: string;
}

export const putInitiative = (source: string, { initiative, projects, status, note, updated }: InitiativeChange): string =>
  editTable(source, 'initiatives', (table) =>
    putRow(
      table,
      (row) => same(row['Initiative'], initiative),
      defined({ Initiative: initiative, Projects: projects?.join(', '), Status: status, Updated: updated, Note: note }),
    ),
  );

export const dropInitiative = (source: string, initiative: string): string =>
  editTable(source, 'initiatives', (table) => dropRows(table, (row) => same(row['Initiative'], initiative)));
