import type { Category } from '../../../core/record/category.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SkippedItem, SourceItem, SourceContents } from '../source.ts';
import { draftOf, readNote, remaining, tagsOf, textField, type SourceNote } from './note.ts';

const KNOWN = ['name', 'title', 'tags'];

/** The client's own notes: its index is kept as a document, each topic becomes a record by what it says it is. */
export function readAutoMemory(files: readonly SourceFile[]): SourceContents {
  const items: SourceItem[] = [];
  const left: SkippedItem[] = [];
  for (const file of files) {
    if (!/^[^/]+\.md$/.test(file.path)) left.push({ what: file.path, why: 'is not a note' });
    else if (file.path === 'MEMORY.md') items.push({ from: file.path, path: 'memory/auto-memory.md', text: file.text });
    else items.push(topic(file));
  }
  return { items, left };
}

const typeOf = (fields: SourceNote['fields']): string => {
  const metadata = fields.get('metadata');
  const inner = metadata !== null && typeof metadata === 'object' ? (metadata as Record<string, unknown>)['type'] : undefined;
  return (textField(fields.get('type')) ?? textField(inner) ?? 'note').toLowerCase();
};

function topic(file: SourceFile): SourceItem {
  const note = readNote(file);
  const type = typeOf(note.fields);
  const body = [note.body, ...remaining(note.fields, KNOWN)].filter((line) => line !== '').join('\n\n');
  const asPreference = type === 'feedback' || type === 'user';
  const category: Category = asPreference ? 'preference' : 'analysis';
  const content = asPreference
    ? { topic: note.title, value: body, reason: 'Noted by the coding agent', strength: 'default' }
    : { path: file.path, type: 'component', summary: body };
  const draft = draftOf({ kind: 'auto-memory', title: note.title, at: file.mtimeMs, tags: tagsOf(note.fields, type), content });
  return { from: file.path, category, draft };
}
