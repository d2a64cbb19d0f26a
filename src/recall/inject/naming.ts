import { FENCE_CLOSE, FENCE_OPEN } from '../../core/episode/injected.ts';
import { type Block, type BlockLine, NOTHING } from './block.ts';
import { originLabel, type RecallEntry, titleAndText } from './entry.ts';
import { cut, plain } from './plain.ts';
import { estimateBlockTokens, tokenCost } from './tokens.ts';

/** The most tokens for a line of titles, and for one with a deciding sentence. */
const MOST_TOKENS = 37;
const MOST_SENTENCE_TOKENS = 60;
const [LONGEST_TITLE, SHORTEST_TITLE, SHORTER] = [90, 24, 6];
const [LONGEST_SENTENCE, SHORTEST_SENTENCE] = [200, 60];
const SENTENCE_END = /(?<=[.!?;])\s|(?<=[。！？])/;

/** A line of titles with the ids of their records; `id` is the record whose deciding sentence the line contains. */
export interface NamingLine extends BlockLine {
  readonly ids: readonly string[];
}

/** A record to be named, perhaps with its deciding sentence. */
export interface NamedEntry {
  readonly entry: RecallEntry;
  readonly withSentence?: boolean;
}

/** The titles of records that may matter, in one line; undefined if there are none. Records from a repository are labelled. */
export function namingLine(named: readonly NamedEntry[]): NamingLine | undefined {
  const [first] = named;
  const line = first?.withSentence === true ? sentenceLine(first.entry, named.slice(1)) : undefined;
  return line ?? titlesLine(named.map(({ entry }) => entry));
}

function titlesLine(entries: readonly RecallEntry[]): NamingLine | undefined {
  for (let count = entries.length; count > 0; count--) {
    const some = entries.slice(0, count);
    for (let length = LONGEST_TITLE; length >= SHORTEST_TITLE; length -= SHORTER) {
      const line = `Related? ${some.map((entry) => nameOf(entry, length)).join('; ')}`;
      if (tokenCost(line) <= MOST_TOKENS) return { forms: [line], ids: some.map(({ id }) => id) };
    }
  }
  return undefined;
}

/** Title and deciding sentence of the first record, then the titles of the others if there is room; undefined if the sentence adds nothing to the title. */
function sentenceLine(entry: RecallEntry, others: readonly NamedEntry[]): NamingLine | undefined {
  const title = titleAndText(entry.title, '');
  const text = [entry.gist, entry.detail ?? ''].map((part) => titleAndText(entry.title, firstSentence(part))).find((one) => one.length > title.length);
  if (text === undefined) return undefined;
  for (const rest of [others, []]) {
    const ends = rest.map((other) => `; ${nameOf(other.entry, SHORTEST_TITLE * 2)}`).join('');
    for (let length = LONGEST_SENTENCE; length >= SHORTEST_SENTENCE; length -= SHORTER) {
      const line = `Related? ${nameOf({ ...entry, title: text }, length)}${ends}`;
      if (tokenCost(line) <= MOST_SENTENCE_TOKENS)
        return { forms: [line], ids: [entry, ...rest.map((other) => other.entry)].map(({ id }) => id), id: entry.id };
    }
  }
  return undefined;
}

const firstSentence = (text: string): string => plain(text).split(SENTENCE_END, 1).join('').replace(/[.;]$/, '');

function nameOf({ id, shortId, title, from }: RecallEntry, length: number): string {
  const label = originLabel(from).replace(/, $/, '');
  return `${plain(shortId ?? id)} ${label === '' ? '' : `(${label}) `}${cut(plain(title), length)}`;
}

/** The line alone in a fence. */
export function namingBlock({ forms: [line], ids }: NamingLine, budget: number): Block {
  const text = `${FENCE_OPEN}>${line}${FENCE_CLOSE}`;
  const tokens = estimateBlockTokens(text);
  return tokens > budget ? NOTHING : { text, tokens, shown: ids };
}
