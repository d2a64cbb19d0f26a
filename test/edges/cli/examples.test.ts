import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '../../../src/edges/cli/registry.ts';
import { createUseSqlite, DECISION, lastingProgram, PROGRAM } from './program.ts';

const COMMANDS = new Map((await loadCommands()).map((command) => [command.name, command]));
const memory = lastingProgram();
/** Commands that need nothing but records: their examples are run. Those of the others need sessions, models or a server. */
const ON_RECORDS =
  'save search get show edit retire restore archive unarchive confirm share gc log diff undo write candidate status rebuild config doctor completion';
const examples = ON_RECORDS.split(' ').flatMap((name) => COMMANDS.get(name)?.examples.map(([line]) => line) ?? []);

/** Examples name writes, hashes and states that this memory does not have: they are refused, but never as wrong usage. */
const REFUSED: readonly (readonly [RegExp, number])[] = [
  [/ '?#?42'?$|config adopt categories\./, 4],
  [/--hash 9e107d9d/, 3],
  [/^holdfast write --action create|^holdfast unarchive/, 1],
];

beforeAll(() => {
  createUseSqlite(memory);
  memory.ask('save', 'constraint', 'At most 100 requests a minute', '--title', 'Rate limit');
  memory.ask('save', 'preference', 'Commits say what changed for a user');
  const at = (name: string): string => path.join(memory.project, name);
  fs.writeFileSync(at('draft.json'), JSON.stringify(DECISION));
  fs.writeFileSync(at('fix.json'), JSON.stringify({ title: 'Restart', tags: ['ops'], content: { trigger: 'down', steps: ['restart'], verification: 'up' } }));
  const bin = path.join(memory.folder, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'holdfast'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" --home "${memory.home}" "$@"\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(bin, 'editor'), `#!/bin/sh\nsed -i 's/One machine/One machine only/' "$1"\n`, { mode: 0o755 });
});

const installed = spawnSync('bash', ['-c', 'exit 0']).status === 0;

/** Each begins with the memory as it was: `undo` and `retire` would take the next one's records away. */
function runExample(line: string): { readonly status: number | null; readonly stderr: string } {
  const kept = path.join(memory.folder, 'kept');
  fs.cpSync(memory.home, kept, { recursive: true, preserveTimestamps: true });
  try {
    const script = `set -o pipefail; fpath=("$HOME"); mkdir -p "$HOME/.config/fish/completions"; ${line.replace('${fpath[1]}', '${fpath[0]}')}`;
    const env = {
      PATH: `${path.join(memory.folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: path.join(memory.folder, 'user'),
      EDITOR: 'editor',
      TMPDIR: memory.folder,
    };
    return spawnSync('bash', ['-c', script], { cwd: memory.project, env, encoding: 'utf8', timeout: 100_000 });
  } finally {
    fs.rmSync(memory.home, { recursive: true });
    fs.renameSync(kept, memory.home);
    fs.rmSync(path.join(memory.project, '.claude'), { recursive: true, force: true });
  }
}

describe('every example of the commands on records', () => {
  it.for(examples)('%s', (line, { skip }) => {
    skip(!installed, 'bash is not installed');
    const { status, stderr } = runExample(line);
    const expected = REFUSED.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
    expect({ status, stderr: status === expected ? '' : stderr }).toEqual({ status: expected, stderr: '' });
  });
});
