import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sandbox } from '../../../../adapters/git/sandbox.ts';
import { program, type Program } from '../../program.ts';

function session(cli: Program, id: string, cwd: string, answer?: string): void {
  const folder = path.join(cli.folder, 'transcripts');
  fs.mkdirSync(folder, { recursive: true });
  const base = { sessionId: id, cwd, version: '2.1.197', timestamp: '2026-03-01T10:00:00Z' };
  const call = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'git commit -m "Sell boats" && git push' } };
  const lines: object[] = [{ ...base, type: 'user', uuid: `u-${id}`, parentUuid: null, message: { role: 'user', content: 'Send the boats' } }];
  if (answer !== undefined)
    lines.push(
      { ...base, type: 'assistant', uuid: `a-${id}`, parentUuid: `u-${id}`, message: { role: 'assistant', content: [call] } },
      {
        ...base,
        type: 'user',
        uuid: `t-${id}`,
        parentUuid: `a-${id}`,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call', content: answer }] },
      },
    );
  fs.writeFileSync(path.join(folder, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const { git } = sandbox();

/** A repository on this machine, with a remote and one commit. */
function shop(cli: Program): { readonly folder: string; readonly commit: string } {
  const folder = path.join(cli.folder, 'shop');
  fs.mkdirSync(folder);
  git(folder, 'init', '--quiet');
  git(folder, 'remote', 'add', 'origin', 'git@example.com:me/shop.git');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Sell boats');
  return { folder, commit: git(folder, 'rev-parse', '--short', 'HEAD').trim() };
}

test.each([
  ['a remote', () => 'To https://example.com/me/shop.git\n   1a2b3c4..5d6e7f8  main -> main'],
  ['a commit', (commit: string) => `[main ${commit}] Sell boats\n 1 file changed`],
])('sessions of another machine that show %s of a project here are its sessions; a split keeps them apart for good', (_, answer) => {
  const cli = program();
  const { folder, commit } = shop(cli);
  cli.askIn({ cwd: folder }, 'save', 'decision', 'Sell boats because people sail');
  session(cli, 's-1', '/Users/other/code/old-shop', answer(commit));
  const said = cli.run('import', path.join(cli.folder, 'transcripts')).out;
  expect(said).toMatch(/ {2}shop {2}1 session, 3 messages \(from \/Users\/other\/code\/old-shop, which is not on this machine; .*it was imported there/);
  const timeline = (): unknown => cli.runIn({ cwd: folder }, 'timeline').out;
  expect(timeline()).toContain('Send the boats');
  session(cli, 's-2', '/Users/other/code/old-shop');
  expect(cli.run('import', path.join(cli.folder, 'transcripts')).out).toMatch(/ {2}shop {2}1 session, 1 message\n/);

  cli.askIn({ cwd: folder }, 'project', 'split', 'old-shop');
  expect(timeline(), 'what came since stays').toMatch(/^(?![^]* s-1 )[^]* s-2 /);
  session(cli, 's-3', '/Users/other/code/old-shop', answer(commit));
  expect(cli.run('import', path.join(cli.folder, 'transcripts')).out).toContain('  old-shop  ');
});

test.each(['To https://example.com/somebody/shop.git', '[main 0123456] Sell boats', 'nothing'])(
  'sessions that show %s stay a project of their own',
  (answer) => {
    const cli = program();
    const { folder } = shop(cli);
    cli.askIn({ cwd: folder }, 'save', 'decision', 'Sell boats because people sail');
    session(cli, 's-1', '/Users/other/code/old-shop', answer);
    expect(cli.run('import', path.join(cli.folder, 'transcripts')).out).toContain('  old-shop  1 session');
  },
);

test('Codex names the repository of a session: it goes to the project here that has it', () => {
  const cli = program();
  const { folder } = shop(cli);
  cli.askIn({ cwd: folder }, 'save', 'decision', 'Sell boats because people sail');
  const payload = {
    id: '0199-codex',
    timestamp: '2026-03-01T10:00:00Z',
    cwd: '/Users/other/old-shop',
    git: { repository_url: 'https://me:secret@example.com/me/shop.git' },
  };
  const rows = [
    { timestamp: '2026-03-01T10:00:00Z', type: 'session_meta', payload },
    { timestamp: '2026-03-01T10:00:01Z', type: 'event_msg', payload: { type: 'user_message', message: 'Send the boats' } },
  ];
  const file = path.join(cli.folder, 'rollout.jsonl');
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect(cli.ask('import', file)['projects']).toEqual([{ key: 'shop', sessions: 1, messages: 1 }]);
  expect(cli.runIn({ cwd: folder }, 'timeline').out).toContain('Send the boats');
});

test.each([
  ['/srv/elsewhere/shop', '/srv/elsewhere/shop/.claude/worktrees/calm-tide', '/srv/elsewhere/shop/.worktrees/fix/src'],
  ['D:\\work\\shop', 'D:\\work\\shop\\.claude\\worktrees\\calm-tide', 'D:\\work\\shop\\.worktrees\\fix'],
])('sessions of %s in worktrees that this machine does not have are of one project, and import says which', (...folders) => {
  const cli = program();
  for (const [at, folder] of folders.entries()) session(cli, `s-${at}`, folder);
  const said = cli.run('import', path.join(cli.folder, 'transcripts')).out;
  expect(said).toMatch(/shop {2}3 sessions, 3 messages \(.*shop, which is not on this machine\)/);
  expect(said).toContain('join the two: holdfast project merge NAME');
  expect(cli.ask('import', path.join(cli.folder, 'transcripts'))['projects']).toEqual([]);
});

test('a worktree that is on this machine is told by its repository, and nothing is said of folders that are here', () => {
  const cli = program();
  session(cli, 's-1', cli.project);
  expect(cli.run('import', path.join(cli.folder, 'transcripts')).out).not.toContain('not on this machine');
});
