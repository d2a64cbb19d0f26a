import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { program, type Program } from '../edges/cli/program.ts';
import { filesUnder } from '../scratch.ts';
import { attack } from './attack.ts';

/** Texts that no output, record or index may ever hold. */
const SENTINEL = 'xylophone-of-another-project';
const PRIVATE = `{"key": "${SENTINEL}"}\n`;

type Plant = (project: string, victim: string) => void;
type Planted = readonly [label: string, plant: Plant];

/** A file outside the project that a link in the project leads to. */
function victimOf(cli: Program): string {
  const file = path.join(cli.folder, 'authorized_keys');
  fs.writeFileSync(file, PRIVATE, { mode: 0o600 });
  return file;
}

/** A folder outside the project, such as another project's memory. */
function othersOf(cli: Program): string {
  const folder = path.join(cli.folder, 'others');
  for (const name of ['decisions', 'context', 'progress', 'conversations', 'memory', 'analysis']) fs.mkdirSync(path.join(folder, name), { recursive: true });
  const text = `# Keys\n\n${SENTINEL}\n`;
  for (const name of ['README.md', 'master.md', 'notes.md', 'decisions/keys.md', 'context/keys.md', 'conversations/keys.md', 'memory/MEMORY.md'])
    fs.writeFileSync(path.join(folder, name), text);
  for (const name of ['_session.json', 'memory-config.json', 'package.json', 'settings.json', 'decisions/keys.json'])
    fs.writeFileSync(path.join(folder, name), JSON.stringify({ scripts: { [SENTINEL]: '' }, [SENTINEL]: true, title: SENTINEL }));
  return folder;
}

