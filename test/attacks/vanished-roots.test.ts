import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { program, type Program } from '../edges/cli/program.ts';
import { environment, PLUGIN } from '../edges/mcp/talk.ts';
import { attack } from './attack.ts';

const shared = (cli: Program, ...parts: string[]): string => path.join(cli.project, '.claude', 'memory', ...parts);
const notes = (cli: Program, ...parts: string[]): string => path.join(cli.project, '_memory', ...parts);

const moveAway = (folder: string): string => {
  const away = `${folder}-away`;
  fs.renameSync(folder, away);
  return away;
};

/** Changes that a pull or a switch of branches can make to a repository's memory folders. */
const WAYS: readonly (readonly [string, (cli: Program) => void])[] = [
  ['_memory is gone', (cli) => void moveAway(notes(cli))],
  ['_memory is a link', (cli) => fs.symlinkSync(moveAway(notes(cli)), notes(cli))],
  ['_memory is a file', (cli) => (moveAway(notes(cli)), fs.writeFileSync(notes(cli), 'x'))],
  ['.claude/memory is gone', (cli) => void moveAway(shared(cli))],
  ['.claude/memory is a link', (cli) => fs.symlinkSync(moveAway(shared(cli)), shared(cli))],
  ['.claude/memory is a file', (cli) => (moveAway(shared(cli)), fs.writeFileSync(shared(cli), 'x'))],
  ['.claude is a link', (cli) => fs.symlinkSync(moveAway(path.dirname(shared(cli))), path.dirname(shared(cli)))],
  ['.claude/memory is marked as the folder of another tool', (cli) => fs.writeFileSync(shared(cli, '_session.json'), '{}')],
  ['a category is a link', (cli) => fs.symlinkSync(moveAway(shared(cli, 'decisions')), shared(cli, 'decisions'))],
  ['a category is a file', (cli) => (moveAway(shared(cli, 'decisions')), fs.writeFileSync(shared(cli, 'decisions'), 'x'))],
];

const COMMANDS: readonly (readonly string[])[] = [
  ['search', 'zebra'],
  ['brief'],
  ['recall', 'why do refunds take the zebra path?'],
  ['timeline'],
  ['status'],
  ['doctor'],
  ['log'],
  ['get', 'decision/own'],
  ['save', 'decision', 'We log to stderr because stdout is the protocol'],
  ['rebuild'],
  ['undo'],
  ['export', 'out.tar.gz'],
];

attack('repository', 'a folder of the memory that vanishes or turns into something else stops nothing', WAYS, (change) => {
  const cli = program();
  fs.mkdirSync(shared(cli, 'decisions'), { recursive: true });
  fs.mkdirSync(notes(cli));
  fs.writeFileSync(notes(cli, 'notes.md'), '# Notes about the zebra\n');
  fs.writeFileSync(shared(cli, 'decisions', 'other.md'), '---\ncategory: decision\n---\n# Shared zebra\n\n## Decision\n\nzebra\n');
  cli.run('start');
  cli.run('save', 'decision', 'Own', '--title', 'Own');
  cli.run('save', 'decision', 'Refunds take the zebra path because they are rare');
  expect(cli.ask('search', 'zebra')['hits']).toHaveLength(3);
  change(cli);
  for (const words of COMMANDS) {
    const { code, err } = cli.run(...words);
    expect(code, `${words.join(' ')}: ${err.slice(-600)}`).not.toBeNull();
    expect(err, words.join(' ')).not.toMatch(/\n {4}at /);
  }
  expect(cli.ask('search', 'zebra')['hits']).toContainEqual(expect.objectContaining({ id: expect.stringContaining('refunds-take-the-zebra-path') }));
  for (const event of ['SessionStart', 'UserPromptSubmit']) {
    const input = JSON.stringify({ session_id: event, cwd: cli.project, source: 'startup', prompt: 'why do refunds take the zebra path?' });
    const ran = spawnSync(process.execPath, [path.join(PLUGIN, 'dist', 'hook.js'), event], {
      cwd: cli.project,
      env: environment({ home: cli.home }),
      input,
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('zebra') });
  }
});
