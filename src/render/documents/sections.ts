import { eolOf } from '../record.ts';
import { blockStates } from '../markdown/blocks.ts';

/** A `## heading` of a document with the text below it. Head and sections joined are the document. */
export interface DocumentSection {
  readonly title: string;
  /** The heading's line, with its line end. */
  readonly heading: string;
  readonly body: string;
}

export interface Sections {
  /** The text before the first section. */
  readonly head: string;
  readonly sections: readonly DocumentSection[];
}

const HEADING = /^##[ \t]+(.*?)[ \t]*#*[ \t]*$/;

/** Splits a document at its second-level headings; a heading inside a fence or a comment is text. */
export function splitSections(source: string): Sections {
  const raws = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const texts = raws.map((raw) => raw.replace(/\r?\n$/, ''));
  const states = blockStates(texts);
  const starts = texts.flatMap((text, at) => (states[at] !== 'inside' && HEADING.test(text) ? [at] : []));
  return {
    head: raws.slice(0, starts[0] ?? raws.length).join(''),
    sections: starts.map((at, index) => ({
      title: HEADING.exec(texts[at] ?? '')?.[1] ?? '',
      heading: raws[at] ?? '',
      body: raws.slice(at + 1, starts[index + 1] ?? raws.length).join(''),
    })),
  };
}

const sameTitle = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The text under a heading; undefined if there is no such heading. */
export const sectionBody = (source: string, title: string): string | undefined =>
  splitSections(source).sections.find((section) => sameTitle(section.title, title))?.body;

/** The document with one section's text changed, or the section added at its end; every other byte stays. */
export function withSection(source: string, title: string, edit: (body: string) => string): string {
  const eol = eolOf(source);
  const { head, sections } = splitSections(source);
  const at = sections.findIndex((section) => sameTitle(section.title, title));
  const existing = sections[at];
  if (!existing) {
    const gap = source === '' || source.endsWith(eol + eol) ? '' : source.endsWith('\n') ? eol : eol + eol;
    return `${source}${gap}## ${title}${eol}${withLineEnd(edit(''), eol)}`;
  }
  const isLast = at === sections.length - 1;
  const body = edit(existing.body);
  if (body === existing.body) return source;
  const heading = existing.heading.endsWith('\n') ? existing.heading : existing.heading + eol;
  const next = isLast ? withLineEnd(body, eol) : `${withLineEnd(body, eol).replace(/(?:\r?\n)+$/, '')}${eol}${eol}`;
  return head + sections.map((section, index) => (index === at ? heading + next : section.heading + section.body)).join('');
}

const withLineEnd = (text: string, eol: string): string => {
  const lines = text.replace(/\r?\n/g, eol);
  return lines === '' || lines.endsWith(eol) ? lines : lines + eol;
};
