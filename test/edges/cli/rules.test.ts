import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftFile, program, type Program } from './program.ts';

const ids = (cli: Program, ...argv: string[]): readonly string[] => (cli.ask('search', ...argv)['hits'] as { id: string }[]).map(({ id }) => id);

const chat = (cli: Program, id: string, text: string): string =>
  draftFile(
    cli,
    `${id}.jsonl`,
    JSON.stringify({ project: 'webshop', session_id: id, message_id: 'm1', role: 'user', timestamp: '2026-01-05T23:30:00-05:00', text }),
  );

describe('what the documents ask of the command line', () => {
  it('keeps shared records in .claude/memory/ of the project, in the folder of their category', () => {
    const cli = program();
    cli.ask('save', 'tech_debt', 'Replace the poller later, because the storm comes first', '--shared');
    const folder = path.join(cli.project, '.claude', 'memory', 'tech-debt');
    expect(fs.readdirSync(folder)).toHaveLength(1);
  });

  it('keeps a decision under its category, and an analysis with all of its sections', () => {
    const cli = program();
    const read = (saved: Record<string, unknown>): string => fs.readFileSync(String(saved['file']), 'utf8');
    expect(read(cli.ask('save', 'decision', 'Split the API', '--area', 'architecture'))).toMatch(
      /^\*\*Date\*\*: .*\n\*\*Category\*\*: architecture\n\*\*Status\*\*: accepted\n\n## Context\n\n## Decision\n/m,
    );
    expect(cli.refused('save', 'runbook', 'x', '--area', 'process')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(read(cli.ask('save', 'analysis', 'Three holes', '--file', 'src/Auth.ts'))).toMatch(
      /^# Analysis: Three holes\n\n\*\*Analyzed\*\*: .*\n\*\*Path\*\*: src\/Auth\.ts\n\*\*Type\*\*: file\n\n## Summary\nThree holes\n\n## Key Findings\n\n## Issues Found\n\n## Recommendations\n$/m,
    );
  });

  it('retires and restores by slug, and purges only past the grace period', () => {
    const cli = program();
    cli.ask('save', 'decision', 'Use radio because flags freeze', '--title', 'Use radio');
    expect(cli.ask('retire', 'use-radio', '--reason', 'wrong')).toMatchObject({ status: 'retired' });
    expect(cli.ask('restore', 'use-radio')).toMatchObject({ status: 'restored' });
    cli.ask('retire', 'use-radio', '--reason', 'wrong');
    const file = path.join(cli.records, 'decisions', fs.readdirSync(path.join(cli.records, 'decisions'))[0] as string);
    cli.ask('gc');
    expect(fs.existsSync(file)).toBe(true);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(/retired_at: .*/g, 'retired_at: 2020-01-01T00:00:00Z'));
    cli.ask('gc');
    expect(fs.existsSync(file)).toBe(false);
  });

  it('has status, config, save, a search of ten that can include what is retired, archive, unarchive and their list', () => {
    const cli = program();
    for (let number = 1; number <= 12; number += 1) cli.ask('save', 'constraint', `Gauge ${number} must not freeze`, '--title', `Gauge ${number}`);
    expect(ids(cli, 'gauge')).toHaveLength(10);
    cli.ask('retire', 'gauge-1', '--reason', 'gone');
    cli.ask('archive', 'gauge-2', '--reason', 'history');
    expect(ids(cli, 'gauge', '--limit', '20')).toHaveLength(10);
    expect(ids(cli, 'gauge', '--limit', '20', '--include-retired')).toHaveLength(12);
    expect(cli.ask('unarchive', 'gauge-2')).toMatchObject({ status: 'unarchived' });
    expect(cli.ask('status')).toMatchObject({ key: 'webshop' });
    expect(cli.ask('config', 'get', 'retrieval.max_inject')).toMatchObject({ value: 5 });
  });

  it('synthesises at no time of its own, sums nothing up unasked and names no file by a title that sessions have', () => {
    const cli = program();
    expect(cli.ask('config', 'get', 'synthesis.autoAfter')).toMatchObject({ value: 0 });
    cli.ask('import', chat(cli, 'client-1', 'Send the warnings by radio, because flags freeze'), '--format', 'chat');
    expect(fs.existsSync(path.join(cli.home, 'projects', 'webshop', 'sessions'))).toBe(false);
    const { file } = cli.ask('summarize', 'client-1') as { file: string };
    expect(path.basename(file)).toBe('client-1.md');
    expect(fs.existsSync(path.join(cli.home, 'projects', 'webshop', 'master.md'))).toBe(false);
  });

  it('shows a summary before it is kept', () => {
    const cli = program();
    const transcript = chat(cli, 'client-1', 'Send the warnings by radio');
    expect(cli.run('summarize', '--transcript', transcript, '--dry-run').out).toContain('Send the warnings by radio');
    expect(fs.existsSync(cli.records)).toBe(false);
    cli.ask('summarize', '--transcript', transcript);
    expect(fs.existsSync(path.join(cli.records, 'sessions', 'client-1.md'))).toBe(true);
  });

  it('joins what belongs to a session by its id: messages, summary, timeline', () => {
    const cli = program();
    cli.ask('import', chat(cli, 'client-1', 'Send the warnings by radio'), '--format', 'chat');
    cli.ask('summarize', 'client-1');
    expect(cli.ask('messages', '--session', 'client-1')).toMatchObject({ session_id: 'client-1', messages: [{ text: 'Send the warnings by radio' }] });
    expect(cli.ask('show', 'session_summary/client-1', '--project', 'webshop')).toMatchObject({ record: { origin: { session_id: 'client-1' } } });
    expect(fs.readdirSync(path.join(cli.home, 'projects', 'webshop', 'sessions'))).toEqual(['client-1.md']);
  });

  it('stores times in UTC, whatever zone they came in', () => {
    const cli = program();
    cli.ask('import', chat(cli, 'client-1', 'Send the warnings by radio'), '--format', 'chat');
    const { messages } = cli.ask('messages', '--session', 'client-1') as { messages: { timestamp: string }[] };
    expect(Date.parse(messages[0]?.timestamp ?? '')).toBe(Date.parse('2026-01-06T04:30:00Z'));
    expect(messages[0]?.timestamp).toMatch(/Z$/);
    cli.askIn({ env: { TZ: 'Asia/Tokyo' } }, 'save', 'decision', 'Use radio because flags freeze', '--title', 'Use radio');
    const { record } = cli.ask('show', 'use-radio') as { record: { created_at: string } };
    expect(record.created_at).toMatch(/Z$/);
    expect(Math.abs(Date.parse(record.created_at) - Date.now())).toBeLessThan(60_000);
  });

  it('never writes where the client keeps its own memory and instructions', () => {
    const cli = program();
    const own = path.join(cli.home, 'projects', cli.project.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
    fs.mkdirSync(own, { recursive: true });
    fs.writeFileSync(path.join(own, 'MEMORY.md'), '- the client wrote this\n');
    fs.writeFileSync(path.join(cli.project, 'CLAUDE.md'), '# Rules\n');
    cli.ask('save', 'decision', 'Use radio because flags freeze');
    cli.ask('summarize', '--transcript', chat(cli, 'client-1', 'Send the warnings by radio'));
    cli.ask('migrate');
    cli.ask('synthesize');
    cli.ask('rebuild');
    expect(fs.readdirSync(own)).toEqual(['MEMORY.md']);
    expect(fs.readFileSync(path.join(own, 'MEMORY.md'), 'utf8')).toBe('- the client wrote this\n');
    expect(fs.readFileSync(path.join(cli.project, 'CLAUDE.md'), 'utf8')).toBe('# Rules\n');
    expect(cli.run('brief').out).not.toContain('# Rules');
  });
});
