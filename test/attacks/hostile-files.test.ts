import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { program } from '../edges/cli/program.ts';
import { attack } from './attack.ts';

/** One committed file that stops a program which reads all that lies in a folder. */
interface Hostile {
  /** Below `.claude/memory/`. */
  readonly name: string;
  readonly make: (file: string) => void;
  /** Whether `doctor` has to name it. */
  readonly named: boolean;
}

const MB = 1 << 20;
const text =
  (make: () => string) =>
  (file: string): void =>
    fs.writeFileSync(file, make());
const record = (body: string): string => `---\ncategory: decision\n---\n# Big\n\n## Decision\n\n${body}\n`;
const sparse = (bytes: number) => (file: string) => {
  fs.writeFileSync(file, '');
  fs.truncateSync(file, bytes);
};
const device = (target: string) => (file: string) => fs.symlinkSync(target, file);
const pipe = (file: string): void => void execFileSync('mkfifo', [file]);
const folder = (file: string): void => fs.mkdirSync(file);

const SPECIAL: readonly (readonly [string, (file: string) => void])[] = [
  ['a link to an endless device', device('/dev/zero')],
  ['a link to random bytes', device('/dev/urandom')],
  ['a link to standard input', device('/dev/stdin')],
  ['a link to a terminal', device('/dev/tty')],
  ['a link to a file of the kernel', device('/proc/self/mem')],
  ['a link to a file of the kernel that says it is empty and has no end', device('/proc/self/pagemap')],
  ['a link to itself', (file) => fs.symlinkSync(path.basename(file), file)],
  ['a pipe that nobody writes to', pipe],
  ['a folder', folder],
  ['a file of 100 MB', sparse(100 * MB)],
  ['a file of 8 GB', sparse(8192 * MB)],
];

const PLACES = ['decisions/big.md', 'decisions/big.json', 'context/big.md', 'notes.md', 'memory-config.json'];

/** A bomb in YAML: each name stands for nine of the one before it. */
const aliases = (): string => {
  const names = [...'abcdefghijkl'];
  const lines = names.map((name, nth) => `${name}: &${name} [${nth === 0 ? '"x"' : Array.from({ length: 9 }, () => `*${names[nth - 1]}`).join(', ')}]`);
  return `---\n${lines.join('\n')}\ntags: *l\n---\n# Bomb\n`;
};

const TEXTS: readonly (readonly [string, string, () => string, boolean])[] = [
  ['one word of 7 MB', 'decisions/big.md', () => record('a'.repeat(7 * MB)), true],
  ['one word of 900 KB', 'decisions/big.md', () => record('a'.repeat(900_000)), false],
  ['one word of 3 MB in a document', 'context/big.md', () => 'a'.repeat(3 * MB), true],
  ['quotes without end', 'decisions/big.md', () => record('"'.repeat(900_000)), false],
  ['names without end', 'decisions/big.md', () => record('fooBarBaz_'.repeat(90_000)), false],
  ['letters without spaces', 'decisions/big.md', () => record('記'.repeat(250_000)), false],
  ['a JSON record of 7 MB', 'decisions/big.json', () => JSON.stringify({ category: 'decision', title: 'x'.repeat(7 * MB) }), true],
  ['JSON a hundred thousand deep', 'decisions/deep.json', () => `{"content": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, true],
  ['settings a hundred thousand deep', 'memory-config.json', () => `{"a": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, false],
  ['settings of 2 MB', 'memory-config.json', () => JSON.stringify({ x: 'y'.repeat(2 * MB) }), true],
  ['settings that are no JSON', 'memory-config.json', () => '{'.repeat(1000), false],
  ['YAML deep', 'decisions/deep.md', () => `---\ntags: ${'['.repeat(50_000)}\n---\n# Deep\n`, true],
  ['YAML with nine times nine aliases', 'decisions/bomb.md', aliases, true],
  ['front matter without end', 'decisions/endless.md', () => `---\n${'tag: x\n'.repeat(120_000)}`, true],
  ['front matter of one long key', 'decisions/key.md', () => `---\n${'k'.repeat(900_000)}: 1\n---\n# Key\n`, false],
  ['nothing but NUL', 'decisions/nul.md', () => '\0'.repeat(MB / 2), false],
  ['headings without end', 'decisions/heads.md', () => record('## A\n'.repeat(150_000)), false],
  ['lists without end', 'decisions/lists.md', () => record('- x\n'.repeat(200_000)), false],
];

const HOSTILE: readonly (readonly [string, Hostile])[] = [
  ...PLACES.flatMap((name) => SPECIAL.map(([what, make]) => [`${name} is ${what}`, { name, make, named: true }] as const)),
  ...TEXTS.map(([what, name, make, named]) => [`${name}: ${what}`, { name, make: text(make), named }] as const),
];

attack('repository', 'a hostile file of the shared memory costs itself only', HOSTILE, ({ name, make, named }) => {
  const cli = program();
  const shared = path.join(cli.project, '.claude', 'memory');
  for (const inner of ['decisions', 'context']) fs.mkdirSync(path.join(shared, inner), { recursive: true });
  fs.writeFileSync(path.join(shared, 'decisions', 'good.md'), record('Refunds take the zebra path'));
  make(path.join(shared, name));
  expect(cli.ask('search', 'zebra')).toMatchObject({ hits: [{ id: 'decision/good' }] });
  const { code, out } = cli.run('doctor', '--json');
  expect([0, 1]).toContain(code);
  const findings = (JSON.parse(out) as { findings: { what: string; where?: string }[] }).findings;
  const about = findings.filter(({ what, where = '' }) => where.endsWith(`/${name}`) || what.includes(`/${name}`));
  if (named) expect(about.length, JSON.stringify(findings)).toBe(1);
});

/** Files of a git directory that Holdfast reads itself; an archive can bring them with links in it. */
const GIT_FILES = ['HEAD', 'config', 'packed-refs', 'shallow', 'commondir', 'refs/heads/main', 'objects/info/alternates'];

attack(
  'repository',
  'a hostile file of git costs itself only',
  GIT_FILES.flatMap((name) => SPECIAL.map(([what, make]) => [`.git/${name} is ${what}`, { name, make }] as const)),
  ({ name, make }) => {
    const cli = program();
    const git = path.join(cli.project, '.git');
    execFileSync('git', ['init', '-q', '-b', 'main', cli.project]);
    fs.mkdirSync(path.join(git, 'objects', 'info'), { recursive: true });
    fs.rmSync(path.join(git, name), { force: true });
    make(path.join(git, name));
    // A shell with room for the program and not for a file without end.
    const limited = { under: ['sh', '-c', 'ulimit -v 4000000; exec "$@"', 'sh'] };
    expect(cli.runIn(limited, 'save', 'decision', 'Refunds take the zebra path because they are rare')).toMatchObject({ code: 0 });
    expect(cli.runIn(limited, 'import', '--git').code).not.toBeNull();
    expect(cli.ask('search', 'zebra')).toMatchObject({ hits: [{ id: 'decision/refunds-take-the-zebra-path-because-they-are-rare' }] });
  },
);
