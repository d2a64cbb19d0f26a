import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { program, runProgram } from '../../program.ts';

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
    fs.writeFileSync(path.join(cli.home, 'user', 'preferences.md'), '# Preferences\n\n- Tabs, never spaces\n- **tone**: Short\n');
    fs.mkdirSync(cli.records, { recursive: true });
    fs.writeFileSync(path.join(cli.records, 'project.md'), '# Project: webshop\n\n## Role\nLead\n');
    const first = cli.run('start');
    expect(first.out).toContain('💭 Based on your preference...\n  - Tabs, never spaces\n  - tone: Short\n');
    expect(first.out).toContain('## Role\nLead');
    expect(cli.ask('config', 'get', 'on')).toMatchObject({ value: true, source: 'project' });
    expect(cli.ask('start')).toMatchObject({ status: 'already_active', registered: false, preferences: ['Tabs, never spaces', '**tone**: Short'] });
    expect(fs.readFileSync(path.join(cli.home, 'workspace.md'), 'utf8').match(/^\| webshop \|/gm)).toHaveLength(1);
    const shown = cli.run('status').out;
    expect(shown).toMatch(/^webshop {2}[0-9a-f]{12} {2}.*\/webshop\n/);
    expect(shown).toMatch(/memory mode ACTIVE since \d{4}-\d\d-\d\d \d\d:\d\d\n {2}index 5 of 20 entries, 0 archived\n {2}files {4}context 2, progress 2\n/);
    expect(shown).toMatch(/last activity \d{4}-\d\d-\d\d \d\d:\d\d\n/);
    cli.ask('stop');
    expect(cli.ask('config', 'get', 'on')).toMatchObject({ value: false, source: 'project' });
    expect(cli.run('status').out).toContain('memory mode INACTIVE: no work session is open; holdfast start opens one');
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
    expect(cli.run('rebuild').out).toBe('Index rebuilt. Found 1 decisions, 0 analyses, 2 context files, 0 subagent outputs.\n1 records in total.\n');
  });
});

describe('a client without hooks', () => {
  test('leaves a breadcrumb, misses it after a compaction, and is told index, preferences and workspace', () => {
    const cli = program();
    fs.mkdirSync(path.join(cli.home, 'user'), { recursive: true });
    fs.writeFileSync(path.join(cli.home, 'user', 'preferences.md'), '# Preferences\n\n- Tabs, never spaces\n');
    expect(cli.run('breadcrumb')).toMatchObject({ code: 0, out: '' });
    expect(cli.run('breadcrumb', 'check').out).toContain('Memory is off in this project');
    cli.ask('start');
    cli.ask('task', 'Mend the checkout');
    cli.ask('save', 'decision', 'Use SQLite');
    expect(cli.ask('breadcrumb', 'check')).toMatchObject({ verdict: 'first', recovery: null });
    const crumb = cli.run('breadcrumb').out;
    expect(crumb).toMatch(/^<!-- MEMORY_BREADCRUMB: webshop \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ -->\n$/);
    expect(cli.askIn({ input: `talk\n${crumb}` }, 'breadcrumb', 'check')).toMatchObject({ verdict: 'intact' });
    const { out } = cli.runIn({ input: 'a summary' }, 'breadcrumb', 'check');
    const at = ['the context was compacted', 'Mend the checkout', 'Memory index', 'Tabs, never spaces', 'webshop |'].map((words) => out.indexOf(words));
    expect(Math.min(...at)).toBeGreaterThanOrEqual(0);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(cli.refused('breadcrumb', 'eat')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  });

  test('says where the work stands by task, progress, block and unblock', () => {
    const cli = program();
    cli.ask('task', 'Mend', 'the', 'checkout');
    cli.ask('progress', 'add', 'Find it', 'Fix it');
    cli.ask('progress', 'done', 'find');
    cli.ask('block', 'No key for the sandbox');
    expect(cli.run('task').out).toMatch(/Task +Mend the checkout\nProgress {2}1\/2\n {2}1\. \[x\] Find it\n {2}2\. \[ \] Fix it\nBlockers\n {2}1\. No key/);
    expect(cli.run('brief').out).toContain('No key for the sandbox');
    cli.ask('unblock', '1');
    expect(cli.ask('task', '--done')).toMatchObject({ task: null, blockers: [], steps: [{ text: 'Fix it', done: false }] });
    expect(cli.refused('task', '--done')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
    expect(cli.ask('progress', 'Write the note')).toMatchObject({
      steps: [
        { text: 'Fix it', done: false },
        { text: 'Write the note', done: false },
      ],
    });
    expect(cli.refused('progress', 'juggle', 'x')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(cli.refused('block')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(cli.refused('unblock')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  });
});
