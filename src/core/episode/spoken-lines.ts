/** Beginnings of lines of machine output: logs, traces, listings, diffs, addresses. */
const BEGINS = [
  String.raw`at \S+ ?\(|at https?:|File "|Traceback \(|\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d{2}[:.\]]|\d+\s*[→|│]|\$ |>>> |E {2,}`,
  String.raw`@@|diff --git|index [0-9a-f]{6}|\+\+\+ |--- [ab/]|={3,}|_{3,}|\[[A-Z][\w .-]*\] |\w+ @ \S+:\d+|[│├└]|https?:\/\/\S+$|\S+@\S+:\S+$`,
];
const STARTS = new RegExp(`^\\s*(?:${BEGINS.join('|')})`);
const KEYWORDS = '(?:const|let|var|def|class|function|interface|type|return|import|from|assert|elif|else|with|for|while|if)';
const CODE_LINE = new RegExp(
  String.raw`^\s*(?:(?:export |async |public |private )?${KEYWORDS}\b.*[:;{(]|@\w+|#include|<\/?[A-Za-z][\w.-]*(?:\s[^>]*)?\/?>)\s*$`,
);
const CODE_END = /[;{}]\s*$|=>\s*$/;
const DIFF_START = /^(?:diff --git|@@ )/;

const isWordLike = (code: number): boolean => code > 0x7f || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 32 || code === 9;

function lettersOf(line: string): number {
  let count = 0;
  for (let at = 0; at < line.length; at++) if (isWordLike(line.charCodeAt(at))) count++;
  return count;
}

function isMachineLine(line: string): boolean {
  if (line.length > 4_000 || STARTS.test(line) || CODE_LINE.test(line)) return true;
  if (CODE_END.test(line) && !/^\s*(?:[-*]|\d+[.)])\s/.test(line) && !/[a-z]{3,}.*[a-z]{3,}.*[a-z]{3,}\s+\S+;$/.test(line)) return true;
  return line.length > 24 && lettersOf(line) < line.length * 0.6;
}

const TABLE_RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?\|?\s*$/;

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

/** The rows of a table as sentences of their cells, without its head. */
function withoutTables(lines: string[]): string[] {
  return lines.map((line, at) => {
    if (TABLE_RULE.test(line) || TABLE_RULE.test(lines[at + 1] ?? '')) return '';
    return /^\s*\|.*\|\s*$/.test(line) ? cellsOf(line).join(' — ') : line;
  });
}

/** Shortens long runs of blanks, which mean nothing and slow patterns down. */
const LONG_GAP = /[^\S\n]{20,}/g;

/** A text's lines. Lines of fenced code, quotes, diffs and machine output are emptied, so that line numbers stay. */
export function spokenLines(text: string): string[] {
  let fence = '';
  let diff = false;
  return withoutTables(text.replace(LONG_GAP, ' '.repeat(8)).split('\n')).map((raw) => {
    // A prompt typed over several lines keeps the backslash of each line break.
    const line = raw.replace(/\\\s*$/, '');
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence)) fence = '';
      return '';
    }
    if (fence !== '') return '';
    if (DIFF_START.test(line)) diff = true;
    else if (diff && line !== '' && !/^[-+ @\\]|^index /.test(line)) diff = false;
    return diff || /^\s*>/.test(line) || isMachineLine(line) ? '' : line;
  });
}
