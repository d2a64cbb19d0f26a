import { epochOf, utcSeconds } from '../../core/instant.ts';
import { HISTORY } from './from-commits.ts';
import type { Item, MasterSection } from './item.ts';
import { sharedTopics, themesOf, topicsOf } from './theme.ts';

export const HEADINGS: readonly (readonly [MasterSection, string])[] = [
  ['status', 'Current Status'],
  ['decisions', 'Key Decisions'],
  ['learnings', 'Learnings & Discoveries'],
  ['evolution', 'Evolution & Changes'],
  ['questions', 'Active Questions'],
];

/** The heading lines of a master with fixed sections. */
export const SECTION_HEADINGS = HEADINGS.map(([, heading]) => `## ${heading}`);

const THEMED: ReadonlySet<MasterSection> = new Set(['decisions', 'learnings']);

export interface MasterFacts {
  readonly at: number;
  readonly conversations: number;
  readonly docs: number;
  readonly structure: 'fixed' | 'dynamic';
  /** The display name of each theme. */
  readonly names?: ReadonlyMap<string, string>;
  /** Items that were left out because the text would have become too long. */
  readonly pruned: number;
  readonly scope?: string;
}

const date = (at: number): string => utcSeconds(at).slice(0, 10);

/** A list item with its source, which readers and the next synthesis can look up. */
const bullet = ({ text, ref, at }: Item): string => `- ${text}${ref === '' ? '' : ` *(${at > 0 && ref !== HISTORY ? `${date(at)}, ` : ''}${ref})*`}`;

const themed = (items: readonly Item[], topics: ReadonlySet<string>, names: MasterFacts['names']): string =>
  themesOf(items, topics, names)
    .map(({ name, items: group }, _index, all) => `${all.length > 1 ? `### ${name}\n\n` : ''}${group.map(bullet).join('\n')}`)
    .join('\n\n');

const NOTHING = '- Nothing yet';

/** Renders the master, grouped by theme. */
export function renderMaster(items: readonly Item[], facts: MasterFacts): string {
  const body = facts.structure === 'dynamic' ? dynamicSections(items, facts.names) : fixedSections(items, facts.names);
  const prunedNote = facts.pruned > 0 ? `\n\n*${facts.pruned} older items were left out; holdfast search finds what they came from.*` : '';
  const title = facts.scope === undefined ? '# Project Memory' : `# Project Memory: ${facts.scope}`;
  return [
    title,
    ...body,
    `---${prunedNote}\n\n*Last synthesized: ${date(facts.at)}*\n*Source: ${facts.conversations} conversations, ${facts.docs} docs*\n`,
  ].join('\n\n');
}

function fixedSections(items: readonly Item[], names: MasterFacts['names']): string[] {
  const topics = sharedTopics(items.filter(({ section }) => THEMED.has(section)));
  return HEADINGS.map(([section, heading]) => {
    const sectionItems = items.filter((item) => item.section === section);
    const text = sectionItems.length === 0 ? NOTHING : THEMED.has(section) ? themed(sectionItems, topics, names) : sectionItems.map(bullet).join('\n');
    return `## ${heading}\n\n${text}`;
  });
}

/** Sections named after themes, between the status and the questions. */
function dynamicSections(items: readonly Item[], names: MasterFacts['names']): string[] {
  const of = (section: MasterSection): Item[] => items.filter((item) => item.section === section);
  const rest = items.filter(({ section }) => section !== 'status' && section !== 'questions');
  const themes = themesOf(rest, sharedTopics(rest), names);
  const sectionText = (heading: string, own: readonly Item[]): string => `## ${heading}\n\n${own.length === 0 ? NOTHING : own.map(bullet).join('\n')}`;
  return [
    sectionText('Current Status', of('status')),
    ...themes.map(({ name, items: group }) => sectionText(name, group)),
    sectionText('Active Questions', of('questions')),
  ];
}

const BULLET = /^- (.+?)(?: \*\((?:(\d{4}-\d{2}-\d{2}), )?([^()]+)\)\*)?$/;

/** Whether Holdfast generated the text, so that its lines can be reused. */
export const isGenerated = (text: string): boolean => /^\*Last synthesized: \d{4}-\d{2}-\d{2}\*$/m.test(text);

/** The items of a master, including those that a person added by hand. */
export function parseMaster(text: string): Item[] {
  const items: Item[] = [];
  let section: MasterSection | undefined;
  let theme: string | undefined;
  for (const row of text.split(/\r?\n/)) {
    const heading = /^##\s+(.+?)\s*$/.exec(row)?.[1];
    if (heading !== undefined) {
      section = HEADINGS.find(([, name]) => name.toLowerCase() === heading.toLowerCase())?.[0] ?? 'learnings';
      theme = undefined;
    }
    theme = /^###\s+(.+?)\s*$/.exec(row)?.[1] ?? theme;
    const [, statement, day, ref = ''] = BULLET.exec(row) ?? [];
    if (section === undefined || statement === undefined || row === NOTHING) continue;
    items.push({ section, text: statement, ref, at: epochOf(day) ?? 0, topics: topicsOf(statement, theme === undefined ? [] : [theme], []), files: [] });
  }
  return items;
}
