import { utcSeconds } from '../../../core/instant.ts';
import { hasConflictMarkers } from '../../../core/record/conflict-markers.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import { markdownSections, type MarkdownSection } from '../../memory-files/compress.ts';
import { redacted } from '../../read/redacted.ts';
import type { LayerText, RecallContext } from '../recall-context.ts';
import type { BriefItem } from './items.ts';
import { contentLines } from './state.ts';

/** Lengths of a file, in characters, that the brief tries: the longest that fits is shown. */
const SIZES = [250, 400, 700, 1_000, 1_500, 2_200, 3_200, 4_700, 6_500, 9_000] as const;
const MEMORY = '## MEMORY.md';
export const USER_INSTRUCTIONS = '## Instructions from the user for this project';

/** Instructions and MEMORY.md, which come right after the state of the work; the project's before those for all projects. */
export const memoryFileItems = async ({ layer }: RecallContext): Promise<readonly BriefItem[]> => [
  // The client itself reads CLAUDE.md in the home and in the project, but not the one in the project's folder of the home.
  ...(await layerItems(layer('CLAUDE.md'), { name: 'CLAUDE', label: 'CLAUDE.md', section: USER_INSTRUCTIONS, rank: 2.2 })),
  ...(await layerItems(layer('MEMORY.md'), { name: 'MEMORY', label: 'For all projects', section: MEMORY, rank: 2.6, id: 'home/MEMORY' })),
  ...(await layerItems(layer('memory/MEMORY.md'), { name: 'memory/MEMORY', label: 'For this project', section: MEMORY, rank: 2.4 })),
];

interface LayerLabel {
  readonly name: string;
  readonly label: string;
  readonly section: string;
  readonly rank: number;
  readonly id?: string;
}

async function layerItems(file: LayerText | undefined, { name, label, section, rank, id = name }: LayerLabel): Promise<BriefItem[]> {
  const text = file === undefined || hasConflictMarkers(file.text) ? '' : await redacted(file.text);
  if (!file || contentLines(text).length === 0) return [];
  const sections = markdownSections(text.replace(/^\uFEFF/, '').replace(/<!--[\s\S]*?(?:-->|$)/g, ''))
    .map(shownLines)
    .filter((lines) => lines.length > 0);
  const head = `${label} (${name}):`;
  const forms = [...new Set(SIZES.map((size) => `${head}\n${fitSections(sections, size, name)}`))] as [string, ...string[]];
  return [{ line: { id, section, rank, forms }, title: name, updatedAt: utcSeconds(file.mtimeMs), reason: 'loaded at every start' }];
}

/** A section as it stands in the file, line by line. Its heading is moved below those of the brief. */
function shownLines({ level, heading, lines }: MarkdownSection): readonly string[] {
  const body = (level === 0 ? lines : lines.slice(1)).filter((line) => line.trim() !== '').map(asLine);
  return level === 0 ? body : [`${'#'.repeat(Math.min(6, level + 2))} ${plain(heading)}`, ...body];
}

/** A line keeps its indentation; one that looks like a heading is code. */
const asLine = (line: string): string => {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  const text = plain(line);
  return `${indent.length === 0 && text.startsWith('#') ? ' ' : indent.replaceAll('\t', '  ')}${text}`;
};

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

const depthOf = ([first = '']: readonly string[]): number => /^#*/.exec(first)?.[0].length ?? 0;

/** The whole sections that fit, in their order; if not even the first fits, as many of its lines as do. A notice names what is left out. */
function fitSections(sections: readonly (readonly string[])[], size: number, name: string): string {
  let room = size;
  let leftAt = Infinity;
  const whole: (readonly string[])[] = [];
  for (const lines of sections) {
    // Text below an omitted heading would be read as part of the section before.
    const isBelow = depthOf(lines) > leftAt;
    leftAt = isBelow ? leftAt : lengthOf(lines) > room ? depthOf(lines) : Infinity;
    if (leftAt !== Infinity) {
      if (whole.length === 0) break;
      continue;
    }
    room -= lengthOf(lines);
    whole.push(lines);
  }
  const left = sections.filter((lines) => !whole.includes(lines));
  if (left.length === 0) return whole.flat().join('\n');
  if (whole.length > 0) return [...whole.flat(), notice(left.length, headingsOf(left), name)].join('\n');
  const lines: string[] = [];
  for (const line of sections[0] ?? []) {
    if (lines.length > 0 && line.length >= room) break;
    lines.push(cut(line, Math.max(room, 80)));
    room -= line.length + 1;
  }
  return [...lines, notice(sections.length, headingsOf(sections.slice(1)), name, true)].join('\n');
}

const NAMED = 4;

const headingsOf = (sections: readonly (readonly string[])[]): readonly string[] =>
  sections.flatMap(([first = '']) => (/^#+ ./.test(first) ? [cut(first.replace(/^#+ /, ''), 40)] : []));

/** The headings of the omitted sections. */
function notice(left: number, headings: readonly string[], name: string, isWithin = false): string {
  const named = headings.length === 0 ? '' : `: ${headings.slice(0, NAMED).join(', ')}${headings.length > NAMED ? ' …' : ''}`;
  return `… (cut: ${isWithin ? 'the rest of this section' : ''}${isWithin && left > 1 ? ' and ' : ''}${isWithin ? (left > 1 ? sectionsOf(left - 1) : '') : sectionsOf(left)}${named}; in full: ${name})`;
}

const sectionsOf = (count: number): string => `${count} more ${count === 1 ? 'section' : 'sections'}`;
