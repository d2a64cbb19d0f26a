/** The line with which a client's instructions load a file: `@path`, or `@import path` as some write it. */
const loads = (line: string, target: string): boolean => [`@${target}`, `@import ${target}`].includes(line.trim());

/** The instructions with the line that loads the master at their end; the same text when it is there. */
export function withImport(text: string, target: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (text.split(/\r?\n/).some((line) => loads(line, target))) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}@${target}${eol}`;
}

/** The instructions without that line; every other byte stays. */
export const withoutImport = (text: string, target: string): string => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).filter((line) => !loads(line, target)).join('');
