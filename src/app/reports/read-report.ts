import { stripInjected } from '../../core/episode/injected.ts';
import type { ContentOf } from '../../core/record/schema.ts';

/** What a subagent said in the end, taken apart into the sections of a report. */
export type ReportParts = Pick<ContentOf<'subagent_report'>, 'summary'> & {
  readonly title?: string;
  readonly agent?: string;
  readonly task?: string;
  readonly parentContext?: string;
  readonly details?: string;
  readonly files: readonly string[];
  readonly recommendations: readonly string[];
};

const LONGEST_DETAILS = 24_000;
const SUMMARY = 600;
const MOST_ITEMS = 20;
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/;
const PATH = /`([\w@./-]+\/[\w.-]+\.\w{1,8}|[\w-]+\.(?:tsx?|jsx?|mjs|py|rs|go|rb|java|md|json|ya?ml|toml|sql|sh|css|html?))(?::[\d-]+)?`/g;

const isHeading = (line: string): boolean => /^#{1,4}\s+\S/.test(line) || /^\*\*[^*]{3,60}\*\*:?\s*$/.test(line);
const nameOf = (line: string): string =>
  line
    .replace(/^#+\s+|\*\*|:\s*$/g, '')
    .trim()
    .toLowerCase();

interface Section {
  readonly name: string;
  readonly lines: string[];
}

/** The text under its headings; code that looks like a heading stays where it is. */
function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [{ name: '', lines: [] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (!isCode && isHeading(line)) sections.push({ name: nameOf(line), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

const bodyOf = ({ lines }: Section): string => lines.join('\n').trim();
const itemsOf = (section: Section | undefined): string[] =>
  (section?.lines ?? [])
    .filter((line) => ITEM.test(line))
    .map((line) => line.replace(ITEM, '').trim())
    .slice(0, MOST_ITEMS);

/** A list, or what stands there without one. */
const listOf = (section: Section | undefined): string[] => {
  const items = itemsOf(section);
  if (items.length > 0 || section === undefined) return items;
  const body = bodyOf(section);
  return body === '' || /^(?:none|n\/a|-)\.?$/i.test(body) ? [] : [body];
};

/** The first two or three sentences; a line of a list is one. */
function opening(text: string): string {
  const sentences = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !isHeading(line) && !/^\s*(?:```|\||>)/.test(line))
    .flatMap((line) =>
      line
        .replace(ITEM, '')
        .trim()
        .split(/(?<=[.!?])\s+(?=[\p{Lu}`"(])/u),
    );
  let said = '';
  for (const sentence of sentences.slice(0, 3)) {
    if (said !== '' && said.length + sentence.length > SUMMARY) break;
    said = said === '' ? sentence : `${said}${/[.!?:]$/.test(said) ? '' : '.'} ${sentence}`;
  }
  return said.slice(0, SUMMARY);
}

const labelIn = (text: string, name: string): string | undefined => new RegExp(String.raw`^\*\*${name}:?\*\*:?[ \t]*(.+)$`, 'im').exec(text)?.[1]?.trim();

/** Reads what a subagent left behind: a report in the agreed form, or any other text. */
export function readReport(said: string): ReportParts {
  const text = stripInjected(said).trim();
  const sections = sectionsOf(text);
  const named = (pattern: RegExp): Section | undefined => sections.find(({ name }) => pattern.test(name));
  const summary = named(/^(?:executive )?summary\b|^overview\b|^conclusion\b/);
  const files = named(/^files (?:analy[sz]ed|examined|read|reviewed)|^(?:key|relevant) files\b/);
  const advice = named(/^(?:recommendations?|next steps|suggested (?:actions|next steps|fix\w*))\b/);
  const details = named(/^details\b/);
  const mentioned = [...text.matchAll(PATH)].map(([, path = '']) => path);
  const listed = listOf(files).map((line) => /`([^`]+)`/.exec(line)?.[1] ?? line.split(/\s+[—–-]\s+|\s*:\s/)[0] ?? line);
  const [title, agent, task, parentContext] = [
    /^#\s+(.+)$/m.exec(text)?.[1]?.trim(),
    labelIn(text, 'Agent'),
    labelIn(text, 'Task'),
    labelIn(text, 'Parent Context'),
  ];
  const short = summary === undefined ? '' : bodyOf(summary);
  const rest = details === undefined ? (short === text ? '' : text) : bodyOf(details);
  return {
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(task !== undefined && { task }),
    ...(parentContext !== undefined && { parentContext }),
    summary: short === '' ? opening(text) : short.slice(0, SUMMARY * 3),
    ...(rest !== '' && { details: rest.slice(0, LONGEST_DETAILS) }),
    files: [...new Set(listed.length > 0 ? listed : mentioned)].slice(0, MOST_ITEMS),
    recommendations: listOf(advice),
  };
}
