import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { lastingProgram } from '../edges/cli/program.ts';
import { environment, PLUGIN } from '../edges/mcp/talk.ts';
import { transcript } from '../edges/hook/transcript.ts';
import { attack } from './attack.ts';

const cli = lastingProgram();
const at = (...parts: string[]): string => path.join(cli.folder, ...parts);

beforeAll(() => {
  cli.run('start');
  cli.run('save', 'decision', 'We chose SQLite because it needs no server');
  cli.run('save', 'preference', 'Always answer in short sentences', '--user');
  cli.run('user', 'update', 'preferences', 'Likes tabs');
  cli.run('synthesize');
  cli.run('task', 'Ship the parser');
  cli.run('workspace', 'discover');
  for (const [file, text] of [
    [at('home', 'MEMORY.md'), '# For all\n\nUse tabs.\n'],
    [at('home', 'CLAUDE.md'), '# Rules\n'],
    [at('home', 'settings.json'), '{"memory": {"autoLoad": true}}\n'],
    [path.join(cli.records, 'memory', 'MEMORY.md'), '# Project\n\nShips on Fridays.\n'],
    [path.join(cli.records, 'CLAUDE.md'), '# Here\n'],
    [at('webshop', '_memory', 'notes.md'), '# Notes\n'],
    [at('webshop', '.claude', 'memory', 'context', 'shared.md'), '# Shared\n'],
    [at('webshop', '.claude', 'memory', 'memory-config.json'), '{}\n'],
    [at('webshop', '.claude', 'memory', 'decisions', 'shared.md'), '---\ncategory: decision\n---\n# Shared\n\n## Decision\n\nYes\n'],
  ] as const) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});

/** Every file of the memory that a person may keep in git, and that git could therefore leave unmerged. */
const FILES = [
  'home/MEMORY.md',
  'home/CLAUDE.md',
  'home/settings.json',
  'home/workspace.md',
  'home/user/preferences.md',
  'home/user/preferences/always-answer-in-short-sentences.md',
  'home/projects/webshop/CLAUDE.md',
  'home/projects/webshop/memory/MEMORY.md',
  'home/projects/webshop/master.md',
  'home/projects/webshop/_session.json',
  'home/projects/webshop/memory-config.json',
  'home/projects/webshop/context/current-task.md',
  'home/projects/webshop/context/blockers.md',
  'home/projects/webshop/progress/active.md',
  'home/projects/webshop/progress/completed.md',
  'webshop/_memory/notes.md',
  'webshop/.claude/memory/context/shared.md',
  'webshop/.claude/memory/decisions/shared.md',
  'webshop/.claude/memory/memory-config.json',
];

const MARKERS = (word: string): string => `\n<<<<<<< HEAD\n- webshop: ${word} of ours\n=======\n- webshop: ${word} of theirs\n>>>>>>> branch\n`;

let session = 0;
const eventAnswer = (event: string, source = 'startup'): string => {
  const input = JSON.stringify({
    session_id: `s-${++session}`,
    cwd: cli.project,
    source,
    prompt: 'what does zebra say of webshop, ours or theirs?',
  });
  return spawnSync(process.execPath, [path.join(PLUGIN, 'dist', 'hook.js'), event], {
    cwd: cli.project,
    env: environment({ home: cli.home }),
    input,
    encoding: 'utf8',
  }).stdout;
};

attack(
  'repository',
  'a file with conflict markers reaches no agent, and doctor names it',
  FILES.map((name) => [name, name] as const),
  (name) => {
    const file = at(name);
    expect(existsSync(file)).toBe(true);
    const before = readFileSync(file, 'utf8');
    try {
      appendFileSync(file, MARKERS('zebra'));
      expect(eventAnswer('SessionStart')).not.toContain('zebra');
      expect(eventAnswer('SessionStart', 'compact')).not.toContain('zebra');
      expect(eventAnswer('UserPromptSubmit')).not.toContain('zebra');
      for (const words of [['brief'], ['context'], ['recall', 'what does zebra say of webshop?'], ['search', 'zebra']])
        expect(cli.run(...words).out).not.toContain('zebra of');
      const { code, out } = cli.run('doctor', '--json');
      const findings = (JSON.parse(out) as { findings: { what: string; where?: string }[] }).findings;
      const about = findings.filter(({ what, where = '' }) => /conflict markers/.test(what) && (where === file || what.includes(file)));
      expect({ code, about: about.length }, out).toEqual({ code: 1, about: 1 });
    } finally {
      writeFileSync(file, before);
    }
  },
);

it('a summary is not written into a MEMORY.md with conflict markers', () => {
  const file = path.join(cli.records, 'memory', 'MEMORY.md');
  const before = readFileSync(file, 'utf8');
  const said = transcript({ home: cli.home, project: cli.project }, 's-memory');
  said.prompt('We chose Redis because it is fast');
  said.reply('Noted.');
  cli.run('import');
  appendFileSync(file, MARKERS('zebra'));
  const unmerged = readFileSync(file, 'utf8');
  cli.run('summarize', 's-memory');
  expect(cli.run('update', 's-memory').out).toContain('conflict markers');
  expect(cli.run('update', '--done', 'Ship it', '--decision', 'Redis, because it is fast').err).toContain('conflict markers');
  expect(readFileSync(file, 'utf8')).toBe(unmerged);
  writeFileSync(file, before);
  expect(cli.run('update', 's-memory').code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe(before);
});

it('sessions wait until settings of yours that say what to leave out can be read', () => {
  const file = path.join(cli.records, 'memory-config.json');
  const before = readFileSync(file, 'utf8');
  const said = transcript({ home: cli.home, project: cli.project }, 's-waits');
  said.prompt('The quagga is in secret.md');
  said.reply('Noted.');
  appendFileSync(file, MARKERS('zebra'));
  expect(cli.run('import').err).toContain('The settings of webshop cannot be read');
  expect(cli.ask('search', 'quagga', '--kind', 'message')['hits']).toEqual([]);
  writeFileSync(file, before);
  cli.run('import');
  expect(cli.ask('search', 'quagga', '--kind', 'message')['hits']).toHaveLength(1);
});
