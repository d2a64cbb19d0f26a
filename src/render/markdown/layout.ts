import type { MemoryRecord } from '../../core/record/schema.ts';
import type { Chunk } from './outline.ts';

/** A parsed Markdown record file. */
export interface MarkdownLayout {
  readonly form: 'markdown';
  readonly source: string;
  readonly record: MemoryRecord;
  readonly eol: '\n' | '\r\n';
  readonly frame: MarkdownFrame;
  readonly values: ReadonlyMap<string, unknown>;
  readonly chunks: readonly Chunk[];
}

/** A file split at its front-matter fences; the parts joined are the file. */
export interface MarkdownFrame {
  /** A byte-order mark and the opening fence. */
  readonly open: string;
  /** The YAML between the fences; undefined when there is no front matter. */
  readonly yaml: string | undefined;
  /** The closing fence. */
  readonly close: string;
  readonly body: string;
  readonly bodyLine: number;
}

const OPEN = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSE = /---[ \t]*(?:\r?\n|$)/y;

/** The form in nearly every file, which needs no pattern. */
const FENCE = '---\n';

function closingFence(text: string): { readonly index: number; readonly fence: string } | undefined {
  for (let at = 0; ;) {
    if (text.startsWith(FENCE, at)) return { index: at, fence: FENCE };
    CLOSE.lastIndex = at;
    const fence = text.startsWith('---', at) ? CLOSE.exec(text)?.[0] : undefined;
    if (fence !== undefined) return { index: at, fence };
    at = text.indexOf('\n---', at) + 1;
    if (at === 0) return undefined;
  }
}

/** Splits a file at its fences; undefined if the opening fence is never closed. */
export function frameOf(source: string): MarkdownFrame | undefined {
  const open = source.startsWith(FENCE) ? FENCE : OPEN.exec(source)?.[0];
  if (open === undefined) {
    const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
    return { open: mark, yaml: undefined, close: '', body: source.slice(mark.length), bodyLine: 1 };
  }
  const rest = source.slice(open.length);
  const close = closingFence(rest);
  if (!close) return undefined;
  const end = open.length + close.index + close.fence.length;
  return {
    open,
    yaml: rest.slice(0, close.index),
    close: close.fence,
    body: source.slice(end),
    // Computed on use, because only errors need it.
    get bodyLine() {
      return source.slice(0, end).split('\n').length;
    },
  };
}
