import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, runProgram } from '../cli/program.ts';
import { contextIn, environment, place, talkTo } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';

test('when a session has ended, why says what its agent made of what it was shown', async () => {
  const there = place();
  const cli = (...argv: string[]): string => {
    const { code, out } = runProgram(argv, { cwd: there.project, env: { HOLDFAST_HOME: there.home } });
    expect(code).toBe(0);
    return out;
  };
  cli('save', 'decision', 'Webhook retries wait for a murmur jitter, capped by the zebra budget');
  cli('save', 'decision', 'Webhook retries are logged to the quartz ledger, pruned by walrus');
  const server = talkTo(there);
  const prompt = 'Why do webhook retries wait for a jitter under this budget?';
  const shown = async (asked: string) => contextIn(await server.hook('UserPromptSubmit', { prompt: asked, session_id: 's-1' }));
  expect(await shown(prompt)).toContain('murmur');
  expect(await shown('Which ledger are webhook retries logged to?')).toContain('quartz');
  const talk = transcript(there, 's-1', new Date().toISOString());
  talk.prompt(prompt);
  talk.reply('Each retry draws a murmur jitter, and the zebra budget stops it.');
  talk.edit('src/retry.ts');
  talk.reply('Done.');
  expect(cli('why', '--session', 's-1')).not.toContain('the agent');
  const finish = path.join(path.dirname(PROGRAM), 'finish.js');
  expect(spawnSync(process.execPath, [finish, there.home, there.project, 's-1', talk.file], { env: environment(there), cwd: there.project }).status).toBe(0);
  const why = cli('why', '--session', 's-1');
  expect(why).toMatch(/murmur[^\n]*\n(?: {4}.*\n)* {4}the agent used its words\n/);
  expect(why).toMatch(/quartz[^\n]*\n(?: {4}.*\n)* {4}the agent made no use of it\n/);
  const { injected } = JSON.parse(cli('recall', prompt, '--json')) as { injected: { title: string; reasons: string[] }[] };
  expect(injected.find(({ title }) => title.includes('murmur'))?.reasons).toContainEqual(expect.stringMatching(/^the agent used it in 1 of 1 session/));
});
