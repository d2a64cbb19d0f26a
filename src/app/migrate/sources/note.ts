import { readFrontMatter } from '../../../render/front-matter/read.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import { utcSeconds } from '../../../core/instant.ts';
import { titleOf } from '../../../core/record/from-text.ts';
import { trustFrom } from '../../../core/trust/trust.ts';
import type { Draft } from '../../../core/record/draft.ts';
import type { SourceKind } from '../source.ts';

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

/** The front matter's other fields, kept as text so that none is lost. */
export const remaining = (fields: ReadonlyMap<string, unknown>, known: readonly string[]): string[] =>
  [...fields].filter(([key]) => !known.includes(key)).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);

export interface Taken {
  readonly kind: SourceKind;
  readonly title: string;
  readonly at: number;
  readonly tags: readonly string[];
  readonly content: object;
  readonly files?: readonly string[];
  readonly sessionId?: string;
}

/** An entry of another memory as an unconfirmed draft. */
export const draftOf = ({ kind, title, at, tags, content, files = [], sessionId }: Taken): Draft => ({
  title: titleOf(title.replaceAll(/\s+/g, ' ').trim() || 'Untitled'),
  created_at: utcSeconds(at),
  updated_at: utcSeconds(at),
  tags: [kind, ...tags],
  related_files: [...new Set(files)],
  confidence: 0.7,
  trust: trustFrom('migration'),
  origin: { channel: 'migration', client: kind, ...(sessionId !== undefined && { session_id: sessionId }) },
  content,
});
