import { FENCE_CLOSE, FENCE_OPEN } from '../../core/episode/injected.ts';
import { type Block, type BlockLine, NOTHING } from './block.ts';
import { originLabel, type RecallEntry } from './entry.ts';
import { cut, plain } from './plain.ts';
import { estimateBlockTokens, tokenCost } from './tokens.ts';

/** What a line of titles may cost. */
const MOST_TOKENS = 37;
const [LONGEST_TITLE, SHORTEST_TITLE, SHORTER] = [90, 24, 6];

/** A line of titles, with the ids of what it names. */
export interface NamingLine extends BlockLine {
  readonly ids: readonly string[];
}

/** The titles of what may matter, in one line; undefined where there are none. What a repository wrote is labelled. */
export function namingLine(entries: readonly RecallEntry[]): NamingLine | undefined {
  for (let count = entries.length; count > 0; count--) {
    const some = entries.slice(0, count);
    for (let length = LONGEST_TITLE; length >= SHORTEST_TITLE; length -= SHORTER) {
      const line = `Related? ${some.map((entry) => nameOf(entry, length)).join('; ')}`;
      if (tokenCost(line) <= MOST_TOKENS) return { forms: [line], ids: some.map(({ id }) => id) };
    }
  }
  return undefined;
}

function nameOf({ id, shortId, title, from }: RecallEntry, length: number): string {
  const label = originLabel(from).replace(/, $/, '');
  return `${plain(shortId ?? id)} ${label === '' ? '' : `(${label}) `}${cut(plain(title), length)}`;
}

/** The line alone, fenced as everything is that comes from memory. */
export function namingBlock({ forms: [line], ids }: NamingLine, budget: number): Block {
  const text = `${FENCE_OPEN}>${line}${FENCE_CLOSE}`;
  const tokens = estimateBlockTokens(text);
  return tokens > budget ? NOTHING : { text, tokens, shown: ids };
}
