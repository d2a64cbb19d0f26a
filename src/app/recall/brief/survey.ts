import type { ItemFacts } from '../../../core/ports/index.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import { recordSections } from '../gist.ts';
import type { BriefItem } from './piece.ts';
import { readSettled } from '../../read/settled.ts';

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
