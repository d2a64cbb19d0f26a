import type { BlockLine } from '../../../recall/inject/block.ts';
import type { ItemFacts } from '../../../core/ports/index.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import { recordSections } from '../gist.ts';
import { readSettled } from '../recall-context.ts';

/** A line of the brief, with what the log stores of it. */
export interface BriefItem {
  readonly line: BlockLine & { readonly rank: number };
  readonly title: string;
  readonly updatedAt: string;
  /** Why it is in the brief. */
  readonly reason: string;
}

/** Whether an item has content of its own; a hint on how to find more has none. */
export const hasContent = ({ line }: BriefItem): boolean => line.id !== undefined;

const LINE_LENGTH = 300;

/** The survey of the repository's history, for a project without sessions. */
export async function surveyItems(memory: Memory, summaries: readonly ItemFacts[]): Promise<readonly BriefItem[]> {
  if (summaries.length > 0) return [];
  const survey = memory.index
    .items({ kind: 'record', category: 'analysis', status: 'active' })
    .find(({ tags, trust }) => tags.includes('survey') && trust !== 'quarantined');
  const file = survey && (await readSettled(memory, survey));
  if (!survey || !file) return [];
  const sections = recordSections(survey.path, file.text);
  const [summary, findings] = [
    plain(sections.get('Summary') ?? sections.get('summary') ?? ''),
    plain(sections.get('Key Findings') ?? sections.get('key_findings') ?? ''),
  ];
  const head = `- From the history, analysis/${plain(survey.id)}${survey.root === 'shared' || survey.root === 'folder' ? ' (from the repository)' : ''}: `;
  const short = head + cut(summary, LINE_LENGTH);
  return [
    {
      line: { id: `analysis/${survey.id}`, section: '## Current state', rank: 3, forms: [short, `${short} ${cut(findings, LINE_LENGTH * 2)}`] },
      title: survey.title,
      updatedAt: survey.updatedAt,
      reason: 'no session has been summarised yet',
    },
  ];
}
