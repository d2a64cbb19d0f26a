import type { Category } from '../../core/record/category.ts';
import { frameOf } from '../../render/markdown/layout.ts';

/** Compiling a pattern takes longer than all other work on a start's texts, so a cheap test of the text decides whether a pattern is used at all. */

export const splitLines = (text: string): string[] => (text.includes('\r') ? text.split(/\r?\n/) : text.split('\n'));

/** A line without its list mark and without surrounding blanks. */
export function withoutListMark(line: string): string {
  const text = line.trim();
  const first = text.charAt(0);
  if (first === '-' || first === '*') {
    const rest = line.trimStart().slice(1);
    const item = rest.trimStart();
    return item.length < rest.length ? item.trimEnd() : text;
  }
  return first >= '0' && first <= '9' ? line.replace(/^\s*\d+[.)]\s+/, '').trim() : text;
}

/** Replaces all white space between words by one blank. */
export const withSingleSpaces = (text: string): string => (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text);

export const endsWithAnyOf = (text: string, marks: string): boolean => text !== '' && marks.includes(text.slice(-1));

export interface Gist {
  readonly gist: string;
  readonly detail: string;
}

/** The sections that sum a record up, by heading and by JSON field; the first is the gist, the others follow when there is room. */
const GIST_SECTIONS: Readonly<Record<Category, readonly (readonly [heading: string, field: string])[]>> = {
  decision: [
    ['Decision', 'decision'],
    ['Rationale', 'rationale'],
    ['Consequences', 'consequences'],
  ],
  constraint: [
    ['Rule', 'rule'],
    ['Workarounds', 'workarounds'],
    ['Impact', 'impact'],
  ],
  runbook: [
    ['Steps', 'steps'],
    ['Trigger', 'trigger'],
    ['Root Cause', 'root_cause'],
    ['Verification', 'verification'],
  ],
  tech_debt: [
    ['Description', 'description'],
    ['Reason Deferred', 'reason_deferred'],
    ['Suggested Fix', 'suggested_fix'],
  ],
  preference: [
    ['Preference', 'value'],
    ['Reason', 'reason'],
  ],
  analysis: [
    ['Summary', 'summary'],
    ['Key Findings', 'key_findings'],
    ['Recommendations', 'recommendations'],
  ],
  session_summary: [
    ['Goal', 'goal'],
    ['In Progress', 'in_progress'],
    ['Blockers', 'blockers'],
    ['Next Actions', 'next_actions'],
  ],
  subagent_report: [
    ['Summary', 'summary'],
    ['Recommendations', 'recommendations'],
  ],
};

/** Placeholder for missing content. */
const PLACEHOLDER = /^(?:not recorded|none|n\/a|nothing|stated by the user)\.?$/i;
/** As long as `stated by the user.` */
const LONGEST_PLACEHOLDER = 19;

/** A record's gist, and details that do not repeat title or gist. */
export function gistOf(category: Category, path: string, text: string, title: string): Gist {
  const sections = recordSections(path, text);
  const fields = GIST_SECTIONS[category].map(([heading, field]) => ({ heading, text: sections.get(heading) ?? sections.get(field) ?? '' }));
  const [first, ...rest] = fields.filter((section) => section.text !== '');
  if (!first) return { gist: sections.get('') ?? '', detail: '' };
  const shownText = `${title}\n${first.text}`.toLowerCase();
  const newSections = rest.filter((section) => !shownText.includes(section.text.toLowerCase()));
  return { gist: first.text, detail: newSections.map((section) => `${section.heading}: ${section.text}`).join(' ') };
}

/** The texts of a record's file by heading or field, each on one line; text without a heading is under ''. */
export function recordSections(path: string, text: string): ReadonlyMap<string, string> {
  return path.endsWith('.json') ? jsonFields(text) : markdownFields(text);
}

function markdownFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let heading = '';
  for (const raw of splitLines(frameOf(text)?.body ?? text)) {
    const title = raw.startsWith('##') ? /^##\s+(.+?)\s*$/.exec(raw)?.[1] : undefined;
    if (title !== undefined) heading = title;
    else if (!isTitleOrFact(raw)) addLine(fields, heading, raw);
  }
  return fields;
}

/** Whether a line is the title, or a fact that the front matter has too. */
const isTitleOrFact = (raw: string): boolean => (raw.startsWith('#') || raw.startsWith('**')) && /^#\s|^\*\*[\w ]+\*\*:/.test(raw);

function jsonFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  try {
    const { content } = JSON.parse(text) as { readonly content?: Readonly<Record<string, unknown>> };
    for (const [field, value] of Object.entries(content ?? {})) {
      for (const line of Array.isArray(value) ? value : [value]) if (typeof line === 'string') addLine(fields, field, line);
    }
  } catch {
    fields.clear();
  }
  return fields;
}

function addLine(fields: Map<string, string>, heading: string, raw: string): void {
  const line = withSingleSpaces(withoutListMark(raw));
  if (line === '' || (line.length <= LONGEST_PLACEHOLDER && PLACEHOLDER.test(line))) return;
  const before = fields.get(heading);
  fields.set(heading, before === undefined ? line : `${before}${endsWithAnyOf(before, '.!?;:') ? '' : ';'} ${line}`);
}
