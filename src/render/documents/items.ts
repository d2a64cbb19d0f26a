import { eolOf } from '../record.ts';
import { blockStates } from '../markdown/blocks.ts';

/** One entry of a list document; an entry is one line. */
export interface ListItem {
  /** Line of the document, from 0. */
  readonly line: number;
  /** Its text, without marker, box and trailing comment. */
  readonly text: string;
  /** Whether its box is ticked; undefined without a box. */
  readonly ticked?: boolean;
}

const ITEM = /^(\s*[-*+]\s+)(?:\[([ xX])\]\s+)?(.*)$/;
const NOTHING = /^(?:none|nothing yet)\.?$/i;
const linesOf = (source: string): string[] => source.split(/\r?\n/);

/** The entries of a document's lists, except lines in a fence or comment. */
export function listItems(source: string): ListItem[] {
  const lines = linesOf(source);
  const states = blockStates(lines);
  return lines.flatMap((raw, line) => {
    const [, , box, text = ''] = (states[line] === 'plain' && ITEM.exec(raw)) || [];
    const content = text.replace(/<!--.*?-->/g, '').trim();
    return content === '' ? [] : [{ line, text: content, ...(box !== undefined && { ticked: box !== ' ' }) }];
  });
}

const joinLines = (lines: readonly string[], source: string): string => {
  const text = lines.join(eolOf(source));
  return text.endsWith('\n') ? text : text + eolOf(source);
};

/** Adds entries: last, first, or before the first open one (`next`). Removes the line that says that there are none. */
export function addItems(source: string, entries: readonly string[], at: 'first' | 'next' | 'last' = 'last'): string {
  const lines = linesOf(source).filter((line) => !NOTHING.test(line.trim()));
  const items = listItems(lines.join('\n'));
  const before = at === 'first' ? items[0] : at === 'next' ? items.find(({ ticked }) => ticked !== true) : undefined;
  const place = before?.line ?? (items.at(-1) && (items.at(-1)?.line ?? 0) + 1);
  if (place !== undefined) return joinLines(lines.toSpliced(place, 0, ...entries), source);
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  return joinLines([...lines.slice(0, end), ...(end > 0 ? [''] : []), ...entries], source);
}

/** Removes entries; adds the line `nothing` if no entry is left. */
export function dropItems(source: string, items: readonly ListItem[], nothing: string): string {
  const dropped = new Set(items.map(({ line }) => line));
  const remaining = linesOf(source).filter((_line, at) => !dropped.has(at));
  if (dropped.size === 0 || listItems(remaining.join('\n')).length > 0) return remaining.join(eolOf(source));
  const end = remaining.findLastIndex((line) => line.trim() !== '') + 1;
  return joinLines([...remaining.slice(0, end), '', nothing], source);
}

/** Ticks the box of an entry; adds the box if it has none. */
export function tickItem(source: string, { line }: ListItem): string {
  const lines = linesOf(source);
  lines[line] = (lines[line] ?? '').replace(ITEM, (_all, marker: string, _box, text: string) => `${marker}[x] ${text}`);
  return lines.join(eolOf(source));
}
