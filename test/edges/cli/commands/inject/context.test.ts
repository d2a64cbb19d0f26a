import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentsOf, program, type Program } from '../../program.ts';

const memoryFile = ({ records }: Program): string => path.join(records, 'memory', 'MEMORY.md');
const global = ({ home }: Program, name: string, text: string): void => {
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, name), text);
};

describe('context, update and rollback', () => {
  it('print, grow and put back the memory files of a project', () => {
    const cli = program();
    expect(cli.run('context')).toEqual({ code: 0, out: '', err: 'note There is no CLAUDE.md and no MEMORY.md to print.\n' });
    global(cli, 'CLAUDE.md', 'Be brief.');
    expect(cli.run('update', '--decision', 'Use JWT: no session store', '--done', 'Auth').out).toMatch(/^updated .*MEMORY\.md {2}\d+ characters\n/);
    expect(cli.run('context').out).toMatch(
      /^## Global Instructions\n\nBe brief\.\n\n---\n\n## Project Memory\n\n## Session Summary - \d{4}-\d\d-\d\d \d\d:\d\d\n\n### Key Decisions\n- Use JWT: no session store\n/,
    );
    expect(cli.run('context', '--block', '--session', 's1').out).toMatch(/^## Loaded Memory Context\n\n### Project: webshop\n### Session: s1\n/);
    expect(cli.run('context', '--task', 'Go on.').out).toMatch(/^EXECUTION RULES:[\s\S]*## Task\n\nGo on\.\n$/);
    expect(cli.runIn({ input: 'Rules\n\n## Task\n\nx' }, 'context', '--prompt', '-').out).toMatch(
      /^Rules\n\n## Loaded Memory Context\n[\s\S]*\n## Task\n\nx\n$/,
    );
    expect(cli.refused('rollback')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
    const before = fs.readFileSync(memoryFile(cli), 'utf8');
    cli.ask('update', '--issue', 'slow');
    expect(cli.ask('rollback')).toMatchObject({ ok: true, file: memoryFile(cli) });
    expect(fs.readFileSync(memoryFile(cli), 'utf8')).toBe(before);
    expect(cli.ask('undo')).toMatchObject({ ok: true });
    expect(fs.readFileSync(memoryFile(cli), 'utf8')).toContain('- slow');
    expect(documentsOf(cli.run('log', 'memory/MEMORY', '--json')).map(({ op }) => op)).toEqual(['undo', 'write', 'write', 'create']);
  });

  it('with --auto do only what the settings allow', () => {
    const cli = program();
    expect(cli.ask('update', '--auto', '--done', 'T1')).toEqual({ ok: true, updated: false, because: '1 finished tasks, updateThreshold is 3' });
    expect(cli.ask('update', '--auto', '--significant', '--done', 'T1')).toMatchObject({ updated: true });
    cli.ask('config', 'set', 'autoUpdate', 'false');
    expect(cli.ask('update', '--auto', '--significant', '--done', 'T2')).toMatchObject({ updated: false, because: 'autoUpdate is false' });
    expect(cli.ask('update', '--done', 'T2')).toMatchObject({ updated: true });
    cli.ask('config', 'set', 'autoLoad', 'false');
    expect(cli.ask('context', '--auto')).toMatchObject({ text: '', silence: 'autoLoad is false' });
    expect(cli.ask('context')).toMatchObject({ text: expect.stringContaining('## Project Memory') });
  });

  it('keep up a folder that is named by the hash where it stands', () => {
    const cli = program();
    const { project } = cli.ask('status') as { project: { hash: string } };
    const folder = path.join(cli.home, 'projects', project.hash);
    fs.mkdirSync(path.join(folder, 'memory'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'memory', 'MEMORY.md'), 'by hash');
    cli.ask('update', '--issue', 'noted');
    expect(fs.readFileSync(path.join(folder, 'memory', 'MEMORY.md'), 'utf8')).toMatch(/- noted\n\n\nby hash$/);
    expect(fs.readdirSync(folder)).toEqual(['memory']);
    expect(fs.existsSync(path.join(cli.records, 'memory'))).toBe(false);
  });

  it('say what is wrong, and refuse what makes no sense', () => {
    const cli = program();
    const check = cli.run('context', '--check');
    expect(check.code).toBe(0);
    expect(check.out).toMatch(
      /^project webshop \([0-9a-f]{12}\) at .*webshop\n[\s\S]*module V12\.0, orchestrator V8\.0\+ or V12\.0\n[\s\S]*normal on a first run/,
    );
    cli.ask('config', 'set', 'maxMemorySize', '1000');
    fs.mkdirSync(path.dirname(memoryFile(cli)), { recursive: true });
    fs.writeFileSync(memoryFile(cli), 'too long\n'.repeat(200));
    expect(cli.run('context', '--check')).toMatchObject({ code: 1, out: expect.stringContaining('has 1800 characters and maxMemorySize is 1000') });
    expect(cli.run('doctor')).toMatchObject({ code: 1, out: expect.stringMatching(/^problem .*MEMORY\.md has 1800 characters and maxMemorySize is 1000$/m) });
    expect(cli.refused('update')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(cli.refused('update', 'no-such-session')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
    expect(cli.refused('context', '--prompt', 'a', '--task', 'b')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  });
});
