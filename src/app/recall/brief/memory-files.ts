import { utcSeconds } from '../../../core/instant.ts';
import type { Place } from '../../../core/ports/store.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Bearings } from '../bearings.ts';
import type { Piece } from './piece.ts';
import { linesSaid } from './state.ts';

const SHORT = 400;
const LONG = 1_600;

/** What MEMORY.md says, the newest of it first as it stands there: the user's own for all projects, then the project's, which counts for more. */
export async function memoryFilePieces(memory: Memory, { user }: Bearings): Promise<readonly Piece[]> {
  return [
    ...(user ? await piece(user, { root: 'home', path: 'MEMORY.md' }, 'For all projects', 7) : []),
    ...(await piece(memory, { root: 'private', path: 'memory/MEMORY.md' }, 'For this project', 6)),
  ];
}

async function piece(memory: Memory, place: Place, label: string, rank: number): Promise<Piece[]> {
  if (!memory.store.roots.includes(place.root)) return [];
  const file = await memory.store.read(place);
  const said = plain(linesSaid(file?.text ?? '').join('; '));
  if (!file || said === '') return [];
  const id = place.path.replace(/\.md$/, '');
  const head = `- ${label} (${id}): `;
  return [
    {
      line: { id: place.root === 'home' ? `home/${id}` : id, section: '## MEMORY.md', rank, forms: [head + cut(said, SHORT), head + cut(said, LONG)] },
      title: 'MEMORY.md',
      updatedAt: utcSeconds(file.mtimeMs),
      reason: 'loaded at every start',
    },
  ];
}
