/** A stretch of Markdown that begins with a heading; the first may have none. */
export interface MarkdownSection {
  /** 1 for `#`; 0 where the text begins without a heading. */
  readonly level: number;
  readonly heading: string;
  /** The lines, the heading's own among them. */
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
