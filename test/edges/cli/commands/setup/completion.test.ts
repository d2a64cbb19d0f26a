import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { REGISTRY } from '../../../../../src/edges/cli/registry.ts';
import { program } from '../../program.ts';

const installed = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

function scriptFor(shell: string): string {
  const cli = program();
  const { code, out, err } = cli.run('completion', shell);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const file = path.join(cli.folder, `completion.${shell}`);
  fs.writeFileSync(file, out);
  return file;
}

const run = (shell: string, ...words: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync(shell, [...words], { encoding: 'utf8', timeout: 100_000 });

describe('completion for bash', () => {
  it('is a script that bash accepts, and offers commands and their options', ({ skip }) => {
    skip(!installed('bash'), 'bash is not installed');
    const file = scriptFor('bash');
    expect(run('bash', '-n', file)).toMatchObject({ status: 0, stderr: '' });
    const offered = (...words: readonly string[]): readonly string[] =>
      run('bash', '-c', 'source "$0"; COMP_WORDS=(holdfast "$@"); COMP_CWORD=$#; _holdfast; printf "%s\\n" "${COMPREPLY[@]}"', file, ...words)
        .stdout.split('\n')
        .filter(Boolean);
    expect(offered('sea')).toEqual(['search']);
    expect(offered('')).toEqual(REGISTRY.map(({ name }) => name));
    expect(offered('search', '--in')).toEqual(['--include-retired']);
    expect(offered('write', '--ha')).toEqual(['--hash']);
    expect(offered('log', '--')).toEqual(expect.arrayContaining(['--limit', '--user', '--json', '--home', '--no-color']));
    expect(run('bash', '-c', 'source "$0"; complete -p holdfast', file).stdout).toContain('-F _holdfast holdfast');
  });
});

describe('completion for zsh', () => {
  it('is a script that zsh accepts', ({ skip }) => {
    skip(!installed('zsh'), 'zsh is not installed');
    expect(run('zsh', '-n', scriptFor('zsh'))).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('completion for fish', () => {
  it('is a script that fish accepts, and offers commands', ({ skip }) => {
    skip(!installed('fish'), 'fish is not installed');
    const file = scriptFor('fish');
    expect(run('fish', '-n', file)).toMatchObject({ status: 0, stderr: '' });
    expect(run('fish', '-c', `source ${file}; complete -C 'holdfast sea'`).stdout).toMatch(/^search\b/m);
  });
});
