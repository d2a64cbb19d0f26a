import { utcSeconds } from '../../../core/instant.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Bearings, LayerText } from '../bearings.ts';
import type { BriefItem } from './piece.ts';
import { linesSaid } from './state.ts';

const SHORT = 400;
const LONG = 1_600;

/** Instructions and MEMORY.md, the newest of it first as it stands there: the user's own for all projects, then the project's, which count for more. */
export const memoryFileItems = ({ layer }: Bearings): readonly BriefItem[] => [
  // The client reads CLAUDE.md in the home and in the project by itself; but not the one in the project's folder of the home.
  ...piece(layer('CLAUDE.md'), 'CLAUDE', 'Instructions for this project', 5),
  ...piece(layer('MEMORY.md'), 'MEMORY', 'For all projects', 7, 'home/MEMORY'),
  ...piece(layer('memory/MEMORY.md'), 'memory/MEMORY', 'For this project', 6),
];

function piece(file: LayerText | undefined, name: string, label: string, rank: number, id = name): BriefItem[] {
  const said = plain(linesSaid(file?.text ?? '').join('; '));
  if (!file || said === '') return [];
  const head = `- ${label} (${name}): `;
  return [
    {
      line: { id, section: '## MEMORY.md', rank, forms: [head + cut(said, SHORT), head + cut(said, LONG)] },
      title: name,
      updatedAt: utcSeconds(file.mtimeMs),
      reason: 'loaded at every start',
    },
  ];
}
