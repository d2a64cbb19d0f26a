/** Git writes both versions of a part that two branches changed into the file, between lines of seven or more such characters. */

const MARKER = /^\uFEFF?(?:<{7,}|>{7,})(?:[ \t].*)?\r?$/m;

/** Whether an unfinished merge left a marker at the start of a line, even without its counterpart. */
export const hasConflictMarkers = (text: string): boolean => (text.includes('<<<<<<<') || text.includes('>>>>>>>')) && MARKER.test(text);

/** The line of the first marker, counted from one. */
export const markerLine = (text: string): number => text.slice(0, MARKER.exec(text)?.index ?? 0).split('\n').length;

/** A text with a blank before lines that look like markers, so that git and Holdfast do not read them as markers. */
export const withoutMarkers = (text: string): string =>
  hasConflictMarkers(text) ? text.replace(/^(\uFEFF?)(?=(?:<{7,}|>{7,})(?:[ \t].*)?\r?$)/gm, '$1 ') : text;

export interface Versions {
  readonly ours: string;
  readonly theirs: string;
  /** The common base, if git writes it (`merge.conflictStyle` diff3 or zdiff3). */
  readonly base?: string;
}

type Part = 'both' | 'ours' | 'base' | 'theirs';

const isMarker = (line: string, character: string, size: number): boolean => {
  const bare = line.replace(/\r?\n$/, '');
  return bare.startsWith(character.repeat(size)) && (bare.length === size || /[ \t]/.test(bare.charAt(size)));
};

/** The two whole files that a file with markers was made of; undefined when the markers do not pair up. */
export function versionsIn(text: string): Versions | undefined {
  const sides = { ours: '', base: '', theirs: '' };
  let [part, size, hunks, bases]: [Part, number, number, number] = ['both', 0, 0, 0];
  for (const line of text.replace(/^\uFEFF/, '').split(/(?<=\n)/)) {
    if (part === 'both') {
      const opening = /^<{7,}(?=[ \t\r\n]|$)/.exec(line)?.[0].length;
      if (opening === undefined && /^>{7,}(?=[ \t\r\n]|$)/.test(line)) return undefined;
      if (opening === undefined) for (const side of ['ours', 'base', 'theirs'] as const) sides[side] += line;
      else [part, size, hunks] = ['ours', opening, hunks + 1];
    } else if (isMarker(line, '<', size)) return undefined;
    else if (part === 'ours' && isMarker(line, '|', size)) [part, bases] = ['base', bases + 1];
    else if (isMarker(line, '=', size)) {
      if (part === 'theirs') return undefined;
      part = 'theirs';
    } else if (isMarker(line, '>', size)) {
      if (part !== 'theirs') return undefined;
      part = 'both';
    } else sides[part] += line;
  }
  if (part !== 'both' || hunks === 0) return undefined;
  return { ours: sides.ours, theirs: sides.theirs, ...(bases === hunks && { base: sides.base }) };
}

const lineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Two whole texts as one file with markers, which are longer than any line of either that looks like one. */
export function markVersions({ ours, theirs, base }: Versions): string {
  const all = `${ours}\n${theirs}\n${base ?? ''}`;
  let size = 7;
  while (new RegExp(`^(?:<{${size}}|>{${size}}|={${size}}|\\|{${size}})`, 'm').test(all)) size += 1;
  const mark = (character: string, label: string): string => `${character.repeat(size)}${label}\n`;
  const common = base === undefined ? '' : mark('|', ' base') + lineEnd(base);
  return `${mark('<', ' ours')}${lineEnd(ours)}${common}${mark('=', '')}${lineEnd(theirs)}${mark('>', ' theirs')}`;
}
