import type { Category } from '../../core/record/category.ts';
import { frameOf } from '../../render/markdown/layout.ts';

/** Making a pattern ready takes a start longer than all its texts do, so patterns are asked only where a first look says that they could fit. */

export const splitLines = (text: string): string[] => (text.includes('\r') ? text.split(/\r?\n/) : text.split('\n'));

/** A line without the mark of a list before it and without the blanks around it. */
export function unlisted(line: string): string {
  const text = line.trim();
  const first = text.charAt(0);
  if (first === '-' || first === '*') {
    const rest = line.trimStart().slice(1);
    const item = rest.trimStart();
    return item.length < rest.length ? item.trimEnd() : text;
  }
  return first >= '0' && first <= '9' ? line.replace(/^\s*\d+[.)]\s+/, '').trim() : text;
}

/** All blanks between words as one. */
export const spaced = (text: string): string => (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text);

/** Whether it ends with one of these characters. */
export const endsWithOne = (text: string, marks: string): boolean => text !== '' && marks.includes(text.slice(-1));

export interface Gist {
  readonly gist: string;
  readonly detail: string;
}

/** The sections that say what a record comes down to, by heading and by JSON field; the first is the gist, the others go with it when there is room. */
const TELLING: Readonly<Record<Category, readonly (readonly [heading: string, field: string])[]>> = {
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
const UNSAID = /^(?:not recorded|none|n\/a|nothing|stated by the user)\.?$/i;
/** As long as `stated by the user.` */
const LONGEST_UNSAID = 19;

/** A record's content in short and at more length, without repeating the title or the gist. */
export function gistOf(category: Category, path: string, text: string, title: string): Gist {
  const sections = recordSections(path, text);
  const fields = TELLING[category].map(([heading, field]) => ({ heading, text: sections.get(heading) ?? sections.get(field) ?? '' }));
  const [first, ...rest] = fields.filter((section) => section.text !== '');
  if (!first) return { gist: sections.get('') ?? '', detail: '' };
  const shownText = `${title}\n${first.text}`.toLowerCase();
  const more = rest.filter((section) => !shownText.includes(section.text.toLowerCase()));
  return { gist: first.text, detail: more.map((section) => `${section.heading}: ${section.text}`).join(' ') };
}

/** The texts of a record's file by heading or field, each on one line; '' is what stands under no heading. */
export function recordSections(path: string, text: string): ReadonlyMap<string, string> {
  return path.endsWith('.json') ? fromJson(text) : fromMarkdown(text);
}

function fromMarkdown(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let heading = '';
  for (const raw of splitLines(frameOf(text)?.body ?? text)) {
    const title = raw.startsWith('##') ? /^##\s+(.+?)\s*$/.exec(raw)?.[1] : undefined;
    if (title !== undefined) heading = title;
    else if (!isAside(raw)) add(found, heading, raw);
  }
  return found;
}

/** The title, and facts that the front matter says as well. */
const isAside = (raw: string): boolean => (raw.startsWith('#') || raw.startsWith('**')) && /^#\s|^\*\*[\w ]+\*\*:/.test(raw);

function fromJson(text: string): Map<string, string> {
  const found = new Map<string, string>();
  try {
    const { content } = JSON.parse(text) as { readonly content?: Readonly<Record<string, unknown>> };
    for (const [field, value] of Object.entries(content ?? {})) {
      for (const line of Array.isArray(value) ? value : [value]) if (typeof line === 'string') add(found, field, line);
    }
  } catch {
    found.clear();
  }
  return found;
}

function add(found: Map<string, string>, heading: string, raw: string): void {
  const line = spaced(unlisted(raw));
  if (line === '' || (line.length <= LONGEST_UNSAID && UNSAID.test(line))) return;
  const before = found.get(heading);
  found.set(heading, before === undefined ? line : `${before}${endsWithOne(before, '.!?;:') ? '' : ';'} ${line}`);
}
