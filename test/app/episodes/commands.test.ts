import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answered, called, fixture, replied, said, text } from '../../capture/transcripts/reading.ts';
import { program, type Program } from '../../edges/cli/program.ts';

const at = (minute: number): { readonly timestamp: string } => ({ timestamp: `2026-01-02T10:${String(minute).padStart(2, '0')}:00.000Z` });

/** A session that decides something, with its transcript where Claude Code keeps it. */
function withSession(cli: Program): string {
  const here = { sessionId: 'session-1', cwd: cli.project, gitBranch: 'main' };
  const lines = [
    said('We need somewhere to keep the orders. What should we use?', { uuid: 'u1', ...here, ...at(0) }),
    replied('m1', [text('I compared both.'), called('c1', 'Bash', { command: 'npm test' })], { uuid: 'a1', ...here, ...at(1) }),
    JSON.stringify({ ...(JSON.parse(answered('c1', '12 passed')) as object), uuid: 't1', ...here, ...at(2) }),
    replied('m2', [text('We decided to use SQLite because it needs no server and one file is easy to back up.')], { uuid: 'a2', ...here, ...at(3) }),
    said('Good, add the table then.', { uuid: 'u2', ...here, ...at(4) }),
    replied('m3', [text('Added.'), called('c2', 'Write', { file_path: path.join(cli.project, 'orders.sql'), content: 'create table orders (id integer);' })], {
      uuid: 'a3',
      ...here,
      ...at(5),
    }),
    JSON.stringify({ ...(JSON.parse(answered('c2', 'written')) as object), uuid: 't2', ...here, ...at(6) }),
    replied('m4', [text('The table is in orders.sql, and all tests pass.')], { uuid: 'a4', ...here, ...at(7) }),
  ];
  const folder = path.join(cli.home, 'projects', cli.project.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'session-1.jsonl');
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

describe('import', () => {
  it('finds the transcripts of this machine by itself, and of one project when it is named', () => {
    const cli = program();
    withSession(cli);
    const user = path.join(cli.folder, 'user');
    const rollout = 'rollout-2025-07-01T10-00-00-019b64e5-0000-7000-8000-000000000004.jsonl';
    for (const [name, folder] of [
      [rollout, '.codex/sessions/2025/07/01'],
      ['session-2025-07-01T10-00-7d0c1f00.jsonl', '.gemini/tmp/abc/chats'],
    ] as const) {
      fs.mkdirSync(path.join(user, folder), { recursive: true });
      fs.writeFileSync(path.join(user, folder, name), fixture(name));
    }
    expect(cli.askIn({ env: { HOME: user } }, 'import', '--project', '.')).toMatchObject({ files: 1, sessions: 1, projects: [{ key: 'webshop' }] });
    expect(cli.askIn({ env: { HOME: user } }, 'import')).toMatchObject({ files: 3, imported: 2, unchanged: 1, sessions: 2 });
    expect(cli.askIn({ env: { HOME: user } }, 'import')).toMatchObject({ files: 3, imported: 0, unchanged: 3 });
  });

  it('says in words what came in, and keeps progress off a pipe', () => {
    const cli = program();
    withSession(cli);
    const { out, err, code } = cli.run('import');
    expect(code).toBe(0);
    expect(out).toMatch(/8 new messages in 1 session from 1 file/);
    expect(err).toBe('');
    expect(cli.run('import').out).toMatch(/^Nothing new/);
  });

  it('puts everything into the project that is named with a path', () => {
    const cli = program();
    const file = path.join(cli.folder, 'old.jsonl');
    fs.writeFileSync(file, `${said('hello there', { sessionId: 's9', cwd: '/nowhere/else' })}\n`);
    expect(cli.ask('import', '--project', '.', file)).toMatchObject({ projects: [{ key: 'webshop', messages: 1 }] });
  });

  it('refuses a path that is not there', () => {
    expect(program().refused('import', '/no/such/file.jsonl')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
  });
});

describe('messages and timeline', () => {
  it('print a session, or what was said around a message, when the transcript is gone', () => {
    const cli = program();
    const file = withSession(cli);
    cli.ask('import');
    fs.rmSync(file);
    expect(cli.ask('messages', '--session', 'session-1')).toMatchObject({
      session_id: 'session-1',
      project: 'webshop',
      messages: [
        { message_id: 'u1', role: 'user', timestamp: '2026-01-02T10:00:00.000Z', text: 'We need somewhere to keep the orders. What should we use?' },
        { message_id: 'a1', role: 'assistant' },
        { message_id: 't1', role: 'tool', text: '12 passed' },
        { message_id: 'a2' },
        { message_id: 'u2', role: 'user' },
        { message_id: 'a3' },
        { message_id: 't2' },
        { message_id: 'a4' },
      ],
    });
    const around = cli.ask('messages', '--session', 'sess', '--around', 'a2', '--before', '1', '--after', '0') as { messages: { message_id: string }[] };
    expect(around.messages.map(({ message_id: id }) => id)).toEqual(['t1', 'a2']);
    expect(cli.refused('messages', '--session', 'session-1', '--around', 'zzz')).toMatchObject({ error: 'NOT_FOUND' });
    expect(cli.refused('messages', '--session', 'nobody')).toMatchObject({ error: 'NOT_FOUND' });
    const steps = cli.ask('timeline', '--session', 'session-1') as { entries: { kind: string; text: string }[] };
    expect(steps.entries.map(({ kind }) => kind)).toEqual(['prompt', 'work', 'reply', 'prompt', 'work', 'reply']);
    expect(steps.entries[4]?.text).toContain('orders.sql');
  });

  it('list sessions and records of a project by time', () => {
    const cli = program();
    withSession(cli);
    cli.ask('import');
    cli.ask('save', 'decision', 'Use SQLite because it needs no server');
    const all = cli.ask('timeline') as { entries: { kind: string; id: string }[] };
    expect(all.entries.map(({ kind }) => kind)).toEqual(['session', 'record']);
    expect(cli.ask('timeline', 'session-1')).toMatchObject({ entries: [{ id: 'session-1', here: true }, { kind: 'record' }] });
    expect(cli.refused('timeline', 'nothing-such')).toMatchObject({ error: 'NOT_FOUND' });
  });

  it('count one prompt as one', () => {
    const cli = program();
    const file = path.join(cli.folder, 'short.jsonl');
    fs.writeFileSync(file, `${said('hello there', { sessionId: 's9', cwd: cli.project })}\n`);
    cli.ask('import', file);
    expect(cli.run('timeline').out).toMatch(/ 1 prompt, 1 message$/m);
  });

  it('list what happened in every project, and only within a span', () => {
    const cli = program();
    withSession(cli);
    cli.ask('import');
    cli.ask('save', 'decision', 'Use SQLite because it needs no server');
    const mill = path.join(cli.folder, 'mill');
    fs.mkdirSync(mill);
    cli.ask('save', 'constraint', 'Never call the mill at night', '--project', mill);
    const told = (...args: string[]): (readonly [project: unknown, id: unknown])[] =>
      (cli.ask('timeline', ...args) as { entries: { project?: string; id: string }[] }).entries.map(({ project, id }) => [project, id]);
    const everything = [
      ['webshop', 'session-1'],
      ['webshop', 'decision/use-sqlite-because-it-needs-no-server'],
      ['mill', 'constraint/never-call-the-mill-at-night'],
    ];
    expect(told('--project', 'all')).toEqual(everything);
    expect(told('--project', 'all', '--limit', '1')).toEqual(everything.slice(-1));
    expect(told('--project', 'all', '--until', '2026-01-03')).toEqual(everything.slice(0, 1));
    expect(told('--since', '2026-01-03')).toEqual([[undefined, 'decision/use-sqlite-because-it-needs-no-server']]);
    expect(cli.refused('timeline', '--since', 'soon')).toMatchObject({ error: 'USAGE_ERROR' });
  });
});

describe('triage and summarize', () => {
  it('say what is worth a record, from the index or from a file', () => {
    const cli = program();
    const file = withSession(cli);
    const fired = (answer: Record<string, unknown>): readonly string[] =>
      (answer['categories'] as { category: string; fired: boolean }[]).filter((one) => one.fired).map(({ category }) => category);
    expect(fired(cli.ask('triage', '--transcript', file))).toContain('decision');
    expect(cli.refused('triage')).toMatchObject({ error: 'NOT_FOUND' });
    cli.ask('import');
    const asked = cli.ask('triage');
    expect(fired(asked)).toContain('decision');
    const decision = (asked['categories'] as { category: string; lines: { message_id: string; text: string }[] }[]).find(
      ({ category }) => category === 'decision',
    );
    expect(decision?.lines[0]).toMatchObject({ message_id: 'a2', text: expect.stringContaining('SQLite') });
  });

  it('keep one summary a session, brought up to date when the session went on', () => {
    const cli = program();
    const file = withSession(cli);
    cli.ask('import');
    expect(cli.ask('summarize', '--dry-run')).toMatchObject({ dry_run: true, session_id: 'session-1', record: { category: 'session_summary' } });
    expect(fs.existsSync(path.join(cli.records, 'sessions'))).toBe(false);
    expect(cli.ask('summarize')).toMatchObject({ status: 'created', category: 'session_summary', target: 'sessions/session-1.md' });
    expect(cli.ask('summarize', 'session-1')).toMatchObject({ status: 'unchanged' });
    const here = { sessionId: 'session-1', cwd: cli.project };
    fs.appendFileSync(
      file,
      `${[said('Now also add an index on the customer please.', { uuid: 'u3', ...here, ...at(8) }), replied('m5', [text('Done: there is an index on the customer now.'), called('c3', 'Edit', { file_path: path.join(cli.project, 'index.sql'), new_string: 'create index' })], { uuid: 'a5', ...here, ...at(9) })].join('\n')}\n`,
    );
    cli.ask('import');
    expect(cli.ask('summarize')).toMatchObject({ status: 'updated', times_updated: 1, target: 'sessions/session-1.md' });
    expect(fs.readdirSync(path.join(cli.records, 'sessions')).filter((name) => name.endsWith('.md'))).toEqual(['session-1.md']);
  });
});
