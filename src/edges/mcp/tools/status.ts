import { statusOfMemory } from '../../../app/read/status.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import { isQuarantined } from '../../../core/trust/trust.ts';
import { originOf } from '../../../app/recall/entry.ts';
import { originLabel } from '../../../recall/inject/entry.ts';
import { fenced } from '../../../recall/inject/plain.ts';
import { READ_SCHEMA, readResult, type ToolContext, type Tool } from '../tool.ts';

const RECORDS_SHOWN = 40;

/** The newest records, one line each. */
function indexLines({ index }: Memory): readonly string[] {
  const newest = index.recent({ kind: 'record', status: 'active' }, RECORDS_SHOWN + 1).filter(({ trust }) => !isQuarantined(trust));
  if (newest.length === 0) return [];
  const lines = newest
    .slice(0, RECORDS_SHOWN)
    .map(({ category = '', id, title, root }) => `- [${category}] ${title} (${originLabel(originOf(root).from)}${category}/${id})`);
  return [fenced('index', [...lines, ...(newest.length > RECORDS_SHOWN ? ['… and older ones: memory_search finds them'] : [])])];
}

export const statusTool = (context: ToolContext): Tool => ({
  name: 'memory_status',
  description: 'What this memory holds: its index, whether it is on, and when it was last written.',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: READ_SCHEMA,
  annotations: { title: 'Memory status', readOnlyHint: true, openWorldHint: false },
  run: async () => {
    const { memory, path, switched } = await context.project();
    const { key, categories, documents, unreadable, quarantined, lastActivity } = await statusOfMemory(memory);
    const { on, because } = switched;
    const used = categories.filter(({ active, retired, archived }) => active + retired + archived > 0);
    return readResult(
      [
        `project ${key} at ${path}`,
        `${on ? `Memory is on (${because}).` : because} Last written: ${lastActivity ?? 'never'}`,
        ...used.map(({ category, active, retired, archived }) => `${category}: ${active} active, ${retired} retired, ${archived} archived`),
        `${documents} documents${unreadable > 0 ? `, ${unreadable} unreadable files (holdfast doctor)` : ''}${quarantined > 0 ? `, ${quarantined} quarantined` : ''}`,
        ...indexLines(memory),
      ].join('\n'),
    );
  },
});
