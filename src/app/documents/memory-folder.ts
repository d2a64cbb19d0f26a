import { ok } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import type { Author } from '../write/transaction.ts';
import { writeDocument } from './write.ts';

const PLACE = { root: 'folder', path: 'ARCHITECTURE.md' } as const;

const TEXT = `# This folder is the project's memory

- \`conversations/{session-id}.md\`: one summary for each conversation, named by its session. \`holdfast summarize\` writes it, and brings it up to date when
  the conversation went on. Nothing here is deleted by a synthesis.
- \`master.md\`: what all conversations say about the project, by theme. \`holdfast synthesize\` makes it anew from what is here, the documents, the
  commits and the code.
- \`holdfast recall\` reads \`master.md\`; \`holdfast search\` finds what any of these files say.

These are plain files: read, edit and commit them. \`holdfast migrate\` moves them into the memory of the home.
`;

/** A \`_memory/\` says what it is; what the user wrote there stays. */
export async function explainFolder(memory: Memory, author: Author): Promise<void> {
  if ((await memory.store.stat(PLACE)) === undefined) await writeDocument(memory, { ...author, place: PLACE, edit: (text) => ok(text ?? TEXT) });
}
