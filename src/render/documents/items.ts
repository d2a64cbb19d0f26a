import { eolOf } from '../record.ts';
import { blockStates } from '../markdown/blocks.ts';

/** One entry of a list document, a line of its own. */
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

/** The entries of a document's lists; what stands in a fence or a comment is none. */
export function listItems(source: string): ListItem[] {
  const lines = linesOf(source);
  const states = blockStates(lines);
  return lines.flatMap((raw, line) => {
    const [, , box, text = ''] = (states[line] === 'plain' && ITEM.exec(raw)) || [];
    const content = text.replace(/<!--.*?-->/g, '').trim();
    return content === '' ? [] : [{ line, text: content, ...(box !== undefined && { ticked: box !== ' ' }) }];
  });
}

const joined = (lines: readonly string[], source: string): string => {
  const text = lines.join(eolOf(source));
  return text.endsWith('\n') ? text : text + eolOf(source);
};

/** Adds entries after the last one, or where `at` says: `next` is before the first open one. The line that says that there is nothing goes. */
export function addItems(source: string, entries: readonly string[], at: 'first' | 'next' | 'last' = 'last'): string {
  const lines = linesOf(source).filter((line) => !NOTHING.test(line.trim()));
  const items = listItems(lines.join('\n'));
  const before = at === 'first' ? items[0] : at === 'next' ? items.find(({ ticked }) => ticked !== true) : undefined;
  const place = before?.line ?? (items.at(-1) && (items.at(-1)?.line ?? 0) + 1);
  if (place !== undefined) return joined(lines.toSpliced(place, 0, ...entries), source);
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  return joined([...lines.slice(0, end), ...(end > 0 ? [''] : []), ...entries], source);
}

/** Takes lines out; where no entry is left, `nothing` says so. */
export function dropItems(source: string, items: readonly ListItem[], nothing: string): string {
  const gone = new Set(items.map(({ line }) => line));
  const left = linesOf(source).filter((_line, at) => !gone.has(at));
  if (gone.size === 0 || listItems(left.join('\n')).length > 0) return left.join(eolOf(source));
  const end = left.findLastIndex((line) => line.trim() !== '') + 1;
  return joined([...left.slice(0, end), '', nothing], source);
}

/** Ticks the box of an entry, or gives it a ticked one. */
export function tickItem(source: string, { line }: ListItem): string {
  const lines = linesOf(source);
  lines[line] = (lines[line] ?? '').replace(ITEM, (_all, marker: string, _box, text: string) => `${marker}[x] ${text}`);
  return lines.join(eolOf(source));
}
