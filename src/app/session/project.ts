import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { renderProject, type ProjectChange } from '../../render/documents/project.ts';
import { DOCUMENTS } from '../documents/places.ts';
import { writeDocument, type WrittenDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import type { Author } from '../write/transaction.ts';

/** Says what the project is and what one's role in it is; the document is begun if it is not there. */
export async function describeProject(memory: Memory, change: ProjectChange, author: Author): Promise<Result<WrittenDocument>> {
  const empty = Object.entries(change.sections).find(([, text]) => text.trim() === '');
  if (empty) return refuse('USAGE_ERROR', `--${empty[0]} is empty`);
  const facts = { key: memory.key, path: memory.projectPath ?? '', now: utcSeconds(memory.now()) };
  return writeDocument(memory, { ...author, place: DOCUMENTS.project, edit: (source) => ok(renderProject(source, facts, change)) });
}
