import { epochOf } from '../../core/instant.ts';
import type { Category } from '../../core/record/category.ts';

/** The fields of an index item that a view shows. */
export interface IndexRow {
  /** Absent for a document, which is labelled by its folder. */
  readonly category?: Category;
  /** Path inside the root, with forward slashes. */
  readonly path: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly updatedAt: string;
}

const LABELS: Readonly<Record<Category, string>> = {
  session_summary: 'Session',
  decision: 'Decision',
  runbook: 'Runbook',
  constraint: 'Constraint',
  tech_debt: 'TechDebt',
  preference: 'Preference',
  analysis: 'Analysis',
  subagent_report: 'SubAgent',
};

const FOLDER_LABELS = new Map(Object.entries({ context: 'Context', progress: 'Progress' }));

export const labelOf = ({ category, path }: IndexRow): string => (category ? LABELS[category] : (FOLDER_LABELS.get(path.split('/')[0] ?? '') ?? 'Document'));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Newest first; files of the same instant by path, the last first, because files of one day are numbered. */
export const newestFirst = <R extends IndexRow>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (epochOf(b.updatedAt) ?? 0) - (epochOf(a.updatedAt) ?? 0) || compare(b.updatedAt, a.updatedAt) || compare(b.path, a.path));

/** One line without text that could be read as the structure of the view. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll('<!--', '<! --')
    .trim();

/** A table's cell, with its bars escaped. */
const cell = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`);

export const tableRow = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export const tableHead = (names: readonly string[]): string[] => [
  `| ${names.join(' | ')} |`,
  `|${names.map((name) => '-'.repeat(name.length + 2)).join('|')}|`,
];
