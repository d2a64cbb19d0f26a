import type { BlockLine } from '../../../recall/inject/block.ts';
import type { ItemFacts } from '../../../core/ports/index.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import { recordSections } from '../gist.ts';
import { readSettled } from '../recall-context.ts';

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

/** The survey of the repository's history, for a project without sessions. */
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
