import { expect, test } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, type Place, place, talkTo } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';

const CRUMB = /<!-- MEMORY_BREADCRUMB: .* -->/;

function cli(there: Place, args: readonly string[], input = ''): string {
  const { code, out, err } = runProgram(args, { cwd: there.project, env: environment(there, { CLAUDE_CODE_SESSION_ID: 's-1' }), input });
  expect(code, err).toBe(0);
  return out;
}

/** A session in memory mode that has left a breadcrumb and is about to be compacted. */
async function begun(config: object = { on: true }) {
  const there = place(config);
  cli(there, ['start']);
  cli(there, ['save', 'decision', 'Invoices are numbered per country because the law asks for it']);
  const server = talkTo(there);
  const talk = transcript(there, 's-1');
  talk.prompt('Move the invoice numbers into a table of their own');
  cli(there, ['breadcrumb', 'check'], 'Move the invoice numbers');
  const crumb = CRUMB.exec(cli(there, ['breadcrumb']))?.[0] ?? '';
  talk.reply(`Done. ${crumb}`);
  await server.hook('Stop', { transcript_path: talk.file, last_assistant_message: `Done. ${crumb}`, stop_hook_active: 'true' });
  const check = () => JSON.parse(cli(there, ['breadcrumb', 'check', '--json'], 'A summary of the talk.')) as { verdict: string; recovery: string | null };
  return { server, talk, check };
}

test.each([{ on: true }, { on: true, breadcrumb: true }])(
  'a compaction that the client told of is recovered by the hook, and not again by the breadcrumb: %j',
  async (config) => {
    const { server, talk, check } = await begun(config);
    await server.hook('PreCompact', { trigger: 'auto', transcript_path: talk.file });
    talk.compact('They said hello.');
    expect(contextIn(await server.hook('SessionStart', { source: 'compact' }))).toContain('for="recovery"');
    expect(contextIn(await server.hook('UserPromptSubmit', { prompt: 'go on', transcript_path: talk.file }))).not.toContain('for="recovery"');
    expect(check()).toEqual({ ok: true, active: true, verdict: 'recovered', recovery: null });
    expect(check().recovery).toBeNull();
    expect(contextIn(await server.hook('UserPromptSubmit', { prompt: 'go on', transcript_path: talk.file }))).not.toContain('for="recovery"');
  },
);

test('a compaction that the breadcrumb told of first is not recovered again by a hook; the next one is', async () => {
  const { server, talk, check } = await begun({ on: true, breadcrumb: true });
  talk.compact('They said hello.');
  expect(check()).toMatchObject({ verdict: 'compacted', recovery: expect.stringContaining('for="recovery"') });
  expect(check()).toMatchObject({ verdict: 'recovered', recovery: null });
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: 'go on', transcript_path: talk.file }))).not.toContain('for="recovery"');
  expect(await server.hook('SessionStart', { source: 'compact' })).toBe('');
  await server.hook('PreCompact', { trigger: 'manual', transcript_path: talk.file });
  expect(contextIn(await server.hook('SessionStart', { source: 'compact' }))).toContain('for="recovery"');
});
