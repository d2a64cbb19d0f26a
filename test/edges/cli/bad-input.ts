import path from 'node:path';
import { DECISION, draftFile, type Program } from './program.ts';

const OTHER_HASH = '9e107d9d372bb6826bd81d3542a419d6';

type Argv = readonly string[] | ((cli: Program) => readonly string[]);

interface BadInput {
  readonly what: string;
  readonly argv: Argv;
  readonly exit: number;
  readonly error: string;
  /** Says what happened, where, and what to do next. */
  readonly says?: RegExp;
  readonly fields?: readonly string[];
}

const draft = (name: string, content: unknown) => (cli: Program) => draftFile(cli, name, content);
const write = (action: string, target: string, input: ((cli: Program) => string) | undefined, ...more: readonly string[]): Argv => {
  return (cli) => ['write', '--action', action, '--target', target, ...(input ? ['--input', input(cli)] : []), ...more];
};
const good = draft('good.json', { ...DECISION, title: 'Another' });

/** Wrong input: refused with its code, and nothing on the disk has changed. */
export const BAD_INPUT: readonly BadInput[] = [
  {
    what: 'a wrong category',
    argv: ['save', 'opinion', 'Tabs'],
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /^Unknown category "opinion"\. categories: session_summary, decision/,
    fields: ['category'],
  },
  {
    what: 'a wrong category of write',
    argv: write('create', 'decisions/a.md', good, '--category', 'opinion'),
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /"opinion"/,
    fields: ['category'],
  },
  {
    what: 'a wrong category of an update',
    argv: write('update', 'decisions/use-sqlite.md', good, '--category', 'opinion'),
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /"opinion"/,
    fields: ['category'],
  },
  {
    what: 'a wrong category of candidate',
    argv: ['candidate', '--category', 'opinion', '--new-info', 'x'],
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /"opinion"/,
    fields: ['category'],
  },
  {
    what: 'a wrong category of search',
    argv: ['search', 'x', '--category', 'opinion'],
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /"opinion"/,
    fields: ['category'],
  },
  {
    what: 'no category',
    argv: write('create', 'decisions/a.md', good),
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /create needs --category/,
    fields: ['category'],
  },
  {
    what: 'a title of 121 characters',
    argv: ['save', 'decision', 'x', '--title', 'a'.repeat(121)],
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /title.*120|120.*title/,
    fields: ['title'],
  },
  {
    what: 'a title of 121 characters in a draft',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'long.json', { ...DECISION, title: 'a'.repeat(121) })],
    exit: 1,
    error: 'VALIDATION_ERROR',
    fields: ['title'],
  },
  {
    what: 'a field that is none',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'extra.json', { ...DECISION, colour: 'red' })],
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /colour/,
    fields: ['colour'],
  },
  {
    what: 'a field missing in the content',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'less.json', { ...DECISION, content: { status: 'accepted' } })],
    exit: 1,
    error: 'VALIDATION_ERROR',
    says: /content\./,
  },
  {
    what: 'a target above the root',
    argv: write('create', '../../../escaped.md', good, '--category', 'decision'),
    exit: 1,
    error: 'PATH_ERROR',
    says: /outside the memory/,
  },
  { what: 'a target above its folder', argv: write('create', 'decisions/../escaped.md', good, '--category', 'decision'), exit: 1, error: 'PATH_ERROR' },
  { what: 'a target with backslashes', argv: write('create', String.raw`..\..\escaped.md`, good, '--category', 'decision'), exit: 1, error: 'PATH_ERROR' },
  {
    what: 'an absolute target elsewhere',
    argv: write('create', '/escaped.md', good, '--category', 'decision'),
    exit: 1,
    error: 'PATH_ERROR',
    says: /outside the memory/,
  },
  {
    what: "a target in another category's folder",
    argv: write('create', 'runbooks/a.md', good, '--category', 'decision'),
    exit: 1,
    error: 'PATH_ERROR',
    says: /decisions\//,
  },
  { what: 'a target that is no record', argv: write('create', 'decisions/a.txt', good, '--category', 'decision'), exit: 1, error: 'PATH_ERROR', says: /\.md/ },
  {
    what: 'a target that differs only in case',
    argv: write('create', 'decisions/Use-SQLite.md', good, '--category', 'decision'),
    exit: 1,
    error: 'PATH_ERROR',
    says: /letter case/,
  },
  {
    what: 'a target with a name that is no id',
    argv: write('create', 'decisions/a b.md', good, '--category', 'decision'),
    exit: 1,
    error: 'VALIDATION_ERROR',
    fields: ['id'],
  },
  { what: 'a target reached through a symbolic link', argv: write('create', 'linked/a.md', good, '--category', 'decision'), exit: 1, error: 'PATH_ERROR' },
  {
    what: 'a target that is a symbolic link',
    argv: write('update', 'constraints/link.md', good, '--hash', OTHER_HASH),
    exit: 1,
    error: 'PATH_ERROR',
    says: /symbolic link/,
  },
  { what: 'a folder that is a symbolic link', argv: ['save', 'runbook', 'Step one'], exit: 1, error: 'PATH_ERROR', says: /symbolic link/ },
  {
    what: 'a draft at a path with ..',
    argv: (cli) => [
      'write',
      '--action',
      'create',
      '--category',
      'decision',
      '--target',
      'decisions/a.md',
      '--input',
      `${cli.folder}/../${path.basename(cli.folder)}/good.json`,
    ],
    exit: 1,
    error: 'SECURITY_ERROR',
    says: /\.\./,
  },
  {
    what: 'broken JSON',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'broken.json', '{"title": "x"')],
    exit: 1,
    error: 'INPUT_ERROR',
    says: /not JSON/,
  },
  {
    what: 'NaN in a draft',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'nan.json', '{"title": "x", "confidence": NaN}')],
    exit: 1,
    error: 'INPUT_ERROR',
    says: /NaN/,
  },
  {
    what: 'a confidence that is the word NaN',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'nan2.json', { ...DECISION, title: 'Other', confidence: 'NaN' })],
    exit: 1,
    error: 'VALIDATION_ERROR',
    fields: ['confidence'],
  },
  {
    what: 'a draft that is a list',
    argv: (cli) => ['save', 'decision', '--input', draftFile(cli, 'list.json', [])],
    exit: 1,
    error: 'INPUT_ERROR',
    says: /a list/,
  },
  { what: 'a draft that is not there', argv: ['save', 'decision', '--input', 'no-such.json'], exit: 1, error: 'INPUT_ERROR', says: /no-such\.json/ },
  { what: 'a draft that is a folder', argv: ['save', 'decision', '--input', '.'], exit: 1, error: 'INPUT_ERROR', says: /not a file/ },
  {
    what: 'a batch with a broken line',
    argv: (cli) => ['search', '--batch', draftFile(cli, 'batch.jsonl', '{"query":"a"}\n{"query":')],
    exit: 1,
    error: 'INPUT_ERROR',
    says: /^Line 2 of /,
  },
  {
    what: 'a batch with a line without a query',
    argv: (cli) => ['search', '--batch', draftFile(cli, 'batch.jsonl', 'null\n')],
    exit: 1,
    error: 'INPUT_ERROR',
    says: /^Line 1 of .*query/,
  },
  {
    what: 'an edit that is no record any more',
    argv: (cli) => ['edit', 'use-sqlite', '--input', draftFile(cli, 'edited.md', '---\ntags: [\n---\n# Use SQLite\n')],
    exit: 1,
    error: 'VALIDATION_ERROR',
  },
  {
    what: 'an update that drops a tag',
    argv: write('update', 'decisions/use-sqlite.md', draft('u.json', { ...DECISION, tags: ['other'], changes: [] })),
    exit: 1,
    error: 'MERGE_ERROR',
    fields: ['tags'],
  },
  {
    what: 'a create over a record',
    argv: write('create', 'decisions/use-sqlite.md', good, '--category', 'decision'),
    exit: 1,
    error: 'CREATE_OVERWRITE_ERROR',
    says: /exists and is active/,
  },
  {
    what: 'a create where one was just retired',
    argv: write('create', 'decisions/gone.md', good, '--category', 'decision'),
    exit: 1,
    error: 'ANTI_RESURRECTION_ERROR',
    says: /24 hours/,
  },
  { what: 'retiring an archived record', argv: ['retire', 'kept'], exit: 1, error: 'DELETE_ERROR', says: /archived/ },
  { what: 'unarchiving what is not archived', argv: ['unarchive', 'use-sqlite'], exit: 1, error: 'UNARCHIVE_ERROR' },
  { what: 'archiving what is retired', argv: ['archive', 'gone'], exit: 1, error: 'ARCHIVE_ERROR' },
  {
    what: 'an id that several records have',
    argv: ['show', 'twin'],
    exit: 1,
    error: 'AMBIGUOUS_ID',
    says: /decision\/twin.*preference\/twin|preference\/twin.*decision\/twin/,
  },
  { what: 'a setting that is none', argv: ['config', 'get', 'moood'], exit: 1, error: 'CONFIG_ERROR', says: /moood/ },
  { what: 'a value that does not fit', argv: ['config', 'set', 'mode', 'sometimes'], exit: 1, error: 'CONFIG_ERROR', says: /auto, session, manual/ },
  {
    what: 'a hash that is not that of the file',
    argv: write('update', 'decisions/use-sqlite.md', draft('u.json', { ...DECISION, changes: [] }), '--hash', OTHER_HASH),
    exit: 3,
    error: 'OCC_CONFLICT',
    says: /has changed since/,
  },
  { what: 'an unknown id of show', argv: ['show', 'nobody'], exit: 4, error: 'NOT_FOUND', says: /"nobody"/ },
  { what: 'one unknown id among others', argv: ['get', 'use-sqlite', 'nobody'], exit: 4, error: 'NOT_FOUND', says: /"nobody"/ },
  { what: 'an unknown id after a known one', argv: ['retire', 'use-sqlite', 'nobody'], exit: 4, error: 'NOT_FOUND', says: /"nobody"/ },
  ...['edit', 'restore', 'archive', 'unarchive', 'confirm', 'share', 'log', 'diff'].map((name) => ({
    what: `an unknown id of ${name}`,
    argv: [name, 'nobody'],
    exit: 4,
    error: 'NOT_FOUND',
    says: /"nobody"/,
  })),
  { what: 'an unknown version', argv: ['diff', 'use-sqlite', '999'], exit: 4, error: 'NOT_FOUND', says: /999/ },
  { what: 'an unknown action', argv: ['undo', '--action', '999'], exit: 4, error: 'NOT_FOUND', says: /999/ },
  { what: 'an unknown project', argv: ['status', '--project', 'nowhere'], exit: 4, error: 'NOT_FOUND', says: /nowhere/ },
  {
    what: 'an unknown project in a batch',
    argv: (cli) => ['search', '--batch', draftFile(cli, 'batch.jsonl', '{"query":"a","project":"nowhere"}')],
    exit: 4,
    error: 'NOT_FOUND',
    says: /nowhere/,
  },
  { what: 'an update of a file that is not there', argv: write('update', 'decisions/nobody.md', good, '--hash', OTHER_HASH), exit: 4, error: 'UPDATE_ERROR' },
  { what: 'a delete of a file that is not there', argv: write('delete', 'decisions/nobody.md', undefined), exit: 4, error: 'DELETE_ERROR' },
];
