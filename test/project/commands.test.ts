import { describe, expect, it } from 'vitest';
import { EVERY } from '../../src/edges/cli/commands/every.ts';
import { commandsMarkdown } from '../../src/edges/cli/docs.ts';
import { parseArguments } from '../../src/edges/cli/parse.ts';
import { COMMANDS } from '../../src/edges/cli/table.ts';

const commands = Object.values(EVERY);

/** The words of `holdfast …` in a line of shell, without what is piped or redirected. */
function wordsOf(line: string): readonly string[] {
  const own = /\bholdfast ((?:[^|<>()"']|"[^"]*"|'[^']*')*)/.exec(line)?.[1] ?? '';
  return [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

describe('docs/commands.md', () => {
  it('is what the table of commands says; `npx vitest run test/project/commands.test.ts -u` writes it anew', async () => {
    await expect(commandsMarkdown(EVERY)).toMatchFileSnapshot('../../docs/commands.md');
  });

  it.each(commands)('shows $name with its options and an example', ({ name, options, examples }) => {
    const section =
      commandsMarkdown(EVERY)
        .split(/^## /m)
        .find((part) => part.startsWith(`${name}\n`)) ?? '';
    for (const option of options) expect(section).toContain(`--${option.name}`);
    expect(examples.length).toBeGreaterThan(0);
    for (const [line] of examples) expect(section).toContain(line);
  });
});

describe('the table of commands', () => {
  it('lists every command under its own name', () => {
    expect(COMMANDS.map(({ name }) => name).toSorted()).toEqual(Object.keys(EVERY).toSorted());
    for (const [name, command] of Object.entries(EVERY)) expect(command.name).toBe(name);
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
    expect(Object.keys(EVERY)).toContain(name);
  });

  it.each(commands.flatMap((command) => command.examples.map(([line]) => ({ command, line }))))(
    '$line is a line that its command understands',
    ({ command, line }) => {
      const [name, ...rest] = wordsOf(line);
      expect(EVERY[name ?? '']?.name).toBe(name);
      expect(parseArguments(rest, EVERY[name ?? ''] ?? command)).toMatchObject({ ok: true });
    },
  );

  it.each(commands)('names no option of $name twice, nor one that is understood everywhere', ({ options }) => {
    const names = options.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => ['home', 'project', 'json', 'quiet', 'no-color', 'help'].includes(name))).toEqual([]);
  });
});
