import { joinSections, type MarkdownSection, markdownSections } from './sections.ts';

/** A section that was taken out, with all that stood below it. */
export interface Dropped {
  readonly heading: string;
  readonly text: string;
}

export interface Compressed {
  readonly text: string;
  readonly dropped: readonly Dropped[];
}

/** Whole words: a login, a catalog or a changelog is no log. */
const DETAIL = /(?<![\p{L}\p{N}_])(?:logs?|history|histories)(?![\p{L}\p{N}_])/iu;

const isDetail = ({ level, heading }: MarkdownSection): boolean => (level === 2 || level === 3) && DETAIL.test(heading);

/** Takes out every `##` and `###` section headed as a log or a history, whole; everything else stays as it is and where it is. */
export function compress(text: string): Compressed {
  const kept: MarkdownSection[] = [];
  const dropped: MarkdownSection[][] = [];
  let within: number | undefined;
  for (const section of markdownSections(text)) {
    if (within !== undefined && section.level <= within) within = undefined;
    if (within !== undefined) dropped.at(-1)?.push(section);
    else if (isDetail(section)) {
      within = section.level;
      dropped.push([section]);
    } else kept.push(section);
  }
  return {
    text: dropped.length === 0 ? text : joinSections(kept),
    dropped: dropped.map((sections) => ({ heading: sections[0]?.heading ?? '', text: joinSections(sections).trimEnd() })),
  };
}
