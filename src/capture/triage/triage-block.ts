import { neutral } from './context.ts';
import { TRIAGED } from '../../core/config/categories.ts';
import type { TriageCategory } from './settings.ts';
import type { TriageResult } from './triage.ts';

/** A category that fired, in the form that a Stop hook passes to the agent. */
export interface TriageDatum {
  readonly category: TriageCategory;
  readonly score: number;
  /** Missing if the file could not be written; the category is then skipped. */
  readonly context_file?: string;
}

/** The `<triage_data>` block of the categories that fired; empty if none did. */
export function triageBlock(result: TriageResult, contextFiles: Readonly<Partial<Record<TriageCategory, string>>>): string {
  const fired: TriageDatum[] = result.categories
    .filter((category) => category.fired)
    .map(({ category, score }) => {
      const file = contextFiles[category];
      return { category, score, ...(file === undefined ? {} : { context_file: file }) };
    });
  return fired.length === 0 ? '' : `<triage_data>\n${neutral(JSON.stringify({ categories: fired }))}\n</triage_data>`;
}

const isTriaged = (name: unknown): name is TriageCategory => (TRIAGED as readonly unknown[]).includes(name);

/** Reads the block from a hook's output, without unknown categories. */
export function parseTriageBlock(text: string): readonly TriageDatum[] {
  const json = /<triage_data>([\s\S]*?)<\/triage_data>/.exec(text)?.[1];
  if (json === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  const listed: unknown = value !== null && typeof value === 'object' && 'categories' in value ? value.categories : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry: unknown) => {
    if (entry === null || typeof entry !== 'object' || !('category' in entry) || !isTriaged(entry.category)) return [];
    const score = 'score' in entry && typeof entry.score === 'number' ? entry.score : 0;
    const file = 'context_file' in entry && typeof entry.context_file === 'string' ? { context_file: entry.context_file } : {};
    return [{ category: entry.category, score, ...file }];
  });
}
