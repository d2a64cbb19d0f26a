import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { program, type Program } from '../edges/cli/program.ts';
import { attack } from './attack.ts';

/** What no output, record or index may ever hold. */
const SENTINEL = 'xylophone-of-another-project';
const PRIVATE = `{"key": "${SENTINEL}"}\n`;

/** A file outside the project that a link in the project leads to. */
function victimOf(cli: Program): string {
  const file = path.join(cli.folder, 'authorized_keys');
  fs.writeFileSync(file, PRIVATE, { mode: 0o600 });
  return file;
}

type Plant = (project: string, victim: string) => void;

const TEMPORARY_NAMES = ['.CLAUDE.md.holdfast', '.CLAUDE.md.holdfast.tmp', '.CLAUDE.md.tmp', 'CLAUDE.md.tmp', '.holdfast.tmp'];

const INSTRUCTIONS: readonly (readonly [string, Plant])[] = [
  ...TEMPORARY_NAMES.map((name): readonly [string, Plant] => [`${name} is a link`, (project, victim) => fs.symlinkSync(victim, path.join(project, name))]),
  ['CLAUDE.md is a link', (project, victim) => fs.symlinkSync(victim, path.join(project, 'CLAUDE.md'))],
  ['CLAUDE.md is a relative link', (project) => fs.symlinkSync('../authorized_keys', path.join(project, 'CLAUDE.md'))],
  [
    'CLAUDE.md is a link to a link',
    (project, victim) => {
      fs.symlinkSync(victim, path.join(project, 'one'));
      fs.symlinkSync('one', path.join(project, 'CLAUDE.md'));
    },
  ],
  ['CLAUDE.md is a link to nothing yet', (project, victim) => fs.symlinkSync(`${victim}.new`, path.join(project, 'CLAUDE.md'))],
  ['CLAUDE.md is a folder', (project) => fs.mkdirSync(path.join(project, 'CLAUDE.md'))],
  ['CLAUDE.md is a link to itself', (project) => fs.symlinkSync('CLAUDE.md', path.join(project, 'CLAUDE.md'))],
];

attack('repository', 'synthesize --import add writes through no link', INSTRUCTIONS, (plant) => {
  const cli = program();
  const victim = victimOf(cli);
  plant(cli.project, victim);
  const isFree = !fs.lstatSync(path.join(cli.project, 'CLAUDE.md'), { throwIfNoEntry: false });
  const { code, out, err } = cli.run('synthesize', '--import', 'add', '--json');
  expect([code, err]).toEqual([isFree ? 0 : 1, '']);
  expect(out).not.toContain(SENTINEL);
  expect(fs.readFileSync(victim, 'utf8')).toBe(PRIVATE);
  expect(fs.readdirSync(cli.folder).filter((name) => name.startsWith('authorized_keys'))).toEqual(['authorized_keys']);
  if (isFree) expect(fs.readFileSync(path.join(cli.project, 'CLAUDE.md'), 'utf8')).toMatch(/^@.*master\.md\n$/);
});

const linked =
  (...names: readonly string[]): Plant =>
  (project, victim) => {
    const file = path.join(project, ...names);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(victim, file);
  };

const CLIENT_FILES: readonly (readonly [string, Plant])[] = [
  ['settings.local.json is a link', linked('.claude', 'settings.local.json')],
  ['.mcp.json is a link', linked('.mcp.json')],
  ['.claude is a link to a folder', (project, victim) => fs.symlinkSync(path.dirname(victim), path.join(project, '.claude'))],
  ['settings.local.json is a link to nothing yet', (project, victim) => linked('.claude', 'settings.local.json')(project, `${victim}.new`)],
  ['a temporary file of settings is a link', linked('.claude', 'settings.local.json.holdfast.tmp')],
  ['a hidden temporary file of settings is a link', linked('.claude', '.settings.local.json.holdfast.tmp')],
  ['a temporary file of servers is a link', linked('.mcp.json.holdfast.tmp')],
  ['settings.local.json is a folder', (project) => fs.mkdirSync(path.join(project, '.claude', 'settings.local.json'), { recursive: true })],
];

attack('repository', 'init writes through no link', CLIENT_FILES, (plant) => {
  const cli = program();
  const victim = victimOf(cli);
  plant(cli.project, victim);
  const { code, out, err } = cli.run('init', '--yes', '--json');
  expect([0, 1]).toContain(code);
  expect(out + err).not.toContain(SENTINEL);
  expect(fs.readFileSync(victim, 'utf8')).toBe(PRIVATE);
  const beside = fs.readdirSync(cli.folder).filter((name) => !['home', 'webshop'].includes(name));
  expect(beside).toEqual(['authorized_keys']);
});
