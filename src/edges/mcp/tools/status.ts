import { statusOfMemory } from '../../../app/read/status.ts';
import type { Shelf, Tool } from '../tool.ts';

export const statusTool = (shelf: Shelf): Tool => ({
  name: 'memory_status',
  description: 'What this memory holds, whether it is on, and when it was last written.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { title: 'Memory status', readOnlyHint: true, openWorldHint: false },
  run: async () => {
    const { memory, path, switched } = await shelf.project();
    const { key, categories, documents, unreadable, quarantined, lastActivity } = await statusOfMemory(memory);
    const { on, because } = switched;
    const held = categories.filter(({ active, retired, archived }) => active + retired + archived > 0);
    return {
      text: [
        `project ${key} at ${path}`,
        `memory is ${on ? 'on' : 'off'} (${because}); last written ${lastActivity ?? 'never'}`,
        ...held.map(({ category, active, retired, archived }) => `${category}: ${active} active, ${retired} retired, ${archived} archived`),
        `${documents} documents${unreadable > 0 ? `, ${unreadable} unreadable files (holdfast doctor)` : ''}${quarantined > 0 ? `, ${quarantined} quarantined` : ''}`,
      ].join('\n'),
    };
  },
});
