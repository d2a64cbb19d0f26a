/** One `key = value` of a git config file; section and key are lower-case, as git compares them. */
export interface ConfigLine {
  readonly section: string;
  readonly subsection: string;
  readonly key: string;
  readonly value: string;
}

const HEADER = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;
const PAIR = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s;

/** Takes the quotes, escapes and comment off a value. */
function unquoted(raw: string): string {
  let value = '';
  let quoted = false;
  let end = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const letter = raw[at] as string;
    if (letter === '"') quoted = !quoted;
    else if (letter === '\\') {
      at += 1;
      const escaped = raw[at] ?? '';
      value += escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped === 'b' ? '\b' : escaped;
    } else if (!quoted && (letter === '#' || letter === ';')) break;
    else value += letter;
    if (quoted || !/\s/.test(letter)) end = value.length;
  }
  return value.slice(0, end);
}

/** Reads a git config file without its includes; skips lines that it cannot parse. */
export function parseGitConfig(text: string): ConfigLine[] {
  const lines: ConfigLine[] = [];
  let section = '';
  let subsection = '';
  for (const raw of text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\\\r?\n/g, '')
    .split(/\r?\n/)) {
    const header = HEADER.exec(raw);
    if (header !== null) {
      section = (header[1] ?? '').toLowerCase();
      subsection = (header[2] ?? '').replaceAll(/\\(.)/g, '$1');
    }
    const rest = header === null ? raw : (header[3] ?? '');
    const [, key, value] = PAIR.exec(rest) ?? [];
    if (key !== undefined) lines.push({ section, subsection, key: key.toLowerCase(), value: value === undefined ? 'true' : unquoted(value) });
  }
  return lines;
}

export const lastValue = (lines: readonly ConfigLine[], section: string, key: string): string | undefined =>
  lines.findLast((line) => line.section === section && line.subsection === '' && line.key === key)?.value;
