import { withoutMarks } from '../summary/text.ts';

/** What a plan or a report lists as decided. */
export interface PlanDecisions {
  /** What the plan is for; empty where it does not say. */
  readonly plan: string;
  readonly items: readonly PlanItem[];
  /** The user handed the plan over or approved it; otherwise an agent reported it. */
  readonly isApproved: boolean;
}

export interface PlanItem {
  /** What the item is about, where the plan names it first; empty otherwise. */
  readonly label: string;
  readonly text: string;
}

const READ_LIMIT = 60_000;
const TITLE = /^#\s+(?:(?:implementation |project )?plan\s*[:—–-]+\s*)?(.{8,120})$/im;
const HEADING = /^\s*(?:#{1,6}\s+(.+?)|\*\*([^*]+?)\*\*:?)\s*$/;
/** Decisions that were taken; criteria by which to decide, and decisions that are still open, are others. */
const DECIDED =
  /^(?:(?:key|main|major|design|product|user|technical|agreed|confirmed|architectur\w+|implementation) ){0,3}decisions?(?: (?:made|taken))?(?: \((?![^)]*\b(?:open|pending|needed)\b)[^)]*\))?:?$/i;
const ITEM = /^(?:[-*+]|\d+[.)])\s+(.+)$/;
const LABEL = /^(?:\*\*|__)([^*_]{2,60}?):?(?:\*\*|__)\s*[:—–-]*\s*(?=\S)/;
/** Not decided after all. */
const OPEN = /\?\s*$|\b(?:tbd|to be (?:decided|confirmed)|open question)\b/i;
const LONGEST_HEADING = 200;
const SHORTEST = 16;
const LONGEST = 400;
/** One entry alone is mostly a remark; more than a dozen is a specification. */
const FEWEST = 2;
const MOST = 12;

function itemsAfter(lines: readonly string[]): PlanItem[] {
  const items: PlanItem[] = [];
  for (const line of lines) {
    const found = ITEM.exec(line)?.[1];
    if (found !== undefined) {
      const label = withoutMarks(LABEL.exec(found)?.[1] ?? '');
      const text = withoutMarks(found);
      if (text.length >= SHORTEST && text.length <= LONGEST && !OPEN.test(text)) items.push({ label, text });
    } else if (line.trim() !== '' && !/^\s{2,}\S/.test(line)) break;
  }
  return items;
}

/** The decisions that a text lists under a heading of that name; undefined where it has none. */
export function listedDecisions(text: string): Omit<PlanDecisions, 'isApproved'> | undefined {
  if (!/decision/i.test(text)) return undefined;
  const lines = text.slice(0, READ_LIMIT).replaceAll('\r', '').split('\n');
  const plan = withoutMarks(TITLE.exec(lines.join('\n'))?.[1] ?? '');
  const at = lines.findIndex((line) => {
    const [, heading, emphasis] = line.length > LONGEST_HEADING ? [] : (HEADING.exec(line) ?? []);
    return DECIDED.test((heading ?? emphasis ?? '').trim());
  });
  const items = at < 0 ? [] : itemsAfter(lines.slice(at + 1));
  return items.length < FEWEST || items.length > MOST ? undefined : { plan, items };
}
