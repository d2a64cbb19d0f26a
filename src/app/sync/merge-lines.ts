import { diffArrays } from 'diff';

interface Hunk {
  /** Lines of the base that it replaces. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/);

/** Most changed lines of a side: a comparison takes quadratic time, and a server may send anything. */
const MOST_CHANGES = 2_000;

/** The changes between two texts; undefined if there are too many. */
function hunksOf(base: readonly string[], side: readonly string[]): readonly Hunk[] | undefined {
  const parts = diffArrays([...base], [...side], { maxEditLength: MOST_CHANGES });
  if (!parts) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) hunks.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (added) open.lines.push(...value);
    else {
      at += value.length;
      open.to = at;
    }
  }
  return open ? [...hunks, open] : hunks;
}

const isSame = (a: Hunk, b: Hunk): boolean => a.from === b.from && a.to === b.to && a.lines.join('') === b.lines.join('');
/** Adjacent changes count as overlapping: they often belong together. */
const touch = (a: Hunk, b: Hunk): boolean => a.from <= b.to && b.from <= a.to;

/** Merges two versions of a text with their common base; undefined if both changed the same lines or one changed too many. */
export function mergeLines({ ours, theirs, base }: { readonly ours: string; readonly theirs: string; readonly base: string }): string | undefined {
  const lines = linesOf(base);
  const [left, right] = [hunksOf(lines, linesOf(ours)), hunksOf(lines, linesOf(theirs))];
  if (!left || !right) return undefined;
  if (left.some((one) => right.some((other) => touch(one, other) && !isSame(one, other)))) return undefined;
  const all = [...left, ...right.filter((one) => !left.some((other) => isSame(one, other)))].toSorted((a, b) => a.from - b.from);
  const merged: string[] = [];
  let at = 0;
  for (const { from, to, lines: put } of all) {
    merged.push(...lines.slice(at, from), ...put);
    at = to;
  }
  return [...merged, ...lines.slice(at)].join('');
}
