import fs from 'node:fs';
import { expect, test } from 'vitest';
import { type Answer, type Program, program, spawnProgram } from './program.ts';

const COMMANDS: readonly (readonly [argv: readonly string[], input?: string])[] = [
  [['--version']],
  [['save', 'decision', 'Use SQLite because it needs no server']],
  [['save', 'decison', 'A misspelt category']],
  [['list']],
  [['search', 'sqlite']],
  [['search', 'sqlite', '--json']],
  [['recall', 'Why do we use SQLite?']],
  [['write', '--action', 'create', '--category', 'decision', '--target', 'decisions/from-input.md', '--input', '-'], 'no draft'],
  [['get', 'no-such-record']],
  [['retire', 'use-sqlite-because-it-needs-no-server']],
  [['undo']],
  [['log']],
  [['doctor', '--json']],
  [['save', '--help']],
  [['nonsense']],
];

/** Without what differs between two projects and two moments. */
const comparable = ({ folder }: Program, { code, out, err }: Answer): unknown => {
  const masked = (text: string): string =>
    text
      .replaceAll(folder, 'FOLDER')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?Z?/g, 'TIME')
      .replaceAll(/"hash":"\w+"/g, '"hash":"HASH"');
  return { code, out: masked(out), err: masked(err) };
};

test('a command says and leaves the same in the process that other tests share as in one of its own', () => {
  const [shared, own] = [program(), program()];
  for (const [argv, input = ''] of COMMANDS) {
    const inOwn = spawnProgram(['--home', own.home, ...argv], { cwd: own.project, env: { HOME: `${own.folder}/no-such-home` }, input });
    expect(comparable(shared, shared.runIn({ input }, ...argv)), argv.join(' ')).toEqual(comparable(own, inOwn));
  }
  expect(fs.readdirSync(`${shared.records}/decisions`)).toEqual(fs.readdirSync(`${own.records}/decisions`));
});
