/** A stretch of Markdown that begins with a heading; the first may have none. */
export interface MarkdownSection {
  /** 1 for `#`; 0 where the text begins without a heading. */
  readonly level: number;
  readonly heading: string;
  /** The lines, including the heading. */
  readonly lines: readonly string[];
}

const HEADING = /^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\r?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Cuts a text at its headings. A `#` inside a fenced block is code. Joining all lines again gives the text. */
export function markdownSections(text: string): readonly MarkdownSection[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [{ level: 0, heading: '', lines: [] }];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    const heading = fence === undefined ? HEADING.exec(line) : null;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (heading) sections.push({ level: heading[1]?.length ?? 1, heading: heading[2] ?? '', lines: [line] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections[0]?.lines.length === 0 ? sections.slice(1) : sections;
}

export const joinSections = (sections: readonly MarkdownSection[]): string => sections.flatMap(({ lines }) => lines).join('\n');

/** A section that was taken out, with its subsections. */
export interface DroppedSection {
  readonly heading: string;
  readonly text: string;
}

export interface CompressedText {
  readonly text: string;
  readonly dropped: readonly DroppedSection[];
}

/** Whole words, because a login, a catalog or a changelog is no log. */
const LOG_HEADING = /(?<![\p{L}\p{N}_])(?:logs?|history|histories)(?![\p{L}\p{N}_])/iu;

const isLogSection = ({ level, heading }: MarkdownSection): boolean => (level === 2 || level === 3) && LOG_HEADING.test(heading);

/** Takes out every `##` and `###` section whose heading names a log or a history; everything else stays as it is. */
export function compress(text: string): CompressedText {
  const remaining: MarkdownSection[] = [];
  const dropped: MarkdownSection[][] = [];
  let droppedLevel: number | undefined;
  for (const section of markdownSections(text)) {
    if (droppedLevel !== undefined && section.level <= droppedLevel) droppedLevel = undefined;
    if (droppedLevel !== undefined) dropped.at(-1)?.push(section);
    else if (isLogSection(section)) {
      droppedLevel = section.level;
      dropped.push([section]);
    } else remaining.push(section);
  }
  return {
    text: dropped.length === 0 ? text : joinSections(remaining),
    dropped: dropped.map((sections) => ({ heading: sections[0]?.heading ?? '', text: joinSections(sections).trimEnd() })),
  };
}

/** Characters as people count them: a letter outside the basic plane is one, not two. */
export function charactersIn(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** Whether a text has more than `limit` characters; a short one is not counted. */
export const isLongerThan = (text: string, limit: number): boolean => text.length > limit && charactersIn(text) > limit;

/** The first `limit` characters, without splitting a surrogate pair. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let at = 0;
  for (let count = 0; at < text.length && count < limit; count += 1) at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
  return text.slice(0, at);
}

const isHigh = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;
const isLow = (unit: number): boolean => unit >= 0xdc_00 && unit <= 0xdf_ff;

export interface ShortenedText {
  readonly text: string;
  /** Says that a part was left out; absent if nothing was. */
  readonly notice?: string;
}

const noticeFor = (file: string, whole: number, limit: number): string =>
  `${file} has ${whole} characters and maxMemorySize is ${limit}: only a part of it is loaded. Read the file for the rest, or shorten it.`;

/** A layer up to the limit: above it, first logs and histories are left out, then the end, and a notice says so. */
export function shortenLayer(text: string, limit: number, file: string): ShortenedText {
  if (!isLongerThan(text, limit)) return { text };
  const notice = noticeFor(file, charactersIn(text), limit);
  const tail = `\n\n> ${notice}`;
  const room = Math.max(0, limit - charactersIn(tail));
  const compressed = compress(text).text;
  if (!isLongerThan(compressed, room)) return { text: compressed.trimEnd() + tail, notice };
  const cut = firstCharacters(compressed, room);
  // Cut at the end of a line, unless there is only one.
  const end = cut.lastIndexOf('\n');
  return { text: (end > 0 ? cut.slice(0, end) : cut).trimEnd() + tail, notice };
}
