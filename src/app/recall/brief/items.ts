import { hasConflictMarkers } from '../../../core/record/conflict-markers.ts';
import type { BlockLine } from '../../../recall/inject/block.ts';
import type { ItemFacts } from '../../../core/ports/index.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import { redacted } from '../../read/redacted.ts';
import { recordSections } from '../gist.ts';
import { readSettled, type RecallContext, type LayerText } from '../recall-context.ts';
import { utcSeconds } from '../../../core/instant.ts';
import { linesSaid } from './state.ts';

/** A line of the brief with what the log keeps of it. */
export interface BriefItem {
  readonly line: BlockLine & { readonly rank: number };
  readonly title: string;
  readonly updatedAt: string;
  /** Why it is in the brief. */
  readonly reason: string;
}

/** Whether it says something of its own; how to ask for more does not. */
export const isTelling = ({ line }: BriefItem): boolean => line.id !== undefined;

const LINE = 300;

/** What the repository's history tells, for a project that no session has said anything about yet. */
export async function surveyItems(memory: Memory, summaries: readonly ItemFacts[]): Promise<readonly BriefItem[]> {
  if (summaries.length > 0) return [];
  const found = memory.index
    .items({ kind: 'record', category: 'analysis', status: 'active' })
    .find(({ tags, trust }) => tags.includes('survey') && trust !== 'quarantined');
  const file = found && (await readSettled(memory, found));
  if (!found || !file) return [];
  const sections = recordSections(found.path, file.text);
  const [summary, findings] = [
    plain(sections.get('Summary') ?? sections.get('summary') ?? ''),
    plain(sections.get('Key Findings') ?? sections.get('key_findings') ?? ''),
  ];
  const head = `- From the history, analysis/${plain(found.id)}${found.root === 'shared' || found.root === 'folder' ? ' (from the repository)' : ''}: `;
  const short = head + cut(summary, LINE);
  return [
    {
      line: { id: `analysis/${found.id}`, section: '## Current state', rank: 3, forms: [short, `${short} ${cut(findings, LINE * 2)}`] },
      title: found.title,
      updatedAt: found.updatedAt,
      reason: 'no session has been summarised yet',
    },
  ];
}

const SHORT = 400;
const LONG = 1_600;

/** Instructions and MEMORY.md, the newest of it first as it stands there: the user's own for all projects, then the project's, which count for more. */
export const memoryFileItems = async ({ layer }: RecallContext): Promise<readonly BriefItem[]> => [
  // The client reads CLAUDE.md in the home and in the project by itself; but not the one in the project's folder of the home.
  ...(await piece(layer('CLAUDE.md'), 'CLAUDE', 'Instructions for this project', 5)),
  ...(await piece(layer('MEMORY.md'), 'MEMORY', 'For all projects', 7, 'home/MEMORY')),
  ...(await piece(layer('memory/MEMORY.md'), 'memory/MEMORY', 'For this project', 6)),
];

async function piece(file: LayerText | undefined, name: string, label: string, rank: number, id = name): Promise<BriefItem[]> {
  const said = plain(linesSaid(file === undefined || hasConflictMarkers(file.text) ? '' : await redacted(file.text)).join('; '));
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
