import { utcSeconds } from '../../../core/instant.ts';
import type { StoredFile } from '../../../core/ports/store.ts';
import { originLabel } from '../../../recall/inject/entry.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import { readSettled } from '../recall-context.ts';
import { originOf } from '../entry.ts';
import { endsWithAnyOf, splitLines, withoutListMark } from '../gist.ts';
import type { BriefItem } from './items.ts';

const SECTION = '## Current state';
const LINE_LENGTH = 240;
const EMPTY =
  /^(?:none|nothing|n\/a|tbd|empty|not set|no (?:current |active |open |known )?(?:task|work|blockers?|items?))(?: (?:yet|now|right now|so far|at the moment|currently|set|recorded))?[.!]?$/i;

/** As long as `no current blockers at the moment.` */
const LONGEST_EMPTY = 34;

/** The lines of a document with content: no headings, comments or placeholders. */
export function contentLines(text: string): string[] {
  const uncommented = text.includes('<!--') ? text.replace(/<!--[\s\S]*?(?:-->|$)/g, '') : text;
  const body =
    uncommented.startsWith('---') || uncommented.startsWith('\uFEFF') ? uncommented.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '') : uncommented;
  return splitLines(body)
    .filter((line) => !line.trimStart().startsWith('#'))
    .map(withoutListMark)
    .filter((line) => line !== '' && !isEmpty(line) && !isRule(line));
}

function isEmpty(line: string): boolean {
  const isMarkedUp = '_*('.includes(line.charAt(0)) || endsWithAnyOf(line, '_*)');
  const text = isMarkedUp ? line.replace(/^[_*(\s]+|[_*)\s]+$/g, '') : line;
  return text.length <= LONGEST_EMPTY && 'nteNTE'.includes(text.charAt(0)) && EMPTY.test(text);
}

const isRule = (line: string): boolean => '-=*_|:'.includes(line.charAt(0)) && /^[-=*_|: ]+$/.test(line);

function documentItems(file: StoredFile, name: string, label: string, lines: readonly string[], rank: number): BriefItem[] {
  if (lines.length === 0) return [];
  const text = plain(lines.join('; '));
  const head = `- ${label} (${originLabel(originOf(file.root).from)}${name}): `;
  return [
    {
      line: { id: name, section: SECTION, rank, forms: [head + cut(text, LINE_LENGTH), head + cut(text, LINE_LENGTH * 3)] },
      title: label,
      updatedAt: utcSeconds(file.mtimeMs),
      reason: 'where the work stands',
    },
  ];
}

/** Task, progress and blockers, as the documents say. */
export async function stateItems(memory: Memory): Promise<readonly BriefItem[]> {
  const root = memory.store.roots[0] ?? 'private';
  const read = (name: string) => readSettled(memory, { root, path: `${name}.md` });
  const [task, active, blockers] = [await read('context/current-task'), await read('progress/active'), await read('context/blockers')];
  return [
    ...(task
      ? documentItems(
          task,
          'context/current-task',
          'Task',
          contentLines(task.text).filter((line) => !line.startsWith('**Started**')),
          1,
        )
      : []),
    ...(active ? progressItems(active, contentLines(active.text)) : []),
    ...(blockers ? documentItems(blockers, 'context/blockers', 'Blockers', contentLines(blockers.text), 1.5) : []),
  ];
}

const BOX = /^\[([ xX])\]\s*/;

const progressItems = (file: StoredFile, lines: readonly string[]): BriefItem[] =>
  documentItems(file, 'progress/active', progressLabel(lines), openItems(lines), 2);

function progressLabel(lines: readonly string[]): string {
  const boxes = lines.flatMap((line) => (line.startsWith('[') ? (BOX.exec(line)?.[1] ?? []) : []));
  return boxes.length === 0 ? 'Progress' : `Progress ${boxes.filter((mark) => mark !== ' ').length}/${boxes.length}, open`;
}

const openItems = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith('[x]') && !line.startsWith('[X]')).map((line) => (line.startsWith('[') ? line.replace(BOX, '') : line));
