import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** How many requirements each source document has, and how many conflicts were resolved. */
const COUNTS: readonly (readonly [prefix: string, count: number])[] = [
  ['S0-', 77],
  ['S1-', 82],
  ['S2-', 50],
  ['S3-', 107],
  ['K', 25],
];

export const REQUIREMENT_IDS: readonly string[] = COUNTS.flatMap(([prefix, count]) => Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`));

export interface Row {
  readonly id: string;
  readonly statement: string;
  readonly state: string;
  readonly tests: readonly string[];
}

/** The rows of the tables in `docs/requirements.md`, in order. */
export const requirementRows = (markdown: string): readonly Row[] =>
  markdown.split('\n').flatMap((line) => {
    const [before, id = '', statement = '', state = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (before !== '' || !/^(?:S\d-\d+|K\d+)$/.test(id)) return [];
    const named = tests.split('<br>').map((test) => test.trim().replaceAll(/^`|`$/g, ''));
    return [{ id, statement, state: state.replaceAll('`', ''), tests: named.filter((test) => test !== '' && test !== '–') }];
  });

/** The problem with a named test, if any. */
const testFault = (root: string, named: string): string | undefined => {
  const [file = '', title = ''] = named.split(' › ');
  if (title === '') return `"${named}" is not of the form test/file.test.ts › title`;
  if (!/^test\/.*\.test\.ts$/.test(file) || !existsSync(path.join(root, file))) return `there is no test file ${file}`;
  const source = readFileSync(path.join(root, file), 'utf8');
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`)) ? undefined : `${file} has no test titled "${title}"`;
};

/** Every fault of the table, as `id: what is wrong`; an empty list is a sound table. */
export const requirementFaults = (markdown: string, root: string): readonly string[] => {
  const rows = requirementRows(markdown);
  const ids = rows.map((row) => row.id);
  return [
    ...REQUIREMENT_IDS.filter((id) => !ids.includes(id)).map((id) => `${id}: has no row`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id}: has two rows`),
    ...ids.filter((id) => !REQUIREMENT_IDS.includes(id)).map((id) => `${id}: is no requirement`),
    ...rows.flatMap(({ id, statement, state, tests }) => [
      ...(statement === '' ? [`${id}: says nothing`] : []),
      ...(['open', 'part', 'done'].includes(state) ? [] : [`${id}: the state is "${state}", not open, part or done`]),
      ...(state === 'done' && tests.length === 0 ? [`${id}: is done but names no test`] : []),
      ...tests.map((named) => testFault(root, named)).flatMap((fault) => (fault === undefined ? [] : [`${id}: ${fault}`])),
    ]),
  ];
};
