import { readFrontMatter } from '../../../render/front-matter/read.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';

/** A Markdown note with what its front matter says; front matter that cannot be read stays part of the text. */
export interface SourceNote {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly title: string;
  readonly body: string;
}

const FENCED = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export const textField = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

export function readNote({ path, text }: SourceFile): SourceNote {
  const fenced = FENCED.exec(text);
  const read = fenced ? readFrontMatter(fenced[1] as string, 2) : undefined;
  const fields = read?.ok ? read.value : new Map<string, unknown>();
  const body = (read?.ok && fenced ? text.slice(fenced[0].length) : text).trim();
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  return { fields, body, title: textField(fields.get('title')) ?? textField(fields.get('name')) ?? /^#\s+(.+)$/m.exec(body)?.[1]?.trim() ?? stem };
}

/** Tags as people write them: a list, or words between commas. */
export function tagsOf(fields: ReadonlyMap<string, unknown>, ...more: readonly (string | undefined)[]): string[] {
  const given = fields.get('tags');
  const tags = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? given.split(',') : [];
  return [...tags, ...more.filter((tag) => tag !== undefined)];
}

/** What the front matter says beyond the fields that have a place of their own, so that none of it is lost. */
export const remaining = (fields: ReadonlyMap<string, unknown>, known: readonly string[]): string[] =>
  [...fields].filter(([key]) => !known.includes(key)).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
