import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { PROGRAM } from '../../edges/cli/program.ts';
import { scratch } from '../../scratch.ts';
import { rounds } from '../../rounds.ts';

const MEGABYTE = 1e6;
const WORDS = 'storage index lock writer reader journal page query term chunk session branch commit test error cause remedy cache plan route'.split(' ');

/** Sessions one after the other, each prompt and reply with words of its own. */
function writeSessions(file: string, bytes: number): number {
  const handle = fs.openSync(file, 'w');
  let [written, messages] = [0, 0];
  for (let n = 0; written < bytes; n++) {
    const words = Array.from({ length: 400 }, (_, at) => `${WORDS[(n * 7 + at * at) % WORDS.length] ?? ''}${(n * 31 + at) % 997}`).join(' ');
    const about = { sessionId: `s${Math.floor(n / 50)}` };
    const lines = [
      said(`Prompt ${n}: ${words.slice(0, 300)}`, { ...about, uuid: `u${n}` }),
      replied(`m${n}`, [text(words), called(`c${n}`, 'Bash', { command: `echo ${n}` })], { ...about, uuid: `a${n}` }),
      answered(`c${n}`, words.repeat(6)).replace('"sessionId":"s1"', `"sessionId":"${about.sessionId}"`),
    ];
    const block = lines.map((line) => `${line}\n`).join('');
    written += fs.writeSync(handle, block);
    messages += lines.length;
  }
  fs.closeSync(handle);
  return messages;
}

const canRecordTerminal = spawnSync('script', ['--version']).status === 0;
if (!canRecordTerminal) console.warn('progress on a terminal skipped: there is no script(1) here');

describe('an import of a large file', () => {
  it('takes every message and stays under 300 MB of memory', { timeout: 600_000 }, () => {
    const folder = scratch();
    const file = path.join(folder, 'large.jsonl');
    const messages = writeSessions(file, rounds(40, 110) * MEGABYTE);
    // Through a shell: Linux counts the peak of the process that starts a program as the program's own, and this one is large.
    const command = [process.execPath, PROGRAM, '--home', path.join(folder, 'home'), 'import', file, '--json'];
    const out = execFileSync('sh', ['-c', '"$@"; exit $?', 'sh', ...command], { cwd: folder, encoding: 'utf8' });
    const report = JSON.parse(out) as { messages: number; repeated: number; peak_mb: number };
    expect(report).toMatchObject({ messages, repeated: 0 });
    expect(report.peak_mb).toBeLessThan(300);
  });

  it.skipIf(!canRecordTerminal)('shows on a terminal how far it is, how fast and how long it still takes', () => {
    const folder = scratch();
    const file = path.join(folder, 'large.jsonl');
    writeSessions(file, 25 * MEGABYTE);
    const command = [process.execPath, PROGRAM, '--home', path.join(folder, 'home'), 'import', file].join(' ');
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    });
    expect(shown).toMatch(/[█░]{20} [\d.]+ MB of 25 MB, \d+ MB\/s, \d+ s left/);
    expect(shown).toMatch(/new messages in \d+ sessions/);
  });
});
