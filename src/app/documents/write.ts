import { TEXT_CHARACTERS } from '../../core/limits.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';
import type { FieldRedaction } from '../../core/redact/deep.ts';
import { withoutMarkers } from '../../core/record/conflict-markers.ts';
import { checkDocument, checkMerged } from './read.ts';

export interface DocumentEdit {
  readonly place: FileRef;
  /** Makes the next text from the current one; undefined stands for no document. */
  readonly edit: (text: string | undefined) => Result<string | undefined>;
  /** MD5 of the file as the caller read it; the edit is refused if the file has changed since. */
  readonly hash?: string;
}

export interface WrittenDocument {
  readonly status: 'created' | 'updated' | 'removed' | 'unchanged';
  readonly place: FileRef;
  readonly file: string;
  /** As it stands now; empty when it is gone. */
  readonly text: string;
  readonly hash: string;
  readonly warnings: readonly string[];
  readonly redactions: readonly FieldRedaction[];
}

/** Changes a document through the writer: under the lock, without secrets, journalled, indexed. */
export function writeDocument(memory: Memory, request: DocumentEdit & Author): Promise<Result<WrittenDocument>> {
  return writing(memory, request, (write) => editDocument(memory, write, request));
}

/** The same inside a running write, so that several documents change in one action. */
export async function editDocument(memory: Memory, write: Writing, { place, edit, hash }: DocumentEdit): Promise<Result<WrittenDocument>> {
  const allowed = checkDocument(memory, place);
  if (!allowed.ok) return allowed;
  const current = await memory.store.read(place);
  if (!current && (await memory.store.stat(place)))
    return refuse('PATH_ERROR', `${place.path} is a symbolic link, or is behind one.`, {
      hint: 'replace the link by a real file; holdfast does not write through links',
    });
  if (hash !== undefined && hash !== current?.hash)
    return refuse('OCC_CONFLICT', `${place.path} has changed since it was read.`, { hint: 'read it again and repeat the change' });
  const settled = checkMerged(place, current?.text ?? '');
  if (!settled.ok) return settled;
  const next = edit(current?.text);
  if (!next.ok) return next;
  const clean = next.value === undefined ? undefined : redact(withoutMarkers(next.value));
  if (clean && clean.text.length > TEXT_CHARACTERS)
    return refuse('VALIDATION_ERROR', `${place.path} would have ${clean.text.length} characters.`, { hint: `a document may have ${TEXT_CHARACTERS}` });
  const text = clean?.text ?? '';
  const facts = {
    place: { root: place.root, path: place.path },
    file: memory.store.absolute(place),
    text,
    warnings: write.warnings,
    redactions: (clean?.redactions ?? []).map(({ kind, start }) => ({ kind, field: `line ${(next.value ?? '').slice(0, start).split('\n').length}` })),
  };
  // An edit without a change leaves the file as the user wrote it, secrets included.
  if (current?.text === clean?.text || (current && current.text === next.value)) return ok({ ...facts, status: 'unchanged', hash: current?.hash ?? '' });
  const status = clean === undefined ? 'removed' : current ? 'updated' : 'created';
  const entry = await write.apply({
    root: place.root,
    path: place.path,
    op: status === 'created' ? 'create' : 'write',
    id: place.path.replace(/\.md$/, ''),
    ...(clean !== undefined && { text }),
  });
  return ok({ ...facts, status, hash: entry.after ?? '' });
}

const FOLDER_README = { root: 'folder', path: 'ARCHITECTURE.md' } as const;

const FOLDER_README_TEXT = `# This folder is the project's memory

- \`conversations/{session-id}.md\`: one summary for each conversation, named by its session. \`holdfast summarize\` writes it, and brings it up to date when
  the conversation went on. Nothing here is deleted by a synthesis.
- \`master.md\`: what all conversations say about the project, by theme. \`holdfast synthesize\` makes it anew from what is here, the documents, the
  commits and the code.
- \`holdfast recall\` reads \`master.md\`; \`holdfast search\` finds what any of these files say.

These are plain files: read, edit and commit them. \`holdfast migrate\` moves them into the memory of the home.
`;

/** A \`_memory/\` says what it is; what the user wrote there stays. */
export async function explainFolder(memory: Memory, author: Author): Promise<void> {
  if ((await memory.store.stat(FOLDER_README)) === undefined)
    await writeDocument(memory, { ...author, place: FOLDER_README, edit: (text) => ok(text ?? FOLDER_README_TEXT) });
}
