import { categoryOfFolder } from '../../../core/record/category.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SourceFileItem, SkippedItem, SourceContents } from '../source.ts';

const WHY: Readonly<Record<string, string>> = {
  'index.md': 'is made again from the records',
  'memory-config.json': 'holds settings: holdfast config sets them here',
};

const isRecord = (path: string): boolean => /^[^/]+\/[^/]+\.json$/.test(path) && categoryOfFolder(path.split('/')[0] ?? '') !== undefined;

/** Whether a folder holds records as JSON files, a folder for each category. */
export const isJsonStore = (files: readonly SourceFile[]): boolean => files.some(({ path }) => isRecord(path));

/** A store of JSON records that lies somewhere else: every record word for word, since a JSON file is as good a record. */
export function readJsonStore(files: readonly SourceFile[]): SourceContents {
  const items: SourceFileItem[] = [];
  const left: SkippedItem[] = [];
  for (const { path, text } of files) {
    if (isRecord(path) || /^[^/]+\/[^/]+\.md$/.test(path)) items.push({ from: path, path, text });
    else left.push({ what: path, why: WHY[path] ?? 'has no place in a memory' });
  }
  return { items, left };
}
