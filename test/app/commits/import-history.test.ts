import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandbox } from '../../adapters/git/sandbox.ts';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { programAt, type Program } from '../../edges/cli/program.ts';

const box = sandbox();
let count = 0;

interface Repo {
  readonly cli: Program;
  readonly folder: string;
  commit(subject: string, body?: string): string;
}

function repo(): Repo {
  const name = `shop${++count}`;
  const folder = box.repository(name);
  let nth = 0;
  return {
    folder,
    cli: programAt(box.folder, box.path(`home-${name}`), folder),
    commit: (subject, body) => {
      box.write(path.join(folder, 'src', 'store.ts'), `${++nth}\n`);
      box.git(folder, 'add', '.');
      box.git(folder, 'commit', '--quiet', '-m', subject, ...(body === undefined ? [] : ['-m', body]));
      return box.git(folder, 'rev-parse', 'HEAD');
    },
  };
}

/** The transcript of a session in which a commit was made. */
function session(folder: string, id: string, commit: string, subject: string): string {
  const now = Date.now();
  const at = (seconds: number): object => ({ timestamp: new Date(now + seconds * 1000).toISOString(), sessionId: id, cwd: folder });
  const command = `git commit -m "${subject}"`;
  const lines = [
    said('Store the orders somewhere, please, and commit.', { uuid: 'u1', ...at(-30) }),
    replied('m1', [called('c1', 'Bash', { command })], { uuid: 'a1', ...at(-20) }),
    JSON.stringify({ ...(JSON.parse(answered('c1', `[main ${commit.slice(0, 7)}] ${subject}\n 1 file changed`)) as object), uuid: 't1', ...at(-10) }),
    replied('m2', [text('The orders are stored, and it is committed.')], { uuid: 'a2', ...at(0) }),
  ];
  const file = path.join(box.folder, `${id}.jsonl`);
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

describe('import --git', () => {
  it('makes decisions of commits that say why, once, then only of new ones', () => {
    const { cli, commit } = repo();
    commit('Add a page');
    const first = commit('Use SQLite instead of PostgreSQL', 'A server is one more thing to run, because somebody has to keep it up.');
    const done = cli.ask('import', '--git');
    expect(done).toMatchObject({ commits: 3, reasoned: 1, known: 0, saved: [{ commit: first, title: 'Use SQLite instead of PostgreSQL' }] });
    expect(cli.ask('import', '--git')).toMatchObject({ commits: 0, saved: [] });
    const second = commit('Close the file after each write because Windows locks it');
    expect(cli.ask('import', '--git')).toMatchObject({ commits: 1, saved: [{ commit: second }] });
    expect(cli.ask('import', '--git', '--since', '2000-01-01')).toMatchObject({ commits: 4, known: 2, saved: [] });
    const { records } = cli.ask('get', 'use-sqlite-instead-of-postgresql') as { records: readonly { record: Record<string, unknown> }[] };
    expect(records[0]?.record).toMatchObject({ trust: 'observed', origin: { channel: 'git', message_ids: [first] } });
  });

  it('makes every commit message searchable as a conversation, and again when the index was lost', () => {
    const { cli, commit, folder } = repo();
    const id = commit('Cap the retrier', 'The window admits exactly three attempts.\n\nSigned-off-by: Ann <ann@example.com>');
    expect(cli.ask('import', '--git')).toMatchObject({ commits: 2, messages: 2 });
    const found = (): unknown => cli.ask('search', 'how many attempts does the window admit', '--kind', 'message');
    expect(found()).toMatchObject({ hits: [{ kind: 'message', session_id: `commit-${id}`, message_id: id, title: 'Cap the retrier' }] });
    const { messages } = cli.ask('messages', '--session', `commit-${id.slice(0, 8)}`) as { messages: readonly { text: string }[] };
    expect(messages[0]?.text).toMatch(/^Cap the retrier\n+The window admits exactly three attempts\.$/);
    // Commits are no sessions.
    expect(cli.run('timeline').out).not.toContain(`commit-${id.slice(0, 8)}`);
    const clone = box.path(`clone-of-${path.basename(folder)}`);
    box.git(box.folder, 'clone', '--quiet', folder, clone);
    const there = programAt(box.folder, cli.home, clone);
    expect(there.ask('import', '--git')).toMatchObject({ messages: 2 });
    expect(found()).toMatchObject({ hits: [{ message_id: id }] });
    for (const file of fs.readdirSync(cli.home, { recursive: true, encoding: 'utf8' })) if (/episodes\.db/.test(file)) fs.rmSync(path.join(cli.home, file));
    expect(found()).toMatchObject({ hits: [] });
    expect(cli.ask('import', '--git')).toMatchObject({ commits: 0, messages: 2 });
    expect(found()).toMatchObject({ hits: [{ message_id: id }] });
  });

  it('survives a history that was rewritten', () => {
    const { cli, commit, folder } = repo();
    commit('Use tabs because the linter wants them so');
    cli.ask('import', '--git');
    box.git(folder, 'commit', '--quiet', '--amend', '-m', 'Use spaces because the linter wants them so');
    expect(cli.ask('import', '--git')).toMatchObject({ saved: [{ title: 'Use spaces because the linter wants them so' }] });
  });

  it('gives a repository that nobody has worked in with memory a first brief', () => {
    const { cli, commit } = repo();
    commit('Use SQLite instead of PostgreSQL', 'A server is one more thing to run, because somebody has to keep it up.');
    cli.ask('import', '--git');
    const { out } = cli.run('brief');
    expect(out).toMatch(/From the history, analysis\/what-the-history-of-shop\d+-tells: 2 commits from .*Work goes on in src \(2\)/);
    expect(out).toContain('Use SQLite instead of PostgreSQL');
  });

  it('links a commit to the session that made it, in record, timeline and summary', () => {
    const { cli, commit, folder } = repo();
    const subject = 'Use SQLite instead of PostgreSQL';
    const id = commit(subject, 'A server is one more thing to run, because somebody has to keep it up.');
    cli.ask('import', session(folder, 'session-7', id, subject));
    expect(cli.ask('import', '--git')).toMatchObject({ saved: [{ commit: id, session: 'session-7' }] });
    const { records } = cli.ask('get', 'use-sqlite-instead-of-postgresql') as { records: readonly { record: Record<string, unknown> }[] };
    expect(records[0]?.record['origin']).toEqual({ channel: 'git', client: 'claude-code', session_id: 'session-7', message_ids: [id, 't1'] });
    const { entries } = cli.ask('timeline', '--session', 'session-7') as { entries: readonly Record<string, unknown>[] };
    expect(entries.map(({ kind }) => kind)).toEqual(['prompt', 'work', 'commit', 'reply']);
    expect(entries[2]).toMatchObject({ message_id: 't1', text: `${id.slice(0, 7)} ${subject}` });
    const { record } = cli.ask('summarize', 'session-7', '--dry-run') as { record: { content: { key_changes: readonly string[] } } };
    expect(record.content.key_changes).toContain(`Commit: ${id.slice(0, 7)}`);
  });

  it('refuses a folder without a repository, files, and options that are not its own', () => {
    const folder = box.path('plain');
    fs.mkdirSync(folder, { recursive: true });
    const cli = programAt(box.folder, box.path('home-plain'), folder);
    expect(cli.refused('import', '--git')).toMatchObject({ exit: 4, error: 'NOT_FOUND' });
    expect(cli.refused('import', '--git', 'x.jsonl')).toMatchObject({ exit: 2 });
    expect(cli.refused('import', '--since', '2026-01-01')).toMatchObject({ exit: 2 });
    expect(cli.refused('import', '--git', '--since', 'soon')).toMatchObject({ exit: 2 });
  });
});
