import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcript } from '../../../hook/transcript.ts';
import { draftFile, program, PROGRAM, type Program } from '../../program.ts';

const SESSION = '5f0c1d2e-1111-4222-8333-444455556666';

describe('a session that still runs', () => {
  it('is summed up as far as its client wrote it, before anything imported it and after', () => {
    const cli = program();
    const session = transcript(cli, SESSION);
    session.prompt('Send the storm warnings by radio, because flags freeze');
    const first = cli.ask('summarize', SESSION, '--dry-run');
    expect(JSON.stringify(first)).toContain('storm warnings');
    expect(cli.run('messages', '--session', SESSION).code).toBe(4);
    cli.ask('import');
    session.prompt('And ring the harbour bell at dawn, because the captains sail then');
    expect(JSON.stringify(cli.ask('summarize', SESSION, '--dry-run'))).toContain('harbour bell');
    cli.ask('import');
    expect(JSON.stringify(cli.ask('summarize', SESSION, '--dry-run'))).toContain('harbour bell');
  });

  it('is read without what the project excludes', () => {
    const cli = program();
    const session = transcript(cli, SESSION);
    session.prompt('Tidy the salaries');
    session.run('git commit payroll/wages.csv -m "Raise the pay of the pilots"', '[main 1234567] Raise the pay of the pilots\n 1 file changed');
    session.run('git commit src/port.ts -m "Name the quays"', '[main 2345678] Name the quays\n 1 file changed');
    const read = (...from: string[]) => JSON.stringify(cli.ask('summarize', ...from, '--dry-run'));
    expect(read(SESSION)).toMatch(/Raise the pay.*Name the quays/);
    cli.ask('config', 'set', 'capture.exclude', '["**/payroll/**"]');
    for (const said of [read(SESSION), read('--transcript', session.file)]) {
      expect(said).toContain('Name the quays');
      expect(said).not.toContain('Raise the pay');
    }
  });
});

const HAS_SCRIPT = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux');

/** Runs a command on a terminal and types keys into it. */
function atTerminal(cli: Program, keys: string, ...argv: string[]): string {
  const command = [process.execPath, PROGRAM, '--home', cli.home, ...argv].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC', HOME: cli.folder, TERM: 'dumb', EDITOR: path.join(cli.folder, 'editor.sh') };
  return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: cli.project, encoding: 'utf8', input: keys, env, timeout: 60_000 }).stdout;
}

const chat = (cli: Program, ...ids: string[]): string => {
  const rows = ids.map((id, at) => ({ project: 'webshop', session_id: id, message_id: 'm1', role: 'user', timestamp: `2026-01-0${at + 1}T10:00:00Z` }));
  return draftFile(cli, 'chat.jsonl', rows.map((row) => JSON.stringify({ ...row, text: `Send the warnings of ${row.session_id} by radio` })).join('\n'));
};
const summaryFile = (cli: Program, id: string): string => path.join(cli.records, 'sessions', `${id}.md`);

describe.runIf(HAS_SCRIPT)('on a terminal', () => {
  it('a summary is shown and saved only after a yes, edited where the user wants', () => {
    const cli = program();
    cli.ask('import', chat(cli, 'first', 'second'), '--format', 'chat', '--project', cli.project);
    const refused = atTerminal(cli, 'n', 'summarize', 'first');
    expect(refused).toMatch(/# Send the warnings of first by radio\s+## Context/);
    expect(refused).toContain('Not saved.');
    expect(fs.existsSync(summaryFile(cli, 'first'))).toBe(false);
    atTerminal(cli, 'y', 'summarize', 'first');
    expect(fs.readFileSync(summaryFile(cli, 'first'), 'utf8')).toMatch(/trust: confirmed/);
    fs.writeFileSync(path.join(cli.folder, 'editor.sh'), '#!/bin/sh\nprintf "# Radio\\n\\n## Context\\n\\nMy own words.\\n" > "$1"\n', { mode: 0o755 });
    atTerminal(cli, 'e', 'summarize', 'second');
    expect(fs.readFileSync(summaryFile(cli, 'second'), 'utf8')).toMatch(/# Radio[\s\S]*My own words/);
  });

  it('a synthesis after an import says how many sessions have no summary and makes them when asked', () => {
    const cli = program();
    cli.ask('import', chat(cli, 'first', 'second', 'third'), '--format', 'chat', '--project', cli.project);
    cli.ask('summarize', 'first', '--yes');
    const said = atTerminal(cli, 'y', 'synthesize');
    expect(said).toContain('2 of 3 sessions have no summary');
    expect(said).toContain('from 3 conversations');
    expect(fs.readFileSync(summaryFile(cli, 'third'), 'utf8')).toMatch(/trust: observed/);
  });
});

describe('summaries of all sessions', () => {
  it('are made for those without one, oldest first, and the synthesis says what is missing until then', () => {
    const cli = program();
    expect(cli.refused('summarize', '--all', 'first')).toMatchObject({ exit: 2 });
    cli.ask('import', chat(cli, 'first', 'second', 'third'), '--format', 'chat', '--project', cli.project);
    expect(cli.refused('synthesize').hint).toBe('3 of 3 sessions have no summary: holdfast summarize --all makes them.');
    cli.ask('summarize', 'second', '--yes');
    const approved = fs.readFileSync(summaryFile(cli, 'second'), 'utf8');
    expect(cli.ask('synthesize')).toMatchObject({ conversations: 1, without_summary: 2 });
    expect(cli.ask('summarize', '--all')).toMatchObject({ ok: true, sessions: 3, without: 2, saved: 2, failed: [] });
    expect(fs.readFileSync(summaryFile(cli, 'second'), 'utf8')).toBe(approved);
    expect(cli.ask('summarize', '--all')).toMatchObject({ without: 0, saved: 0 });
    expect(cli.ask('synthesize')).toMatchObject({ conversations: 3 });
  });

  it('stay apart from the approved ones of a _memory/ until their user approves them', () => {
    const cli = program();
    const folder = path.join(cli.project, '_memory', 'conversations');
    fs.mkdirSync(folder, { recursive: true });
    cli.ask('import', chat(cli, 'first', 'second'), '--format', 'chat', '--project', cli.project);
    cli.ask('summarize', '--all');
    expect(fs.readdirSync(folder)).toEqual([]);
    expect(cli.run('recall').out).toMatch(/Send the warnings of first by radio.*automatic/);
    cli.ask('summarize', 'first', '--yes');
    expect(fs.readdirSync(folder)).toEqual(['first.md']);
    expect(cli.ask('summarize', '--all')).toMatchObject({ without: 0 });
    const shown = cli.run('recall').out;
    expect(shown.match(/warnings of first/g)).toHaveLength(1);
    expect(shown).not.toMatch(/warnings of first by radio.*automatic/);
  });

  it('drafts of all sessions are saved in one run', () => {
    const cli = program();
    cli.ask('import', chat(cli, 'first', 'second'), '--format', 'chat', '--project', cli.project);
    expect(cli.refused('drafts', '--all')).toMatchObject({ exit: 2 });
    expect(cli.ask('drafts', '--all', '--save')).toMatchObject({ ok: true, sessions: 2 });
  });
});
