/** Whether a line opens a code fence or HTML comment, is inside one, or is plain; `dangling` lines open a block that is never closed. */
export type LineState = 'plain' | 'dangling' | 'open' | 'inside';

const MARKERS = String.raw`[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`;
const OPENER = new RegExp(`^${MARKERS}(${'`{3,}(?=[^`]*$)'}|~{3,}|<!--)`);
const CLOSER = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
const ESCAPABLE = new RegExp(String.raw`^(${MARKERS})(\\*)(?:${'`{3}'}|~{3}|<!--)`);
const ESCAPABLE_HEADING = /^()(\\*)#{1,2}[ \t]+\S/;
const COMMENT_END = /--(\\*)>/g;
const ANY_BLOCK = /```|~~~|<!--/;

/** For each line, the longest closing fence of either kind from there on, and whether a comment ends from there on. */
function closersFrom(lines: readonly string[]): { fence: Record<string, number[]>; comment: boolean[] } {
  const ticks: number[] = Array.from({ length: lines.length + 1 }, () => 0);
  const tildes = [...ticks];
  const comment = ticks.map(() => false);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    const fence = CLOSER.exec(line)?.[1] ?? '';
    ticks[at] = Math.max(ticks[at + 1] ?? 0, fence.startsWith('`') ? fence.length : 0);
    tildes[at] = Math.max(tildes[at + 1] ?? 0, fence.startsWith('~') ? fence.length : 0);
    comment[at] = (comment[at + 1] ?? false) || line.includes('-->');
  }
  return { fence: { '`': ticks, '~': tildes }, comment };
}

function endOf(opener: string, lines: readonly string[], from: number): number {
  const closes = (line: string): boolean => {
    if (opener === '<!--') return line.includes('-->');
    const fence = CLOSER.exec(line)?.[1];
    return fence !== undefined && fence[0] === opener[0] && fence.length >= opener.length;
  };
  let at = from;
  while (!closes(lines[at] ?? '')) at += 1;
  return at;
}

/** The state of each line. A block that is never closed is no block: its first line is `dangling` and the rest stays plain. */
export function blockStates(lines: readonly string[]): LineState[] {
  const states: LineState[] = lines.map(() => 'plain');
  if (!lines.some((line) => ANY_BLOCK.test(line))) return states;
  const closers = closersFrom(lines);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const opener = OPENER.exec(line)?.[1];
    if (opener === undefined) continue;
    if (opener === '<!--' && line.includes('-->', line.indexOf('<!--') + 4)) continue;
    const closed = opener === '<!--' ? closers.comment[at + 1] : (closers.fence[opener.charAt(0)]?.[at + 1] ?? 0) >= opener.length;
    if (!closed) {
      states[at] = 'dangling';
      continue;
    }
    const end = endOf(opener, lines, at + 1);
    states[at] = 'open';
    states.fill('inside', at + 1, end + 1);
    at = end;
  }
  return states;
}

export interface EscapeOptions {
  /** Escapes lines that look like headings, which count at the margin but not inside a list. */
  readonly headings: boolean;
  /** Escapes closed blocks too, for a file whose other text leaves one open. */
  readonly careful?: boolean;
}

const escapable = (line: string, headings: boolean): RegExpExecArray | null => ESCAPABLE.exec(line) ?? (headings ? ESCAPABLE_HEADING.exec(line) : null);

/** Puts a backslash before text that would end the section or hide the next one. */
export function escapeBlocks(text: string, { headings, careful = false }: EscapeOptions): string {
  const lines = text.split('\n');
  const states = careful ? lines.map((): LineState => 'dangling') : blockStates(lines);
  return lines
    .map((line, at) => {
      const state = states[at];
      if (state !== 'plain' && state !== 'dangling') return line;
      const match = escapable(line, headings);
      const [, lead = '', slashes = ''] = match ?? [];
      const isDanger = match && (slashes !== '' || state === 'dangling' || line.startsWith('#'));
      const safe = isDanger ? `${lead}\\${line.slice(lead.length)}` : line;
      return safe.replace(COMMENT_END, (end, backslashes: string) => (careful || backslashes !== '' ? `--\\${backslashes}>` : end));
    })
    .join('\n');
}

/** Removes the backslashes of `escapeBlocks`. */
export function unescapeBlocks(text: string, headings: boolean): string {
  if (!text.includes('\\')) return text;
  const lines = text.split('\n');
  const states = blockStates(lines);
  return lines
    .map((line, at) => {
      if (states[at] !== 'plain' && states[at] !== 'dangling') return line;
      const [, lead = '', slashes = ''] = escapable(line, headings) ?? [];
      const bare = slashes === '' ? line : lead + line.slice(lead.length + 1);
      return bare.replace(COMMENT_END, (_, backslashes: string) => `--${backslashes.slice(1)}>`);
    })
    .join('\n');
}
