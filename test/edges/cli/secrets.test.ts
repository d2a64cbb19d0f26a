import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scratch.ts';
import { createUseSqlite, DECISION, documentsOf, program, type Answer, type Program } from './program.ts';

/** Made from parts, so that no secret stands in this source. */
const TOKEN = `gh${'p_'}${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD2fG5'}`;
const KEY = `AK${'IA'}${'QX3ZT7YHPLM2WNRC'}`;
const PASSWORD = `hunter${'2-Xy7!kQ'}zz`;
const DATABASE = `postgres://app:${PASSWORD}@db.example.org/shop`;
const PEM = [
  '-----BEGIN RSA ',
  'PRIVATE KEY-----\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun\nVTLw7onLRnrq0/IzW7yWR7QkrmBL7jTKEn5u+qKhbwKfBstIs+bMY2Zkp18gnTxK\n-----END RSA ',
  'PRIVATE KEY-----',
].join('');
const NEEDLES = [TOKEN, KEY, PASSWORD, 'VTLw7onLRnrq0', 'MIIEowIBAAKCAQEAu1SU1LfVLPH', 'walrus'];

/** Every file under a folder that holds one of the secrets, in any letter case. */
function leaksUnder(folder: string): readonly string[] {
  const texts = Object.entries(filesUnder(folder)).map(([file, text]) => [file, `${file}\n${text}`.toLowerCase()] as const);
  return NEEDLES.flatMap((needle) => texts.filter(([, text]) => text.includes(needle.toLowerCase())).map(([file]) => `${needle} in ${file}`));
}

const expectClean = (cli: Program, { out, err }: Answer): void => {
  expect(leaksUnder(cli.folder)).toEqual([]);
  for (const needle of NEEDLES) expect((out + err).toLowerCase()).not.toContain(needle.toLowerCase());
};

const draft = (more: object): string => JSON.stringify({ ...DECISION, ...more });

interface Row {
  readonly where: string;
  readonly argv: readonly string[];
  readonly input?: string;
  readonly kind: string;
  readonly field: string;
}

const SAVES: readonly Row[] = [
  { where: 'a text', argv: ['save', 'decision', `Use the token ${TOKEN} for releases`], kind: 'github-token', field: 'text' },
  { where: 'a reason', argv: ['save', 'decision', `Use SQLite because ${DATABASE} was slow`], kind: 'connection-password', field: 'text' },
  { where: 'a title', argv: ['save', 'decision', 'Use a token', '--title', `The token is ${TOKEN}`], kind: 'github-token', field: 'title' },
  { where: 'a tag', argv: ['save', 'decision', 'Use a token', '--tag', TOKEN], kind: 'github-token', field: 'tags.0' },
  { where: "a file's name", argv: ['save', 'decision', 'Use a token', '--file', `src/${KEY}.ts`], kind: 'aws-access-key-id', field: 'related_files.0' },
  {
    where: 'a draft',
    argv: ['save', 'decision', '--input', '-'],
    input: draft({ content: { ...DECISION.content, consequences: [`export AWS_ACCESS_KEY_ID=${KEY}`] } }),
    kind: 'aws-access-key-id',
    field: 'content.consequences.0',
  },
  {
    where: "a draft's changes",
    argv: ['save', 'decision', '--input', '-'],
    input: draft({ changes: [{ date: '2026-01-01T00:00:00Z', summary: 'x', field: 'content.decision', old_value: { password: PASSWORD }, new_value: 1 }] }),
    kind: 'password',
    field: 'changes.0.old_value.password',
  },
  { where: "a draft's id", argv: ['save', 'decision', '--input', '-'], input: draft({ id: TOKEN }), kind: 'github-token', field: 'id' },
  {
    where: 'a runbook',
    argv: ['save', 'runbook', `1. mkdir ~/.ssh\n2. write this there:\n${PEM}`, '--title', 'New machine'],
    kind: 'private-key',
    field: 'text',
  },
  {
    where: 'a private span',
    argv: ['save', 'preference', 'Call me Ishmael <private>the walrus</private> always', '--title', 'Name <private>walrus</private>'],
    kind: 'private',
    field: 'title',
  },
  { where: 'the memory of the user', argv: ['save', 'preference', `My token is ${TOKEN}`, '--user'], kind: 'github-token', field: 'text' },
];

const NAMES: Readonly<Record<string, string>> = {
  'github-token': 'GitHub token',
  'connection-password': 'connection password',
  'aws-access-key-id': 'AWS access key ID',
  password: 'password',
  'private-key': 'private key',
  private: 'private passage',
};

