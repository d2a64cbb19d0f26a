import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, type Place, place, type Talk, talkTo } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';

const RULE = 'Never commit files under docs/plans';
const CAUSE = 'The pre-commit hook runs `bun test`, which picks up leftover clones under `tmp/clones/`.';

const cli = (there: Place, ...argv: string[]) => {
  const answer = runProgram(argv, { cwd: there.project, env: { HOLDFAST_HOME: there.home } });
  expect(answer).toMatchObject({ code: 0 });
  return answer.out;
};

const runs = async (server: Talk, command: string, session = 's-1'): Promise<string> =>
  contextIn(await server.hook('PreToolUse', { tool_name: 'Bash', command, session_id: session }));

/** A session in which a commit failed and its cause was found. */
function failedCommit(there: Place): void {
  const talk = transcript(there, 'earlier');
  talk.prompt('Commit this.');
  talk.run('git add -A && git commit -m "Add the ledger" | cat', 'error: script "test" exited with code 1\n12 fail in tmp/clones/a.test.ts');
  talk.reply(CAUSE);
  talk.prompt('ok');
  talk.reply('Done.');
  cli(there, 'import', talk.file);
}

test('a saved rule stands before the command it names, once a session, and before no other', async () => {
  const there = place();
  const server = talkTo(there);
  await server.says('remember that', { session_id: 'asking' });
  await server.call('memory_save', { category: 'preference', text: RULE, asked: 'remember that' });
  expect(await runs(server, 'git status')).toBe('');
  expect(await runs(server, 'git push')).toBe('');
  expect(await runs(server, 'cd web && git commit -m "Add a page"')).toContain(RULE);
  expect(await runs(server, 'git commit -m "Add another"')).toBe('');
  expect(await runs(server, 'git commit -m "Add a third"', 's-2')).toContain(RULE);
  expect(cli(there, 'why', '--session', 's-1')).toContain('a rule about commit');
  // The brief of a start is long past when the moment comes; what a compaction took away is told again.
  expect(contextIn(await server.hook('SessionStart', { source: 'compact', session_id: 's-1' }))).toContain('holdfast-memory');
  expect(await runs(server, 'git commit -m "Add a fourth"')).toContain(RULE);
});

test('a rule may name a command or files; what capture guessed once is no rule', async () => {
  const there = place();
  cli(there, 'save', 'constraint', 'Ask Ann first', '--applies-to', 'npm publish', '--applies-to', 'db/**');
  const guessed = path.join(there.privateRoot, 'preferences', 'guessed.md');
  cli(there, 'save', 'preference', 'Squash before you commit', '--trust', 'observed');
  const [file = ''] = fs.readdirSync(path.dirname(guessed)).filter((name) => name.endsWith('.md'));
  const saved = path.join(path.dirname(guessed), file);
  fs.writeFileSync(saved, fs.readFileSync(saved, 'utf8').replace(/channel: command/, 'channel: capture'));
  const server = talkTo(there);
  expect(await runs(server, 'npm publish --access public')).toContain('Ask Ann first');
  expect(await runs(server, 'npm publishing', 's-2')).toBe('');
  expect(await runs(server, 'git commit -m x', 's-2')).toBe('');
  const edit = { tool_name: 'Edit', file_path: path.join(there.project, 'db', 'schema.sql'), session_id: 's-3' };
  expect(contextIn(await server.hook('PreToolUse', edit))).toContain('Ask Ann first');
  expect(contextIn(await server.hook('PreToolUse', { ...edit, file_path: path.join(there.project, 'web', 'page.ts'), session_id: 's-4' }))).toBe('');
});

