import { withoutMarks } from '../summary/text.ts';

/** The decisions that a plan lists as the user's. */
export interface PlanDecisions {
  /** The purpose of the plan; empty if it names none. */
  readonly plan: string;
  readonly items: readonly PlanItem[];
}

export interface PlanItem {
  /** The subject of the item, if the plan names it first; else empty. */
  readonly label: string;
  readonly text: string;
}

const READ_LIMIT = 60_000;
const TITLE = /^#[ \t]{1,4}(\S.{7,140})$/m;
/** The kind of a document, which is removed from its title. */
const KIND_FIRST = /^(?:(?:implementation |project )?plan|review|phase [\d.]+)\s{0,4}[:—–-]+\s{0,4}/i;
const KIND_LAST = /\s{1,4}[:—–-]+\s{1,4}(?:context|plan|design|decisions?|discussion|notes)\s{0,4}$/i;
const HEADING = /^\s*(?:#{1,6}\s+(.+?)|\*\*([^*]+?)\*\*:?)\s*$/;
/** Headings for decisions that were made; criteria and open decisions do not match. */
const DECIDED =
  /^(?:(?:key|main|major|design|product|user|technical|agreed|confirmed|architectur\w+|implementation) ){0,3}decisions?(?: (?:made|taken))?(?: \((?![^)]*\b(?:open|pending|needed)\b)[^)]*\))?:?$/i;
const ITEM = /^(?:[-*+]|\d+[.)])\s+(.+)$/;
const LABEL = /^(?:\*\*|__)([^*_]{2,60}?):?(?:\*\*|__)\s*[:—–-]*\s*(?=\S)/;
/** Headings that name the decisions as the user's. An agent's own decisions stay in the plan. */
const BY_USER = /\b(?:users?|you|agreed|confirmed|approved)\b/i;
/** Signs that a decision is still open. */
const OPEN = /\?\s*$|\b(?:tbd|to be (?:decided|confirmed)|open question)\b/i;
const LONGEST_HEADING = 200;
const SHORTEST = 16;
const LONGEST = 400;
/** A single entry is usually a remark, more than a dozen are a specification. */
const FEWEST = 2;
const MOST = 12;

function itemsAfter(lines: readonly string[]): PlanItem[] {
  const items: PlanItem[] = [];
  for (const line of lines) {
    const entry = ITEM.exec(line)?.[1];
    if (entry !== undefined) {
      const label = withoutMarks(LABEL.exec(entry)?.[1] ?? '');
      const text = withoutMarks(entry);
      if (text.length >= SHORTEST && text.length <= LONGEST && !OPEN.test(text)) items.push({ label, text });
    } else if (line.trim() !== '' && !/^\s{2,}\S/.test(line)) break;
  }
  return items;
}

/** The subject of a document, from its first heading; empty if it has none. */
export function documentTitle(text: string): string {
  const title = TITLE.exec(text.slice(0, READ_LIMIT).replaceAll('\r', ''))?.[1] ?? '';
  return withoutMarks(title.replace(KIND_FIRST, '').replace(KIND_LAST, ''));
}

/** The decisions that a plan lists as the user's under a heading of that name; undefined if it has none. */
export function listedDecisions(text: string): PlanDecisions | undefined {
  if (!/decision/i.test(text)) return undefined;
  const lines = text.slice(0, READ_LIMIT).replaceAll('\r', '').split('\n');
  const at = lines.findIndex((line) => {
    const [, heading, emphasis] = line.length > LONGEST_HEADING ? [] : (HEADING.exec(line) ?? []);
    const name = (heading ?? emphasis ?? '').trim();
    return DECIDED.test(name) && BY_USER.test(name);
  });
  const items = at < 0 ? [] : itemsAfter(lines.slice(at + 1));
  return items.length < FEWEST || items.length > MOST ? undefined : { plan: documentTitle(text), items };
}
