import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contextIn, environment, place, PLUGIN } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';

test('a prompt that a process answers is told what an earlier conversation settled, and not again what the user marks as wrong', () => {
  const there = place();
  const run = (program: 'cli.js' | 'hook.js', words: readonly string[], input = ''): string => {
    const all = [path.join(PLUGIN, 'dist', program), ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: there.project, env: environment(there), input, encoding: 'utf8' });
    expect({ status, stderr: program === 'hook.js' ? stderr : '' }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  for (let nth = 0; nth < 6; nth++) {
    const other = transcript(there, `5000000${nth}-2222-4333-8444-555555555555`);
    other.prompt(`Please add chapter ${nth} to the manual`);
    other.reply(`Chapter ${nth} is written and linked from the contents.`);
  }
  const talk = transcript(there, '51111111-2222-4333-8444-555555555555');
  talk.prompt('The zeppelin uploader rejects attachments behind nginx, why?');
  talk.reply('The zeppelin uploader failed because nginx cuts request bodies at 40 MB. The fix: client_max_body_size is 200m in infra/nginx.conf.');
  run('cli.js', ['import', path.dirname(talk.file)]);
  const prompt = 'the zeppelin uploader rejects large attachments behind nginx again, what did we do about it?';
  const asked = (session: string): string => {
    const event = { session_id: session, cwd: there.project, hook_event_name: 'UserPromptSubmit', prompt };
    return contextIn(run('hook.js', ['UserPromptSubmit'], JSON.stringify(event)));
  };
  expect(asked('s-2')).toContain('client_max_body_size is 200m');

  const { injections } = JSON.parse(run('cli.js', ['why', '--json'])) as { injections: { items: { id: string; text?: string }[] }[] };
  const [item] = injections[0]?.items ?? [];
  expect(item?.text).toContain('client_max_body_size');
  const verdict = JSON.parse(run('cli.js', ['feedback', item?.id.slice(0, 8) ?? '', 'wrong', '--json'])) as object;
  expect(verdict).toMatchObject({ ok: true, id: item?.id, verdicts: { wrong: 1 } });
  expect(asked('s-3')).not.toContain('client_max_body_size');
});
