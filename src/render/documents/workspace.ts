import { sectionBody, splitSections, withSection } from './sections.ts';
import { dropRows, parseTable, putRow, renderTable, rowsOf, type TableRow } from './table.ts';

/** A repository on the map. */
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

/** What the map says, whoever wrote it. */
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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether a project is on the map in any form, a list or a sentence written by hand included. */
export function isListed(source: string, key: string, path: string): boolean {
  const { projects } = parseWorkspace(source);
  if (projects.some((row) => same(row.project, key) || (path !== '' && row.path === path))) return true;
  const { head, sections } = splitSections(source.replace(/<!--[\s\S]*?-->/g, ''));
  const others = sections.filter(({ title }) => !same(title, SECTIONS.relationships) && !same(title, SECTIONS.initiatives));
  const registry = [head, ...others.map(({ body }) => body)].join('\n');
  // A key is often an everyday word: it counts where an entry begins, not in the middle of a sentence.
  const entry = new RegExp(String.raw`^\s*(?:[-*+]|\d+[.)]|#{3,}|\|)\s*[*_\`[]*${escaped(key)}(?![\w./-])`, 'im');
  return entry.test(registry) || (path !== '' && new RegExp(String.raw`${escaped(path)}(?![\w./-])`).test(registry));
}

function editTable(source: string, name: TableName, edit: (table: ReturnType<typeof parseTable>) => ReturnType<typeof parseTable>): string {
  return withSection(source, SECTIONS[name], (body) => renderTable(edit(parseTable(body, COLUMNS[name]))));
}

/** Values that were given; the others stay as they are. */
const given = (values: Readonly<Record<string, string | undefined>>): TableRow =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

export function putProject(source: string, key: string, values: Partial<Omit<MappedProject, 'project'>>, reference: string): string {
  const listed = editTable(source, 'projects', (table) =>
    putRow(table, (row) => same(row['Project'], key), given({ Project: key, Path: values.path, Description: values.description, Status: values.status })),
  );
  const line = `- ${key} → ${reference}`;
  return withSection(listed, SECTIONS.reference, (body) =>
    body.split(/\r?\n/).includes(line) ? body : `${body.replace(/\s+$/, '')}\n${line}\n`.replace(/^\n/, ''),
  );
}

/** Takes a project off the map, and with it how it relates to others. */
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
    putRow(table, (row) => joins(row, from, to) && same(row['Relation'], relation), given({ From: from, Relation: relation, To: to, Note: note })),
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
      given({ Initiative: initiative, Projects: projects?.join(', '), Status: status, Updated: updated, Note: note }),
    ),
  );

export const dropInitiative = (source: string, initiative: string): string =>
  editTable(source, 'initiatives', (table) => dropRows(table, (row) => same(row['Initiative'], initiative)));
