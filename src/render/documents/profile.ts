import { oneLine } from '../views/row.ts';
import { addItems, listItems, type ListItem } from './items.ts';
import { withSection } from './sections.ts';

/** The source of an entry about the user. */
export type Learned = 'explicit' | 'observed' | 'feedback' | 'imported';

/** One fact about the user: a line of a category's document. */
export interface ProfileEntry {
  readonly item: ListItem;
  readonly topic?: string;
  /** Its text, without its topic. */
  readonly text: string;
}

const TOPIC = /^\*\*(.{1,80}?)\*\*\s*:\s*(.+)$/;

export const profileEntries = (source: string): ProfileEntry[] =>
  listItems(source).map((item) => {
    const [, topic, text] = TOPIC.exec(item.text) ?? [];
    return topic === undefined || text === undefined ? { item, text: item.text } : { item, topic: topic.trim(), text: text.trim() };
  });

export const sameWords = (a: string, b: string): boolean => a.replace(/\s+/g, ' ').trim().toLowerCase() === b.replace(/\s+/g, ' ').trim().toLowerCase();

const categoryTitle = (category: string): string => category.charAt(0).toUpperCase() + category.slice(1).replaceAll('-', ' ');

/** The document of a category without entries. */
export const emptyCategory = (category: string): string => `# ${categoryTitle(category)}\n\n<!-- What is known of you here. Edits by hand are kept. -->\n`;

export interface NewProfileEntry {
  readonly topic?: string | undefined;
  readonly text: string;
  readonly how: Learned;
  /** The day on which it was learned. */
  readonly day: string;
  /** The heading for the entry; most categories have none. */
  readonly section?: string;
}

const lineOf = ({ topic, text, how, day }: NewProfileEntry): string =>
  `- ${topic === undefined ? '' : `**${oneLine(topic).replaceAll('*', '')}**: `}${oneLine(text)} <!-- ${how} ${day} -->`;

/** Adds an entry. A known entry is not added again, and an entry with the same topic is replaced. */
export function putEntry(source: string, entry: NewProfileEntry): string {
  const known = profileEntries(source);
  const { topic } = entry;
  if (known.some((one) => sameWords(one.text, oneLine(entry.text)) && (topic === undefined || (one.topic !== undefined && sameWords(one.topic, topic)))))
    return source;
  const old = topic === undefined ? undefined : known.find((one) => one.topic !== undefined && sameWords(one.topic, topic));
  if (old) {
    const lines = source.split('\n');
    const end = (lines[old.item.line] ?? '').endsWith('\r') ? '\r' : '';
    lines[old.item.line] = lineOf(entry) + end;
    return lines.join('\n');
  }
  return entry.section === undefined
    ? addItems(source, [lineOf(entry)])
    : withSection(source, entry.section, (body) => addItems(body, [lineOf(entry)]).replace(/^\n+/, ''));
}
