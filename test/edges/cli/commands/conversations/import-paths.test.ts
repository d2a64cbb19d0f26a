import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, type Program } from '../../program.ts';

function session(cli: Program, id: string, cwd: string): void {
  const folder = path.join(cli.folder, 'transcripts');
  fs.mkdirSync(folder, { recursive: true });
  const line = {
    type: 'user',
    uuid: `u-${id}`,
    parentUuid: null,
    sessionId: id,
    cwd,
    version: '2.1.197',
    timestamp: '2026-03-01T10:00:00Z',
    message: { role: 'user', content: 'Send it' },
  };
  fs.writeFileSync(path.join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
}

test.each([
  ['/srv/elsewhere/shop', '/srv/elsewhere/shop/.claude/worktrees/calm-tide', '/srv/elsewhere/shop/.worktrees/fix/src'],
  ['D:\\work\\shop', 'D:\\work\\shop\\.claude\\worktrees\\calm-tide', 'D:\\work\\shop\\.worktrees\\fix'],
])('sessions of %s in worktrees that this machine does not have are of one project, and import says which', (...folders) => {
  const cli = program();
  for (const [at, folder] of folders.entries()) session(cli, `s-${at}`, folder);
  const said = cli.run('import', path.join(cli.folder, 'transcripts')).out;
  expect(said).toMatch(/shop {2}3 sessions, 3 messages \(.*shop, which is not on this machine\)/);
  expect(said).toContain('import it with --project PATH');
  expect(cli.ask('import', path.join(cli.folder, 'transcripts'))['projects']).toEqual([]);
});

test('a worktree that is on this machine is told by its repository, and nothing is said of folders that are here', () => {
  const cli = program();
  session(cli, 's-1', cli.project);
  expect(cli.run('import', path.join(cli.folder, 'transcripts')).out).not.toContain('not on this machine');
});
