import { compress, type DroppedSection, joinSections, type MarkdownSection, markdownSections, charactersIn, isLongerThan } from './compress.ts';
import { SUMMARY_HEADING } from './session-notes.ts';

export interface SizeLimits {
  readonly compressionThreshold: number;
  readonly maxMemorySize: number;
}

/** A summary that leaves MEMORY.md for a log of its own. */
export interface MovedSummary {
  /** The time in its heading: `2026-02-10 14:30`. */
  readonly time: string;
  readonly text: string;
}

/** The next MEMORY.md, and the parts that have to be saved elsewhere before it is written. */
export interface UpdatePlan {
  readonly text: string;
  readonly dropped: readonly DroppedSection[];
  readonly moved: readonly MovedSummary[];
  readonly notices: readonly string[];
}

/** The newest summary on top of what is there, made to fit. */
export function planUpdate(existing: string, summary: string, limits: SizeLimits): UpdatePlan {
  const whole = `${summary}\n\n${existing}`;
  if (!isLongerThan(whole, limits.compressionThreshold)) return { text: whole, dropped: [], moved: [], notices: [] };
  // Never removes the entry that was just added.
  const { text, dropped } = compress(existing);
  const fitted = moveOldest(`${summary}\n\n${text}`, limits.maxMemorySize);
  const tooLarge = isLongerThan(fitted.text, limits.maxMemorySize)
    ? [`MEMORY.md has ${charactersIn(fitted.text)} characters and maxMemorySize is ${limits.maxMemorySize}: take out what is no longer true; nothing was lost`]
    : [];
  return {
    ...fitted,
    dropped,
    notices: [...noticeOf('took out, kept in the session log', dropped), ...noticeOf('moved to the session logs', fitted.moved), ...tooLarge],
  };
}

const noticeOf = (done: string, parts: readonly (DroppedSection | MovedSummary)[]): string[] =>
  parts.length === 0 ? [] : [`${done}: ${parts.map((part) => ('heading' in part ? part.heading : `${SUMMARY_HEADING}${part.time}`)).join('; ')}`];

/** The text of a summary below its heading. */
export const summaryBody = (summary: string): string => summary.slice(summary.indexOf('\n') + 1 || summary.length).trim();

/** Identifies an earlier summary: by the time in its heading, and by the beginning of the text below it. */
export interface EarlierSummary {
  readonly time: string;
  readonly length: number;
  readonly matches: (body: string) => boolean;
}

/**
 * A text without one session's earlier summary, which a newer one replaces. Other summaries of the same minute stay, and so does text that a person wrote
 * below it. Undefined if the summary is not there or was edited.
 */
export function withoutSummary(text: string, { time, length, matches }: EarlierSummary): string | undefined {
  const blocks = blocksOf(text);
  for (const [at, block] of blocks.entries()) {
    const body = block.time === time ? summaryBody(joinSections(block.sections)) : '';
    if (block.time !== time || !['', '\n', '\r'].includes(body.charAt(length)) || !matches(body.slice(0, length))) continue;
    const rest = body.slice(length).trim();
    const userText = rest === '' ? [] : [{ sections: [{ level: 0, heading: '', lines: [...rest.split('\n'), ''] }] }];
    return joinSections([...blocks.slice(0, at), ...userText, ...blocks.slice(at + 1)].flatMap(({ sections }) => sections));
  }
  return undefined;
}

/** A summary with its sections. */
interface SummaryBlock {
  readonly time?: string;
  readonly sections: MarkdownSection[];
}

function blocksOf(text: string): SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  for (const section of markdownSections(text)) {
    const isSummary = section.level === 2 && section.heading.startsWith(SUMMARY_HEADING);
    if (isSummary) blocks.push({ time: section.heading.slice(SUMMARY_HEADING.length).trim(), sections: [section] });
    else if (blocks.at(-1)?.time !== undefined && section.level > 2) blocks.at(-1)?.sections.push(section);
    else blocks.push({ sections: [section] });
  }
  return blocks;
}

/** Moves the oldest summaries out, one after the other, until the rest fits; the newest stays. */
function moveOldest(text: string, limit: number): Pick<UpdatePlan, 'text' | 'moved'> {
  let remaining = text;
  let blocks = blocksOf(text);
  const moved: MovedSummary[] = [];
  while (isLongerThan(remaining, limit)) {
    const older = blocks.filter(({ time }) => time !== undefined).slice(1);
    // Of two summaries of the same minute the lower one is older.
    const oldest = older.toReversed().toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))[0];
    if (oldest?.time === undefined) break;
    moved.push({ time: oldest.time, text: joinSections(oldest.sections).trimEnd() });
    blocks = blocks.filter((block) => block !== oldest);
    remaining = joinSections(blocks.flatMap(({ sections }) => sections));
  }
  return { text: remaining, moved };
}
