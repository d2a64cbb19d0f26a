import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../scratch.ts';
import { PROGRAM, spawnProgram } from './program.ts';

const isLinux = process.platform === 'linux';
const canRecordTerminal = isLinux && spawnSync('script', ['--version']).status === 0;
if (!canRecordTerminal) console.warn('colours on a terminal skipped: there is no script(1) here');

describe('the home', () => {
  it.each([
    ['CLAUDE_CONFIG_DIR where HOLDFAST_HOME is empty', { HOLDFAST_HOME: '', CLAUDE_CONFIG_DIR: 'config' }, 'config'],
    ['HOLDFAST_HOME first', { HOLDFAST_HOME: 'own', CLAUDE_CONFIG_DIR: 'config' }, 'own'],
    ['.claude where both are empty', { HOLDFAST_HOME: ' ', CLAUDE_CONFIG_DIR: '' }, '.claude'],
  ])('is %s', (_, env, name) => {
    const folder = scratch();
    const { code, out } = spawnProgram(['save', 'decision', 'Use SQLite', '--json'], { cwd: folder, env: { HOME: folder, ...env } });
    expect(code).toBe(0);
    expect((JSON.parse(out) as { file: string }).file.startsWith(`${path.join(folder, name)}${path.sep}`)).toBe(true);
  });

  it.skipIf(!isLinux)('that cannot be made is told at once, also where the system says that what is there is missing', () => {
    const folder = scratch();
    const { code, err } = spawnProgram(['save', 'decision', 'Use SQLite'], { cwd: folder, env: { HOME: '/proc/no-such-folder' } });
    expect(code).toBe(5);
    expect(err).toMatch(/^IO_ERROR cannot create \/proc\/no-such-folder/);
  });
});

describe.skipIf(!canRecordTerminal)('colours', () => {
  const ESCAPE = '\u001b[';
  const shownBy = (folder: string, redirected: string): string => {
    const command = `${process.execPath} ${PROGRAM} --home ${folder}/home no-such-command ${redirected}`;
    // script(1) ends as the command does, which is refused here.
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } });
    return stdout;
  };

  it('of an error follow where it is read, not where the output goes', () => {
    const folder = scratch();
    const file = path.join(folder, 'errors.txt');
    expect(shownBy(folder, '> /dev/null')).toContain(ESCAPE);
    shownBy(folder, `2> ${file}`);
    expect(fs.readFileSync(file, 'utf8')).toContain('USAGE_ERROR');
    expect(fs.readFileSync(file, 'utf8')).not.toContain(ESCAPE);
  });

  it('are switched off by NO_COLOR', () => {
    const folder = scratch();
    const command = `NO_COLOR=1 ${process.execPath} ${PROGRAM} --home ${folder}/home --help`;
    expect(execFileSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8' })).not.toContain(ESCAPE);
  });
});
