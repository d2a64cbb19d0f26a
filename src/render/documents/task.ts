import { oneLine } from '../views/cell.ts';
import { NO_TASK } from './placeholders.ts';
import { splitSections } from './sections.ts';

/** What `context/current-task.md` says is being done; sections below it are people's own notes. */
export function renderTask(source: string | undefined, task: { readonly text: string; readonly started: string } | undefined): string {
  const { sections } = splitSections(source ?? '');
  const notes = sections.map(({ heading, body }) => heading + body).join('');
  const head = task === undefined ? NO_TASK : `# Current Task\n\n${task.text.trim()}\n\n**Started**: ${oneLine(task.started)}\n`;
  return notes === '' ? head : `${head}\n${notes}`;
}

const LABEL = /^\*\*[^*]+\*\*\s*:/;

/** The task itself, as one text; undefined where there is none. */
export function taskOf(source: string): string | undefined {
  const lines = splitSections(source.replace(/<!--[\s\S]*?-->/g, ''))
    .head.split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !LABEL.test(line) && !/^(?:none|nothing)(?: yet)?\.?$/i.test(line));
  return lines.length === 0 ? undefined : lines.join('\n');
}
