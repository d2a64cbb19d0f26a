/** One line without anything that a reader of the view could take for its structure. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll('<!--', '<! --')
    .trim();

/** A table's cell: a bar inside it would begin the next one. */
const cell = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`);

export const tableRow = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export const tableHead = (names: readonly string[]): string[] => [
  `| ${names.join(' | ')} |`,
  `|${names.map((name) => '-'.repeat(name.length + 2)).join('|')}|`,
];
