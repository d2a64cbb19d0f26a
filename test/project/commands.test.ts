import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsMarkdown } from '../../src/edges/cli/docs.ts';
import { parseArguments } from '../../src/edges/cli/parse.ts';
import { loadCommands, REGISTRY } from '../../src/edges/cli/registry.ts';

const commands = await loadCommands();
const page = await commandsMarkdown();
const named = (name: string | undefined) => commands.find((command) => command.name === name);

/** The words of `holdfast …` in a line of shell, without what is piped or redirected. */
function wordsOf(line: string): readonly string[] {
  const own = /\bholdfast ((?:[^|<>()"']|"[^"]*"|'[^']*')*)/.exec(line)?.[1] ?? '';
  return [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

describe('docs/commands.md', () => {
  it('is what the registry of commands says; `npx vitest run test/project/commands.test.ts -u` writes it anew', async () => {
    await expect(page).toMatchFileSnapshot('../../docs/commands.md');
  });

  it.each(commands)('shows $name with its options and an example', ({ name, options, examples }) => {
    const section = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
    for (const option of options) expect(section).toContain(`--${option.name}`);
    expect(examples.length).toBeGreaterThan(0);
    for (const [line] of examples) expect(section).toContain(line);
  });
});

describe('the registry of commands', () => {
  it('loads every command under its own name, from the folder of its group', () => {
    expect(commands.map(({ name }) => name)).toEqual(REGISTRY.map(({ name }) => name));
    const source = fs.readFileSync('src/edges/cli/registry.ts', 'utf8');
    for (const { name, group } of REGISTRY) expect(source).toMatch(new RegExp(`import\\('\\./commands/${group}/[a-z-]+\\.ts'\\)\\)\\.${name}Command\\b`));
  });

  it('holds no more files in a folder than a reader overlooks', () => {
    for (const group of new Set(REGISTRY.map((entry) => entry.group))) expect(fs.readdirSync(`src/edges/cli/commands/${group}`).length).toBeLessThanOrEqual(7);
  });

  it.each([
    'save',
    'write',
    'candidate',
    'show',
    'edit',
    'retire',
    'restore',
    'archive',
    'unarchive',
    'gc',
    'share',
    'confirm',
    'log',
    'diff',
    'undo',
    'search',
    'get',
    'status',
    'rebuild',
    'config',
    'doctor',
  ])('has %s', (name) => {
    expect(named(name)?.name).toBe(name);
  });

  it.each(commands.flatMap((command) => command.examples.map(([line]) => ({ command, line }))))(
    '$line is a line that its command understands',
    ({ command, line }) => {
      const [name, ...rest] = wordsOf(line);
      expect(named(name)?.name).toBe(name);
      expect(parseArguments(rest, named(name) ?? command)).toMatchObject({ ok: true });
    },
  );

  it.each(commands)('names no option of $name twice, nor one that is understood everywhere', ({ options }) => {
    const names = options.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => ['home', 'project', 'json', 'quiet', 'no-color', 'help'].includes(name))).toEqual([]);
  });
});