test('why a command failed before is told before the next one of its kind', async () => {
  const there = place();
  failedCommit(there);
  const server = talkTo(there);
  expect(await runs(server, 'git log')).toBe('');
  expect(await runs(server, 'git commit -m "Add a page"')).toMatch(new RegExp(`Failed here before \\(2026-03-01\\): ${CAUSE.replace(/[.`/]/g, '.')}`));
  expect(await runs(server, 'git commit --amend')).toBe('');
  // A cause that four sessions were told of and that none met or named again is gone.
  const log = new SqliteInjectionLog(path.join(there.home, 'holdfast', 'projects', 'shop', 'injections.db'));
  const id = log.injections('s-1', 1)[0]?.items[0]?.id ?? '';
  for (let nth = 0; nth < 4; nth++) log.noteUses(`n${nth}`, '2026-03-01T10:00:00Z', [{ id, outcome: 'unused', updatedAt: '' }]);
  log.close();
  expect(await runs(server, 'git commit -m "Add a page"', 's-2')).toBe('');
});

/** Earlier sessions, each with what the user asked for in it. */
function asked(there: Place, ...sessions: readonly string[]): void {
  for (const [nth, text] of sessions.entries()) {
    const talk = transcript(there, `said-${nth}`);
    talk.prompt(`Add page ${nth} to the site`);
    talk.reply('The page is there.');
    talk.prompt(text);
    talk.reply('Done.');
    cli(there, 'import', talk.file);
  }
}

test('what the user asked for in two sessions about a command is told before it, once a session; to ask for the command itself is no rule', async () => {
  const there = place();
  asked(
    there,
    'Commit this, and update the changelog.',
    'Commit and push all this please.',
    'Then commit, and update the changelog',
    'Commit and push please.',
  );
  const server = talkTo(there);
  expect(await runs(server, 'git status')).toBe('');
  expect(await runs(server, 'git push')).toBe('');
  expect(await runs(server, 'git commit -m "Add a page"')).toContain(
    '- Asked for in 2 earlier sessions (last 2026-03-01): Then commit, and update the changelog\n',
  );
  expect(await runs(server, 'git commit -m "Add another"')).toBe('');
  expect(cli(there, 'why', '--session', 's-1')).toContain('said in 2 sessions about commit');
  // A record that says the same is told in its place.
  cli(there, 'save', 'preference', 'Update the changelog before you commit');
  const told = await runs(server, 'git commit -m "Add a third"', 's-2');
  expect(told).toContain('preference');
  expect(told).not.toContain('Asked for');
});

test('what was asked for in one session, or in a session and its fork, is not told before a command', async () => {
  const there = place();
  asked(there, 'Commit this, and update the changelog.');
  const first = path.join(there.home, 'projects', there.project.replace(/[^A-Za-z0-9]/g, '-'), 'said-0.jsonl');
  const fork = first.replace('said-0', 'fork');
  fs.writeFileSync(fork, fs.readFileSync(first, 'utf8').replaceAll('"said-0"', '"fork"').replaceAll('"uuid":"u', '"uuid":"fork-u'));
  cli(there, 'import', fork);
  expect(await runs(talkTo(there), 'git commit -m x')).toBe('');
});

test('a record about a file is told before its first edit', async () => {
  const there = place();
  cli(there, 'save', 'constraint', 'Amounts are in cents here', '--file', 'src/ledger.ts');
  const server = talkTo(there);
  const edits = async (file: string, tool = 'Edit') =>
    contextIn(await server.hook('PreToolUse', { tool_name: tool, file_path: path.join(there.project, file) }));
  expect(await edits('src/ledger.ts', 'Read')).toBe('');
  expect(await edits('src/other/ledger.ts')).toBe('');
  expect(await edits('src/ledger.ts')).toContain('Amounts are in cents');
  expect(await edits('src/ledger.ts', 'Write')).toBe('');
});

test('recall --batch answers tool calls and prompts, row by row', () => {
  const there = place();
  failedCommit(there);
  cli(there, 'save', 'preference', RULE);
  const rows = path.join(there.project, 'rows.jsonl');
  const calls = ['git commit -m x', 'git status'].map((command) => ({ tool: 'Bash', input: { command } }));
  fs.writeFileSync(rows, [...calls, { tool: 'WebFetch', input: {} }, { prompt: 'hello' }].map((row) => `${JSON.stringify(row)}\n`).join(''));
  const answers = cli(there, 'recall', '--batch', rows, '--json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { tool?: string; prompt?: string; text: string; tokens: number; injected: unknown[] });
  expect(answers.map(({ tool, prompt }) => tool ?? prompt)).toEqual(['Bash', 'Bash', 'WebFetch', 'hello']);
  expect(answers[0]).toMatchObject({ text: expect.stringContaining(RULE), injected: [{}, {}] });
  expect(answers[0]?.text).toContain(CAUSE);
  expect(answers.slice(1)).toMatchObject([1, 2, 3].map(() => ({ text: '', tokens: 0, injected: [] })));
  // The same from a process, for clients without a server.
  const hook = runProgram(['hook', 'PreToolUse', '--client', 'codex'], {
    cwd: there.project,
    env: { HOLDFAST_HOME: there.home },
    input: JSON.stringify({ session_id: 's-1', cwd: there.project, tool_name: 'shell', tool_input: { command: 'git commit -m x' } }),
  });
  expect(contextIn(hook.out)).toContain(RULE);
});
