import { compress, type Dropped, joinSections, type MarkdownSection, markdownSections, charactersIn, isLongerThan } from './compress.ts';
import { SUMMARY_HEADING } from './session-notes.ts';

export interface SizeLimits {
  readonly compressionThreshold: number;
  readonly maxMemorySize: number;
}

/** A summary that leaves MEMORY.md for a log of its own. */
export interface Moved {
  /** As its heading says: `2026-02-10 14:30`. */
  readonly time: string;
  readonly text: string;
}

/** MEMORY.md as it will be, and what has to be kept elsewhere before it is written. */
export interface Plan {
  readonly text: string;
  readonly dropped: readonly Dropped[];
  readonly moved: readonly Moved[];
  readonly notices: readonly string[];
}

/** The newest summary on top of what is there, made to fit. */
export function planUpdate(existing: string, summary: string, limits: SizeLimits): Plan {
  const whole = `${summary}\n\n${existing}`;
  if (!isLongerThan(whole, limits.compressionThreshold)) return { text: whole, dropped: [], moved: [], notices: [] };
  // Never removes the entry that was just added.
  const { text, dropped } = compress(existing);
  const fitted = moveOldest(`${summary}\n\n${text}`, limits.maxMemorySize);
  const still = isLongerThan(fitted.text, limits.maxMemorySize)
    ? [`MEMORY.md has ${charactersIn(fitted.text)} characters and maxMemorySize is ${limits.maxMemorySize}: take out what is no longer true; nothing was lost`]
    : [];
  return {
    ...fitted,
    dropped,
    notices: [...noticeOf('took out, kept in the session log', dropped), ...noticeOf('moved to the session logs', fitted.moved), ...still],
  };
}

const noticeOf = (done: string, parts: readonly (Dropped | Moved)[]): string[] =>
  parts.length === 0 ? [] : [`${done}: ${parts.map((part) => ('heading' in part ? part.heading : `${SUMMARY_HEADING}${part.time}`)).join('; ')}`];

/** The text of a summary below its heading. */
export const summaryBody = (summary: string): string => summary.slice(summary.indexOf('\n') + 1 || summary.length).trim();

/** How an earlier summary is known: by the time in its heading, and by as much of the text below it as the summary had. */
export interface Earlier {
  readonly time: string;
  readonly length: number;
  readonly isIt: (body: string) => boolean;
}

/**
 * A text without one session's summary: a session that went on has one, not two. Others of the same minute stay, and so does what a person changed in it
 * or wrote below it. Undefined if it is not there.
 */
export function withoutSummary(text: string, { time, length, isIt }: Earlier): string | undefined {
  const blocks = blocksOf(text);
  for (const [at, block] of blocks.entries()) {
    const body = block.time === time ? summaryBody(joinSections(block.sections)) : '';
    if (block.time !== time || !['', '\n', '\r'].includes(body.charAt(length)) || !isIt(body.slice(0, length))) continue;
    const rest = body.slice(length).trim();
    const untouched = rest === '' ? [] : [{ sections: [{ level: 0, heading: '', lines: [...rest.split('\n'), ''] }] }];
    return joinSections([...blocks.slice(0, at), ...untouched, ...blocks.slice(at + 1)].flatMap(({ sections }) => sections));
  }
  return undefined;
}

/** A summary with its sections. */
interface Block {
  readonly time?: string;
  readonly sections: MarkdownSection[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const section of markdownSections(text)) {
    const isSummary = section.level === 2 && section.heading.startsWith(SUMMARY_HEADING);
    if (isSummary) blocks.push({ time: section.heading.slice(SUMMARY_HEADING.length).trim(), sections: [section] });
    else if (blocks.at(-1)?.time !== undefined && section.level > 2) blocks.at(-1)?.sections.push(section);
    else blocks.push({ sections: [section] });
  }
  return blocks;
}

/** The oldest summaries go, one after the other, until the rest fits; the newest stays. */
function moveOldest(text: string, limit: number): Pick<Plan, 'text' | 'moved'> {
  let left = text;
  let blocks = blocksOf(text);
  const moved: Moved[] = [];
  while (isLongerThan(left, limit)) {
    const older = blocks.filter(({ time }) => time !== undefined).slice(1);
    // The lower of two of the same minute is the older one.
    const oldest = older.toReversed().toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))[0];
    if (oldest?.time === undefined) break;
    moved.push({ time: oldest.time, text: joinSections(oldest.sections).trimEnd() });
    blocks = blocks.filter((block) => block !== oldest);
    left = joinSections(blocks.flatMap(({ sections }) => sections));
  }
  return { text: left, moved };
}
