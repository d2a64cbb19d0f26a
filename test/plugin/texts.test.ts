import { describe, expect, test } from 'vitest';
import { SHORT_FILES } from '../../src/app/setup/plan.ts';
import { GLOBAL_OPTIONS } from '../../src/edges/cli/parse.ts';
import { loadCommands } from '../../src/edges/cli/registry.ts';
import { SLASH } from '../../src/edges/cli/slash.ts';
import { agents, commands, skills } from './texts.ts';

/** Program, command and options of every call of the plugin's own programs in a text. */
const callsIn = (text: string): readonly { readonly program: string; readonly word: string; readonly options: readonly string[] }[] =>
  [...text.matchAll(/node "\$\{CLAUDE_PLUGIN_ROOT\}\/dist\/(\w+)\.js" (\w+)([^`\n:]*)/g)].map(([, program = '', word = '', rest = '']) => ({
    program,
    word,
    options: [...rest.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option),
  }));

const COMMANDS = new Map((await loadCommands()).map((command) => [command.name, command]));

const expectCallsExist = (text: string): void => {
  for (const { program, word, options } of callsIn(text)) {
    expect(['cli', 'slash']).toContain(program);
    expect([...COMMANDS.keys()]).toContain(word);
    const known = [...(COMMANDS.get(word)?.options ?? []), ...GLOBAL_OPTIONS].map(({ name }) => name);
    expect(
      options.filter((option) => !known.includes(option)),
      `${word} ${options.join(' ')}`,
    ).toEqual([]);
  }
};

describe.each(commands.map((command) => [command.name, command] as const))('/memory:%s', (name, { head, body, size }) => {
  test('runs one command, the one of its name, and is allowed to run only that', () => {
    expect(callsIn(body).map(({ program, word }) => `${program} ${word}`)).toEqual([`slash ${name}`]);
    expect(Object.keys(SLASH)).toContain(name);
    expect(head['allowed-tools']).toBe(`Bash(node "\${CLAUDE_PLUGIN_ROOT}/dist/slash.js" ${name}:*)`);
    expectCallsExist(body);
  });

  test('lets no words pass through the shell: a hook hands them over', () => {
    const [, fence = ''] = /```!\n([\s\S]*?)\n```/.exec(body) ?? [];
    expect(fence).toMatch(/^node "\$\{CLAUDE_PLUGIN_ROOT\}\/dist\/slash\.js" [a-z]+(?: --dry-run)?$/);
    expect(body).not.toContain('$ARGUMENTS');
  });

  test('is short, and costs no session that does not use it', () => {
    expect(head['disable-model-invocation']).toBe(true);
    expect(String(head['description']).length).toBeLessThanOrEqual(80);
    expect(size).toBeLessThanOrEqual(850);
  });
});

describe.each([...skills, ...agents].map((text) => [text.name, text] as const))('%s', (name, { head, body, size }) => {
  test('is named as its file, and runs only what there is', () => {
    expect(head['name']).toBe(name);
    expectCallsExist(body);
  });

  test('is short: every session pays for its description, and its readers for the rest', () => {
    expect(String(head['description']).length).toBeLessThanOrEqual(200);
    expect(size).toBeLessThanOrEqual(2750);
  });
});

test('the skill has the name, the globs and the triggers of its document', () => {
  const skill = skills.find(({ name }) => name === 'memory-management');
  const triggers = ['remember', 'forget', 'memory', 'memories', 'previous session'];
  expect(skill?.head).toMatchObject({ name: 'memory-management', globs: ['.claude/memory/**', '.claude/memory/memory-config.json'], triggers });
  for (const trigger of triggers) expect(skill?.head['description']).toContain(trigger);
});

test('the skill answers the four phrases of its document', () => {
  const body = skills.find(({ name }) => name === 'memory-management')?.body ?? '';
  const rowOf = (phrase: string): string => body.split('\n').find((line) => line.startsWith(`| "${phrase}`)) ?? '';
  expect(rowOf('What do you remember?')).toContain('memory_status');
  expect(rowOf('Remember that')).toMatch(/memory_search.*memory_save/);
  expect(rowOf('Forget')).toMatch(/show the record, ask.*only after a yes `memory_retire`/);
  expect(rowOf('What did we decide about X?')).toMatch(/category `decision`/);
});

test('the skill keeps the state of the work when it starts, moves or stops, and announces what is stored about the user', () => {
  const body = skills.find(({ name }) => name === 'memory-management')?.body ?? '';
  expect(body).toMatch(/work starts, moves or stops, call `memory_state` \(`task`, `progress`, `next`, `blocker`/);
  expect(body).toContain('📝 Noted: …');
});

test('the verifier checks truth, invention, completeness and tags, and leaves the form to others', () => {
  const body = agents.find(({ name }) => name === 'memory-verifier')?.body ?? '';
  expect(body).toMatch(/false or invented is a BLOCK/);
  expect(body).toMatch(/complete and well organised, and do its tags fit\? A flaw here is an ADVISORY/);
  expect(body).toMatch(/Do not check its form/);
  expect(body).toMatch(/Report `PASS` or `FAIL` and the issues/);
});

test('drafters and verifiers read and hand in, a drafter starts a verifier, and neither can do anything else', () => {
  const toolsOf = (agent: string) => agents.find(({ name }) => name === agent)?.head['tools'];
  expect(toolsOf('memory-drafter')).toBe('Read, Agent(memory:memory-verifier), mcp__plugin_memory_holdfast__memory_save');
  expect(toolsOf('memory-verifier')).toBe('Read, mcp__plugin_memory_holdfast__memory_save');
});

test('every word is a plugin command and a command of the program, and no command lacks its word', () => {
  const words =
    'start stop status rebuild save search config retire restore undo inbox archive unarchive gc recall summarize synthesize workspace user why task'.split(
      ' ',
    );
  expect(commands.map(({ name }) => name).toSorted()).toEqual(words.toSorted());
  expect(Object.keys(SLASH).toSorted()).toEqual(words.toSorted());
  expect([...COMMANDS.keys()]).toEqual(expect.arrayContaining(words));
  expect(SHORT_FILES.filter((file) => file.startsWith('commands/')).filter((file) => !words.includes(file.slice(9, -3)))).toEqual([]);
});
