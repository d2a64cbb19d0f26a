import type { Dropped } from './compress.ts';
import type { Moved } from './plan.ts';

/** What one session's log is to hold. */
export interface LogEntry {
  readonly heading: string;
  readonly text: string;
}

/** `session-{id}.md`; whatever a file name cannot hold becomes a hyphen. */
export const sessionLogName = (id: string): string =>
  `session-${
    id
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(0, 100) || 'unnamed'
  }.md`;

/** A summary that has left MEMORY.md goes by its own time. */
export const movedLogName = ({ time }: Moved): string => sessionLogName(time.replace(/[ :]/g, '-'));

export const taskEntry = (tasks: readonly string[]): LogEntry => ({
  heading: 'Tasks',
  text: tasks.map((task) => `- ${task.replace(/\s+/g, ' ').trim()}`).join('\n'),
});

export const droppedEntries = (dropped: readonly Dropped[]): LogEntry[] =>
  dropped.map(({ heading, text }) => ({ heading: `Taken out of MEMORY.md: ${heading}`, text }));

/** A log with more in it; what it holds already is not said twice. */
export function withEntries(existing: string | undefined, id: string, entries: readonly LogEntry[]): string {
  let text = existing === undefined || existing.trim() === '' ? `# Session ${id}\n` : existing;
  for (const entry of entries) {
    const said = entry.heading === '' ? entry.text : `## ${entry.heading}\n\n${entry.text}`;
    if (!text.includes(said)) text = `${text.trimEnd()}\n\n${said}\n`;
  }
  return text;
}
