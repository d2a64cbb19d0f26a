import { epochOf } from '../../../core/instant.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SkippedItem, SourceItem, SourceContents } from '../source.ts';
import { draftOf, readNote, remaining, tagsOf, textField } from './note.ts';

const KNOWN = ['title', 'tags'];
const OBSERVATION = /^\s*[-*]\s+\[([^\]\n]+)\]\s+(?!\()(.+)$/gm;
const CHECKBOX = /^[ xX-]$/;

/** Notes with observations and relations: each stays one note, whole, with its observations as findings. */
export function readBasicMemory(files: readonly SourceFile[]): SourceContents {
  const items: SourceItem[] = [];
  const left: SkippedItem[] = [];
  for (const file of files) {
    if (!file.path.endsWith('.md')) left.push({ what: file.path, why: 'is not a note' });
    else items.push(note(file));
  }
  return { items, left };
}

/** Its notes carry a permalink; without one, observations and links in its own notation give them away. */
export const isBasicMemory = (files: readonly SourceFile[]): boolean =>
  files.some(
    (file) => file.path.endsWith('.md') && (readNote(file).fields.has('permalink') || (observations(file.text).length > 0 && /\[\[[^\]]+\]\]/.test(file.text))),
  );

const observations = (text: string): string[] =>
  [...text.matchAll(OBSERVATION)]
    .filter(([, category]) => !CHECKBOX.test(category as string))
    .map(([, category, observation]) => `${category}: ${observation}`);

function note(file: SourceFile): SourceItem {
  const { fields, title, body } = readNote(file);
  const rest = remaining(fields, KNOWN);
  const created = ['created', 'created_at', 'date'].map((key) => epochOf(textField(fields.get(key)))).find((at) => at !== undefined);
  const content = {
    path: file.path,
    type: 'component',
    summary: [body, ...(rest.length > 0 ? [rest.join('\n')] : [])].join('\n\n'),
    key_findings: observations(body),
  };
  const tags = tagsOf(fields, textField(fields.get('type')));
  return { from: file.path, category: 'analysis', draft: draftOf({ kind: 'basic-memory', title, at: created ?? file.mtimeMs, tags, content }) };
}
