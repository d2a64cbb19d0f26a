import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { program, runProgram } from './program.ts';

describe('start and stop on the command line', () => {
  test('answer with their sentences, in a home of the usual kind', () => {
    const cli = program();
    const home = path.join(cli.folder, 'me');
    fs.mkdirSync(home);
    const run = (...argv: string[]) => runProgram(argv, { cwd: cli.project, env: { HOME: home } });
    expect(run('start')).toMatchObject({ code: 0, out: 'Memory mode active for webshop. Context stored at ~/.claude/projects/webshop/\n' });
    expect(run('stop')).toMatchObject({ code: 0, out: 'Memory mode stopped. Files preserved at ~/.claude/projects/webshop/\n' });
  });

  test('switch memory on and off for the project, put it on the map once, and read preferences and project.md', () => {
    const cli = program();
    fs.mkdirSync(path.join(cli.home, 'user'), { recursive: true });
    fs.writeFileSync(path.join(cli.home, 'user', 'preferences.md'), '# Preferences\n\n- Tabs, never spaces\n');
    fs.mkdirSync(cli.records, { recursive: true });
    fs.writeFileSync(path.join(cli.records, 'project.md'), '# Project: webshop\n\n## Role\nLead\n');
    const first = cli.run('start');
    expect(first.out).toContain('💭 Based on your preferences:\n  - Tabs, never spaces');
    expect(first.out).toContain('## Role\nLead');
    expect(cli.ask('config', 'get', 'on')).toMatchObject({ value: true, source: 'project' });
    expect(cli.ask('start')).toMatchObject({ status: 'already_active', registered: false, preferences: ['Tabs, never spaces'] });
    expect(fs.readFileSync(path.join(cli.home, 'workspace.md'), 'utf8').match(/^\| webshop \|/gm)).toHaveLength(1);
    expect(cli.run('status').out).toMatch(/memory mode ACTIVE since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n.*index 5 of 20 entries, 0 archived\n/s);
    cli.ask('stop');
    expect(cli.ask('config', 'get', 'on')).toMatchObject({ value: false, source: 'project' });
    expect(cli.run('status').out).toContain('memory mode INACTIVE');
  });

  test('leave the yes of the user alone where the mode is session', () => {
    const cli = program();
    cli.ask('config', 'set', 'mode', 'session');
    cli.ask('start');
    cli.ask('stop');
    expect(cli.ask('config', 'get', 'on')).toMatchObject({ value: true });
  });

  test('rebuild answers with its sentence', () => {
    const cli = program();
    cli.ask('start');
    cli.ask('save', 'decision', 'Use SQLite');
    expect(cli.run('rebuild').out).toBe('Index rebuilt. Found 1 decisions, 0 analyses, 2 context files, 0 subagent outputs.\n1 records in all.\n');
  });
});