describe('a secret never reaches the disk', () => {
  it.each(SAVES)('in $where, and its kind and place are told', ({ argv, input = '', kind, field }) => {
    const cli = program();
    const answer = cli.runIn({ input }, ...argv, '--json');
    expect(answer).toMatchObject({ code: 0 });
    const [{ redactions = [] } = {}] = documentsOf(answer) as { redactions?: { kind: string; field: string }[] }[];
    expect(redactions).toContainEqual({ kind, field: expect.stringMatching(new RegExp(`^${field.replaceAll('.', String.raw`\.`)}`)) });
    expect(answer.err).toMatch(new RegExp(`^note Redacted before saving: .*\\b1 ${NAMES[kind]}${field === 'text' ? '' : ` in ${field}`}`, 'm'));
    expectClean(cli, answer);
  });

  it('when its title would be cut in the middle of it', () => {
    const cli = program();
    expectClean(cli, cli.run('save', 'decision', `${'x'.repeat(90)}${DATABASE}${'y'.repeat(60)}`));
  });

  it('when a draft has it in pieces, a line an item', () => {
    const cli = program();
    const steps = ['mkdir ~/.ssh', 'write this there:', ...PEM.split('\n'), 'done'];
    expectClean(
      cli,
      cli.runIn(
        { input: JSON.stringify({ title: 'New machine', tags: ['ssh'], content: { trigger: 'x', steps, verification: 'y' } }) },
        'save',
        'runbook',
        '--input',
        '-',
      ),
    );
  });

  it('with an update, an edit or an undo', () => {
    const cli = program();
    createUseSqlite(cli);
    const { record, hash } = cli.ask('show', 'use-sqlite') as { record: Record<string, unknown>; hash: string };
    const changes = [...(record['changes'] as object[]), { date: '2026-01-01T00:00:00Z', summary: `Now with ${TOKEN}` }];
    const next = JSON.stringify({ ...record, changes, content: { ...DECISION.content, decision: DATABASE } });
    const updated = cli.runIn({ input: next }, 'write', '--action', 'update', '--target', 'decisions/use-sqlite.md', '--input', '-', '--hash', hash);
    expect(updated).toMatchObject({ code: 0, err: expect.stringMatching(/Redacted before saving: .*1 GitHub token in changes\.1\.summary/) });
    expectClean(cli, updated);
    const text = cli.run('show', 'use-sqlite').out;
    const edited = cli.runIn({ input: text.replace('One machine', `One machine, ${KEY}\n<private>walrus</private>`) }, 'edit', 'use-sqlite', '--input', '-');
    expect(edited).toMatchObject({ code: 0, err: expect.stringMatching(/Redacted before saving: 1 AWS access key ID on line \d+/) });
    expectClean(cli, edited);
    expectClean(cli, cli.run('undo', '2'));
  });

  it.each([
    ['retire', ['retire', 'use-sqlite', '--reason', `leaked ${TOKEN}`]],
    ['archive', ['archive', 'use-sqlite', '--reason', `leaked ${DATABASE}`]],
    ['write', ['write', '--action', 'delete', '--target', 'decisions/use-sqlite.md', '--reason', `leaked ${KEY} <private>walrus</private>`]],
  ])('in the reason of %s', (_name, argv) => {
    const cli = program();
    createUseSqlite(cli);
    const answer = cli.run(...argv);
    expect(answer).toMatchObject({ code: 0 });
    expectClean(cli, answer);
    expectClean(cli, cli.run('log'));
  });

  it('when a draft with it is refused', () => {
    const cli = program();
    const answer = cli.runIn(
      { input: draft({ title: `${TOKEN} ${'x'.repeat(121)}`, content: { status: TOKEN } }) },
      'save',
      'decision',
      '--input',
      '-',
      '--json',
    );
    expect(answer).toMatchObject({ code: 1 });
    expectClean(cli, answer);
  });

  it('in what a broken draft is quoted as', () => {
    const cli = program();
    const answer = cli.runIn({ input: `{"title": ${TOKEN}` }, 'save', 'decision', '--input', '-', '--json');
    expect(answer).toMatchObject({ code: 1 });
    expectClean(cli, answer);
  });

  it('and what is no secret is kept', () => {
    const cli = program();
    const hash = 'd41d8cd98f00b204e9800998ecf8427e';
    const answer = cli.ask('save', 'constraint', `The digest of nothing is ${hash}; passwords are stored hashed`);
    expect(answer['redactions']).toBeUndefined();
    expect(Object.values(filesUnder(path.join(cli.records, 'constraints'))).join('')).toContain(hash);
  });
});
