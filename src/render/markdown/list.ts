import { blockStates, escapeBlocks, unescapeBlocks } from './blocks.ts';
import type { FieldFormat } from './form.ts';
import { isBlankLine, visible } from './text.ts';

const MARKER = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/s;

const indentOf = (line: string): number => line.length - line.trimStart().length;
const dedent = (line: string, by: number): string => line.slice(Math.min(by, indentOf(line)));

interface Item {
  /** Column at which the text of its further lines starts. */
  readonly column: number;
  readonly lines: string[];
}

/** The items of a list as text; a paragraph without a marker is an item too, so that nothing a person wrote is lost. */
export function parseItems(text: string): string[] {
  const lines = text.split('\n');
  const states = blockStates(lines);
  const items: Item[] = [];
  let margin: number | undefined;
  let afterBlank = true;
  for (const [at, line] of lines.entries()) {
    const current = items.at(-1);
    const inside = states[at] === 'inside';
    const marker = inside ? null : MARKER.exec(line);
    const [, lead = '', sign = '', gap = '', rest = ''] = marker ?? [];
    if (marker && lead.length <= (margin ?? lead.length) + 1) {
      margin ??= lead.length;
      const code = gap.length > 4 ? 1 : gap.length;
      items.push({ column: lead.length + sign.length + Math.max(1, code), lines: [code === gap.length ? rest : gap.slice(1) + rest] });
    } else if (current && (inside || isBlankLine(line) || !afterBlank || (current.column > 0 && indentOf(line) > (margin ?? 0)))) {
      current.lines.push(dedent(line, current.column));
    } else if (!isBlankLine(line)) {
      items.push({ column: 0, lines: [line] });
    }
    afterBlank = !inside && isBlankLine(line);
  }
  return items.map((item) => unescapeBlocks(item.lines.join('\n').trimEnd(), false));
}

export function renderItems(items: readonly string[], ordered: boolean, careful: boolean): string {
  const rendered = items.map((item, at) => {
    const marker = ordered ? `${at + 1}.` : '-';
    const indent = ' '.repeat(marker.length + 1);
    const [first = '', ...rest] = escapeBlocks(visible(item), { headings: false, careful }).split('\n');
    return [first === '' ? marker : `${marker} ${first}`, ...rest.map((line) => (line === '' ? '' : indent + line))].join('\n');
  });
  return rendered.join('\n');
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

const list = (ordered: boolean): FieldFormat => ({
  accepts: isTexts,
  render: (value, careful = false) => renderItems(value as readonly string[], ordered, careful),
  parse: parseItems,
});

export const bullets = list(false);
export const steps = list(true);
