import { FENCE_CLOSE, FENCE_OPEN } from '../../core/episode/injected.ts';
import { cut, plain } from './plain.ts';
import { lineWeight, moreWeight, tokensOfLines, weightOfTokens } from './tokens.ts';

/** Claude Code replaces a text of more than 10,000 characters by a preview and a path. */
const MOST_CHARACTERS = 9_900;

export interface BlockLine {
  /** The short form, then longer ones that replace it while there is room. */
  readonly forms: readonly [string, ...string[]];
  /** The item of the line, logged when it is shown. */
  readonly id?: string;
  /** The items of a line about several. */
  readonly ids?: readonly string[];
  /** The heading of the line; lines of one section are adjacent. */
  readonly section?: string;
  /** Lines with a lower rank get room first. The default is their order. */
  readonly rank?: number;
}

export interface BlockFrame {
  readonly attributes: Readonly<Record<string, string>>;
  /** The line before all others. */
  readonly head: string;
}

export interface Block {
  readonly text: string;
  readonly tokens: number;
  /** Ids of the lines that fit. */
  readonly shown: readonly string[];
}

export const NOTHING: Block = { text: '', tokens: 0, shown: [] };

/** Replaces characters that could end the attribute or the tag. Most values have none, and the second pattern takes half a millisecond to compile. */
function attribute(value: string): string {
  const text = plain(value);
  return /[^\w.:/@+ -]/.test(text) ? text.replace(/[^\p{L}\p{N}._:/@+ -]/gu, '-') : text;
}

const opening = ({ attributes }: BlockFrame): string =>
  `${FENCE_OPEN}${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${attribute(value)}"`)
    .join('')}>`;

/**
 * A fenced block within a budget. Short forms are added first, by rank; remaining room then lengthens them in the same order. Lines keep their order, and the
 * same input gives the same text. The caller passes memory's text through `plain`.
 */
export function fitBlock(frame: BlockFrame, lines: readonly BlockLine[], budget: number): Block {
  const [top, bottom] = [opening(frame), FENCE_CLOSE];
  const room = new Room(budget);
  if (!room.takes([top, frame.head, bottom])) return NOTHING;
  const byRank = lines.map((line, at) => ({ line, rank: line.rank ?? at })).toSorted((a, b) => a.rank - b.rank);
  const chosen = new Map<BlockLine, string>();
  const sections = new Set<string>();
  for (const { line } of byRank) {
    const { section } = line;
    if (!room.takes(section === undefined || sections.has(section) ? [line.forms[0]] : [section, line.forms[0]])) continue;
    chosen.set(line, line.forms[0]);
    if (section !== undefined) sections.add(section);
  }
  for (const { line } of byRank) {
    const short = chosen.get(line);
    const longer = short === undefined ? undefined : line.forms.toReversed().find((form) => form !== short && room.grows(short, form));
    if (longer !== undefined) chosen.set(line, longer);
  }
  if (chosen.size === 0) return NOTHING;
  const chosenLines = lines.filter((line) => chosen.has(line));
  const printed = chosenLines.flatMap((line, at) => {
    const text = chosen.get(line) as string;
    return line.section === undefined || chosenLines[at - 1]?.section === line.section ? [text] : [line.section, text];
  });
  const all = [top, frame.head, ...printed, bottom];
  return { text: all.join('\n'), tokens: room.tokensOf(all), shown: chosenLines.flatMap(({ id, ids }) => ids ?? id ?? []) };
}

/** Characters of a shown item that are logged. */
const LOGGED = 400;

/** The beginning of a line: its id, category, date and warnings, or its speaker. */
const HEAD = /^- (?:(?:\S+ )?\([^)]*\)(?: \[[^\]]*\])*: |user: )?/;

/** The shortened text of an item's lines, for the log. */
export function shownText(lines: readonly BlockLine[], id: string | undefined): { readonly text?: string } {
  const texts = lines.filter((line) => line.id === id).map(({ forms }) => forms[0].replace(HEAD, ''));
  return texts.length === 0 ? {} : { text: cut(texts.join('\n'), LOGGED) };
}

/** The remaining budget. */
class Room {
  #weight: number;
  #characters = MOST_CHARACTERS;
  /** Each line is weighed once, however often it is tried. */
  readonly #weights = new Map<string, number>();

  constructor(tokens: number) {
    this.#weight = weightOfTokens(tokens);
  }

  takes(lines: readonly string[]): boolean {
    return this.#spend(
      this.#weightOf(lines),
      lines.reduce((sum, line) => sum + line.length + 1, 0),
    );
  }

  grows(from: string, to: string): boolean {
    const more = moreWeight(from, to);
    this.#weights.set(to, this.#lineWeight(from) + more);
    return this.#spend(more, to.length - from.length);
  }

  tokensOf(lines: readonly string[]): number {
    return tokensOfLines(this.#weightOf(lines));
  }

  #weightOf(lines: readonly string[]): number {
    return lines.reduce((sum, line) => sum + this.#lineWeight(line), 0);
  }

  #lineWeight(line: string): number {
    let weight = this.#weights.get(line);
    if (weight === undefined) this.#weights.set(line, (weight = lineWeight(line)));
    return weight;
  }

  #spend(weight: number, characters: number): boolean {
    if (weight > this.#weight || characters > this.#characters) return false;
    this.#weight -= weight;
    this.#characters -= characters;
    return true;
  }
}