const put = (project: string, name: string): string => {
  const file = path.join(project, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return file;
};
const linked =
  (...names: readonly string[]): Plant =>
  (project, victim) => {
    for (const name of names) fs.symlinkSync(victim, put(project, name));
  };
const linkedTo =
  (name: string, target: (victim: string) => string): Plant =>
  (project, victim) =>
    fs.symlinkSync(target(victim), put(project, name));

function expectUntouched(cli: Program, victim: string): void {
  expect(fs.readFileSync(victim, 'utf8')).toBe(PRIVATE);
  expect(fs.statSync(victim).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(cli.folder).filter((name) => !['home', 'webshop'].includes(name))).toEqual(['authorized_keys']);
}

const TEMPORARY = ['.CLAUDE.local.md.holdfast', '.CLAUDE.local.md.holdfast.tmp', '.CLAUDE.local.md.tmp', 'CLAUDE.local.md.tmp', '.holdfast.tmp'];
const INSTRUCTIONS: readonly Planted[] = [
  ...TEMPORARY.map((name): Planted => [`${name} is a link`, linked(name)]),
  ['CLAUDE.local.md is a link', linked('CLAUDE.local.md')],
  ['CLAUDE.local.md is a relative link', linkedTo('CLAUDE.local.md', () => '../authorized_keys')],
  [
    'CLAUDE.local.md is a link to a link',
    (project, victim) => {
      fs.symlinkSync(victim, put(project, 'one'));
      fs.symlinkSync('one', put(project, 'CLAUDE.local.md'));
    },
  ],
  ['CLAUDE.local.md is a link to nothing yet', linkedTo('CLAUDE.local.md', (victim) => `${victim}.new`)],
  ['CLAUDE.local.md is a link to itself', linkedTo('CLAUDE.local.md', () => 'CLAUDE.local.md')],
  ['CLAUDE.local.md is a link to an endless device', linkedTo('CLAUDE.local.md', () => '/dev/zero')],
  ['CLAUDE.local.md is a link to standard input', linkedTo('CLAUDE.local.md', () => '/dev/stdin')],
  ['CLAUDE.local.md is a folder', (project) => fs.mkdirSync(path.join(project, 'CLAUDE.local.md'))],
  ['CLAUDE.local.md is a pipe', (project) => execFileSync('mkfifo', [path.join(project, 'CLAUDE.local.md')])],
  ['CLAUDE.local.md has 100 MB', (project) => fs.truncateSync(writeOne(put(project, 'CLAUDE.local.md')), 100 << 20)],
];

function writeOne(file: string): string {
  fs.writeFileSync(file, 'x');
  return file;
}

attack('repository', 'synthesize --import add writes through no link', INSTRUCTIONS, (plant) => {
  const cli = program();
  const victim = victimOf(cli);
  plant(cli.project, victim);
  const isFree = !fs.lstatSync(path.join(cli.project, 'CLAUDE.local.md'), { throwIfNoEntry: false });
  const { code, out, err } = cli.run('synthesize', '--import', 'add', '--json');
  expect([code, err]).toEqual([isFree ? 0 : 1, '']);
  expect(out).not.toContain(SENTINEL);
  expectUntouched(cli, victim);
  if (isFree) expect(fs.readFileSync(path.join(cli.project, 'CLAUDE.local.md'), 'utf8')).toMatch(/^@.*master\.md\n$/);
});

const CLIENT_FILES: readonly Planted[] = [
  ['settings.local.json is a link', linked('.claude/settings.local.json')],
  ['.mcp.json is a link', linked('.mcp.json')],
  ['.claude is a link to a folder', linkedTo('.claude', (victim) => path.dirname(victim))],
  ['settings.local.json is a link to nothing yet', linkedTo('.claude/settings.local.json', (victim) => `${victim}.new`)],
  ['.mcp.json is a link to nothing yet', linkedTo('.mcp.json', (victim) => `${victim}.new`)],
  ['a temporary file of settings is a link', linked('.claude/settings.local.json.holdfast.tmp')],
  ['a hidden temporary file of settings is a link', linked('.claude/.settings.local.json.holdfast.tmp')],
  ['a temporary file of servers is a link', linked('.mcp.json.holdfast.tmp')],
  ['settings.local.json is a folder', (project) => fs.mkdirSync(put(project, '.claude/settings.local.json'))],
  ['settings.local.json is a pipe', (project) => execFileSync('mkfifo', [put(project, '.claude/settings.local.json')])],
  ['settings.local.json is a link to an endless device', linkedTo('.claude/settings.local.json', () => '/dev/zero')],
  ['.claude is a file', (project) => fs.writeFileSync(put(project, '.claude'), 'x')],
];

attack('repository', 'init writes through no link', CLIENT_FILES, (plant) => {
  const cli = program();
  const victim = victimOf(cli);
  plant(cli.project, victim);
  for (const args of [['init', '--yes', '--json'], ['init']]) {
    const { code, out, err } = cli.run(...args);
    expect([0, 1]).toContain(code);
    expect(out + err).not.toContain(SENTINEL);
  }
  expectUntouched(cli, victim);
});

const FOLDER_LINKS = [
  'docs',
  '_docs',
  '_memory',
  '.claude',
  '.claude/memory',
  '.claude/memory/decisions',
  '.claude/memory/context',
  '.claude/memory/progress',
  '.claude/memory/memory',
  'docs/inner',
];
const FILE_LINKS: readonly (readonly [string, string])[] = [
  ['README.md', 'README.md'],
  ['ARCHITECTURE.md', 'README.md'],
  ['docs/guide.md', 'README.md'],
  ['_docs/guide.md', 'README.md'],
  ['package.json', 'package.json'],
  ['_memory/master.md', 'master.md'],
  ['_memory/conversations/keys.md', 'conversations/keys.md'],
  ['.claude/memory/memory-config.json', 'memory-config.json'],
  ['.claude/memory/notes.md', 'notes.md'],
  ['.claude/memory/context/keys.md', 'context/keys.md'],
  ['.claude/memory/decisions/keys.md', 'decisions/keys.md'],
  ['.claude/memory/decisions/keys.json', 'decisions/keys.json'],
  ['.claude/memory/_session.json', '_session.json'],
  ['.claude/settings.json', 'settings.json'],
];

attack<(project: string, others: string) => void>(
  'repository',
  'a link leads no private text of another project in',
  [
    ...FOLDER_LINKS.map((name) => [`${name} is a link to a folder`, (project: string, others: string) => fs.symlinkSync(others, put(project, name))] as const),
    ...FOLDER_LINKS.map(
      (name) =>
        [
          `${name} is a link to a link`,
          (project: string, others: string) => {
            fs.symlinkSync(others, put(project, 'one'));
            fs.symlinkSync(path.join(project, 'one'), put(project, name));
          },
        ] as const,
    ),
    ...FILE_LINKS.map(
      ([name, target]) => [`${name} is a link`, (project: string, others: string) => fs.symlinkSync(path.join(others, target), put(project, name))] as const,
    ),
  ],
  (plant) => {
    const cli = program();
    const others = othersOf(cli);
    plant(cli.project, others);
    const before = filesUnder(others);
    const said = [
      ['save', 'decision', 'We take SQLite because it needs no server'],
      ['synthesize', '--full'],
      ['migrate'],
      ['search', 'xylophone project keys'],
      ['recall', 'what are the xylophone keys of another project'],
      ['doctor'],
    ].map((argv) => cli.run(...argv));
    for (const { code, out, err } of said) {
      expect([0, 1, 2, 4, 5]).toContain(code);
      expect(`${out}${err}`).not.toContain(SENTINEL);
    }
    expect(Object.entries(filesUnder(cli.home)).filter(([, text]) => text.includes(SENTINEL))).toEqual([]);
    expect(filesUnder(others)).toEqual(before);
  },
);
