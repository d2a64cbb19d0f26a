import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../../patience.ts';
import { contextIn, place, type Talk, talkTo } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';

const TASK = 'Find out how invoices are numbered per country and where that is checked';
const QUESTION = 'How are invoices numbered per country?';

async function keepInvoices(server: Talk): Promise<void> {
  await server.says('remember that', { session_id: 'asking' });
  await server.call('memory_save', {
    category: 'decision',
    text: 'Invoices are numbered per country because the law asks for it',
    tags: ['invoices'],
    asked: 'remember that',
  });
}

test('a prompt gets what is remembered about it, once; small talk, the client’s own words and other matters get nothing', async () => {
  const server = talkTo(place());
  await keepInvoices(server);
  const ask = async (prompt: string, session = 's-1') => contextIn(await server.hook('UserPromptSubmit', { prompt, session_id: session }));
  expect(await ask(`<task-notification>${QUESTION}</task-notification>`)).toBe('');
  expect(await ask('/memory:search invoices numbered per country')).toBe('');
  expect(await ask('thanks, go ahead')).toBe('');
  expect(await ask('Write a haiku about the sea at night')).toBe('');
  expect(await ask(QUESTION)).toContain('Invoices are numbered');
  expect(await ask(QUESTION)).toBe('');
  expect(await ask(QUESTION, 's-2')).toContain('Invoices are numbered');
});

test('writing into the memory is denied with the way to do it; documents, other files and drafts are let be', async () => {
  const there = place();
  const server = talkTo(there);
  const judge = async (tool: string, file: string) => {
    const said = await server.hook('PreToolUse', { tool_name: tool, file_path: file });
    return said === '' ? {} : (JSON.parse(said) as { hookSpecificOutput: Record<string, string> }).hookSpecificOutput;
  };
  const denied = await judge('Write', path.join(there.privateRoot, 'decisions', 'x.md'));
  expect(denied).toMatchObject({ permissionDecision: 'deny', hookEventName: 'PreToolUse' });
  expect(denied['permissionDecisionReason']).toMatch(/memory_save/);
  expect(await judge('Edit', path.join(there.privateRoot, 'index.md'))).toMatchObject({ permissionDecision: 'deny' });
  const link = path.join(there.project, 'notes');
  fs.symlinkSync(there.privateRoot, link);
  expect(await judge('Write', path.join(link, 'decisions', 'y.md'))).toMatchObject({ permissionDecision: 'deny' });
  const early = path.join(there.project, 'not-yet.md');
  fs.symlinkSync(path.join(there.privateRoot, 'decisions', 'not-yet.md'), early);
  expect(await judge('Write', early)).toMatchObject({ permissionDecision: 'deny' });
  const inShell = await server.hook('PreToolUse', {
    tool_name: 'Bash',
    command: `echo x > ${path.join(there.privateRoot, '..', 'other', 'decisions', 'x.md')}`,
  });
  expect(inShell).toMatch(/"deny".*memory of another project/);
  expect(await judge('Edit', path.join(there.privateRoot, 'context', 'current-task.md'))).toEqual({});
  expect(await judge('Write', path.join(there.project, 'src', 'main.ts'))).toEqual({});
  for (const file of [
    path.join(there.privateRoot, 'decisions', 'x.md'),
    path.join(link, '_index.md'),
    path.join(there.home, 'user', 'preferences.md'),
    path.join(there.privateRoot, '..', 'other', '_index.md'),
    path.join(there.home, 'workspace.md'),
  ])
    expect(await judge('Read', file), file).toMatchObject({ permissionDecision: 'allow' });
  const outside = path.join(there.privateRoot, 'context', 'key.md');
  fs.mkdirSync(path.dirname(outside), { recursive: true });
  fs.symlinkSync(path.join(there.home, 'settings.json'), outside);
  for (const file of [outside, path.join(there.home, 'settings.json'), path.join(there.privateRoot, '..', '-x', 's.jsonl')])
    expect(await judge('Read', file), file).toEqual({});
  const staged = path.join(there.home, 'holdfast', 'staging', 's-1');
  expect(await judge('Write', path.join(staged, '.memory-draft-decision-1.json'))).toMatchObject({ permissionDecision: 'allow' });
  expect(await judge('Read', path.join(staged, '.memory-triage-context-decision.txt'))).toMatchObject({ permissionDecision: 'allow' });
  expect(await judge('Read', path.join(staged, 'other.txt'))).toEqual({});
});

test('writing into the memory is denied also where nothing can be noted', async () => {
  const there = place();
  const server = talkTo(there);
  await keepInvoices(server);
  const sessions = path.join(there.home, 'holdfast', 'projects', 'shop', 'sessions');
  fs.rmSync(sessions, { recursive: true });
  fs.writeFileSync(sessions, 'in the way');
  const said = await server.hook('PreToolUse', { tool_name: 'Write', file_path: path.join(there.privateRoot, 'decisions', 'x.md') });
  expect(said).toContain('"deny"');
});

test('file tools of other MCP servers are denied the memory as well', async () => {
  const there = place();
  const server = talkTo(there);
  await keepInvoices(server);
  const record = path.join(there.privateRoot, 'decisions', 'x.md');
  const said = (tool: string, file: string) => server.hook('PreToolUse', { tool_name: tool, path: file });
  for (const tool of ['mcp__filesystem__write_file', 'mcp__filesystem__edit_file', 'mcp__disk__delete'])
    expect(await said(tool, record), tool).toContain('"deny"');
  expect(await said('mcp__filesystem__read_file', record)).not.toContain('"deny"');
  expect(await said('mcp__filesystem__write_file', path.join(there.privateRoot, '..', '..', '..', 'notes.md'))).not.toContain('"deny"');
});

test('what its own agents run to read is approved to the letter', async () => {
  const server = talkTo(place(), { CLAUDE_PLUGIN_ROOT: '/plugins/memory 1' });
  const allowed = async (command: string) => (await server.hook('PreToolUse', { tool_name: 'Bash', command })) !== '';
  const own = 'node "/plugins/memory 1/dist/cli.js"';
  for (const command of ['summarize 8fd17d3d-1 --dry-run', 'messages --session 8fd17d3d-1', 'synthesize --dry-run'])
    expect(await allowed(`${own} ${command}`), command).toBe(true);
  for (const command of [
    'summarize 8fd17d3d-1',
    'messages --session $(id)',
    'synthesize --dry-run; id',
    'synthesize --dry-run\n',
    'retire x',
    'synthesize --dry-run --home /x',
  ])
    expect(await allowed(`${own} ${command}`), command).toBe(false);
  for (const command of ['', 'ls', ` ${own} synthesize --dry-run`, 'node "/plugins/other/dist/cli.js" synthesize --dry-run', `id; ${own} synthesize --dry-run`])
    expect(await allowed(command), command).toBe(false);
});

test('its own tools are approved, and only they', async () => {
  const server = talkTo(place());
  const allowed = async (tool: string) => (await server.hook('PreToolUse', { tool_name: tool })) !== '';
  expect(await allowed('mcp__plugin_memory_holdfast__memory_save')).toBe(true);
  expect(await allowed('mcp__holdfast__memory_search')).toBe(true);
  for (const tool of ['mcp__evil_holdfast__memory_save', 'mcp__plugin_memory_holdfast__client_event', 'mcp__holdfast__memory_save_all', 'Bash'])
    expect(await allowed(tool), tool).toBe(false);
});

test('a subagent is told of the index only where there is one', async () => {
  const there = place();
  const server = talkTo(there);
  const start = async () => contextIn(await server.hook('SubagentStart', { agent_type: 'Explore', agent_id: 'a1' }));
  expect(await start()).toMatch(/^End with a report/);
  await keepInvoices(server);
  expect(fs.existsSync(path.join(there.privateRoot, '_index.md'))).toBe(true);
  expect(await start()).toContain('_index.md lists what is remembered');
});

test('a drafter may start the verifier and no other subagent; everybody else may start any', async () => {
  const server = talkTo(place());
  const denied = async (caller: string, type: string, tool = 'Agent') =>
    (await server.hook('PreToolUse', { tool_name: tool, agent_type: caller, subagent_type: type, prompt: TASK })).includes('"permissionDecision":"deny"');
  for (const type of ['general-purpose', 'fork', 'memory:memory-drafter', 'memory:memory-verifier2', ''])
    for (const tool of ['Agent', 'Task']) expect(await denied('memory:memory-drafter', type, tool), type).toBe(true);
  expect(await denied('memory:memory-drafter', 'memory:memory-verifier')).toBe(false);
  for (const caller of ['', '${agent_type}', 'Explore']) expect(await denied(caller, 'general-purpose'), caller).toBe(false);
});

test('a subagent is told what fits its task within its own budget, and how to report; ours and nameless ones are told nothing', async () => {
  const server = talkTo(place());
  await keepInvoices(server);
  await server.hook('PreToolUse', { tool_name: 'Agent', prompt: TASK, subagent_type: 'Explore' });
  const told = contextIn(await server.hook('SubagentStart', { agent_type: 'Explore', agent_id: 'a1' }));
  expect(told).toContain('Invoices are numbered');
  expect(told).toContain('for="subagent"');
  expect(told).toMatch(/End with a report/);
  expect(contextIn(await server.hook('SubagentStart', { agent_type: 'Explore', agent_id: 'a2' }))).not.toContain('Invoices are numbered');
  for (const type of ['memory:memory-drafter', 'memory:summarize', 'summarize', 'synthesize', ''])
    expect(await server.hook('SubagentStart', { agent_type: type, agent_id: 'a3' })).toBe('');
  expect(contextIn(await server.hook('SubagentStart', { agent_type: 'memory-leak-hunter', agent_id: 'a4' }))).toMatch(/End with a report/);
  // The session itself has not seen it.
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: QUESTION }))).toContain('Invoices are numbered');
});

test.each([
  ['off', /^$/],
  ['pointer', /^MEMORY: Read .*_index\.md for context\. Write output to .*subagent[^]*call memory_save with/],
  ['full', /Invoices are numbered[^]*call memory_save with[^]*end with the report/],
])('inject.subagents %s', async (form, expected) => {
  const server = talkTo(place({ on: true, inject: { subagents: form } }));
  await keepInvoices(server);
  expect(contextIn(await server.hook('SubagentStart', { agent_type: 'Plan', agent_id: 'a1' }))).toMatch(expected);
});

test('a subagent of a project that gives it everything has its task and the whole template, with the four points', async () => {
  const there = place({ on: true, inject: { subagents: 'full' } });
  const server = talkTo(there);
  await keepInvoices(server);
  await server.hook('PreToolUse', { tool_name: 'Agent', prompt: TASK, subagent_type: 'Explore' });
  const told = contextIn(await server.hook('SubagentStart', { agent_type: 'Explore', agent_id: 'a1' }));
  const parts = [
    TASK,
    'MEMORY SYSTEM INSTRUCTIONS:',
    `centralized memory at ${there.privateRoot}/`,
    `1. CONTEXT: Read ${there.privateRoot}/_index.md`,
    `2. OUTPUT: Write findings to ${there.privateRoot}/subagent/`,
    '3. FORMAT: ',
    '4. RESTRICTION: Do NOT modify _index.md',
    'Sub-Agent Output Format:',
  ].map((part) => told.indexOf(part));
  expect(parts.filter((at) => at < 0)).toEqual([]);
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
});

test('a subagent’s report is kept once; that of compaction’s nameless one and of our own is not', async () => {
  const there = place();
  const server = talkTo(there);
  const report =
    '# Numbering of invoices\n\n## Summary\nInvoices are numbered in src/invoice.ts, per country, and checked by a constraint.\n\n## Details\nThe sequence lives in the table invoice_numbers, one row a country.';
  const folder = path.join(there.privateRoot, 'subagent');
  await server.hook('SubagentStop', { agent_type: '', agent_id: 'a0', last_assistant_message: report });
  await server.hook('SubagentStop', { agent_type: 'memory:memory-verifier', agent_id: 'a9', last_assistant_message: report });
  expect(fs.existsSync(folder)).toBe(false);
  for (let again = 0; again < 2; again++) await server.hook('SubagentStop', { agent_type: 'Explore', agent_id: 'a1', last_assistant_message: report });
  expect(fs.readdirSync(folder)).toHaveLength(1);
});

test.each([
  ['WebFetch', /^trust: quarantined$/m],
  ['mcp__browser__navigate', /^trust: quarantined$/m],
  ['mcp__plugin_memory_holdfast__memory_search', /^trust: observed$/m],
  ['Read', /^trust: observed$/m],
])('a report of a subagent that called %s is trusted as far as that goes', async (tool, trust) => {
  const there = place();
  const server = talkTo(there);
  const file = path.join(there.home, 'agent.jsonl');
  const content = [{ type: 'tool_use', id: 't1', name: tool, input: { url: 'https://example.com' } }];
  fs.writeFileSync(file, `${JSON.stringify({ type: 'assistant', isSidechain: true, message: { role: 'assistant', content } })}\n`);
  const report = '# Numbering\n\n## Summary\nInvoices are numbered in src/invoice.ts, per country, and checked by a constraint of the table invoice_numbers.';
  await server.hook('SubagentStop', { agent_type: 'Explore', agent_id: 'a1', agent_transcript_path: file, last_assistant_message: report });
  const folder = path.join(there.privateRoot, 'subagent');
  const [name = ''] = fs.readdirSync(folder);
  expect(fs.readFileSync(path.join(folder, name), 'utf8')).toMatch(trust);
});

test('the start after a compaction gives what was under way back, once', async () => {
  const there = place();
  const server = talkTo(there);
  await keepInvoices(server);
  const talk = transcript(there, 's-1');
  talk.prompt('Move the invoice numbers into a table of their own');
  talk.edit('src/invoice.ts');
  expect(await server.hook('PreCompact', { trigger: 'auto', transcript_path: talk.file })).toMatch(/^Keep in the summary:/);
  const recovered = contextIn(await server.hook('SessionStart', { source: 'compact', transcript_path: talk.file }));
  expect(recovered).toContain('for="recovery"');
  expect(recovered).toContain('Move the invoice numbers into a table of their own');
  expect(recovered).toContain('src/invoice.ts');
  expect(await server.hook('SessionStart', { source: 'compact' })).toBe('');
  // What was said before can be searched for in the same session.
  await vi.waitFor(() => fs.statSync(path.join(there.home, 'holdfast', 'projects', 'shop', 'episodes.db')), PATIENCE);
  // An installation from before still reports the end of a compaction.
  expect(await server.hook('PostCompact', { trigger: 'auto', compact_summary: 'The user wants a table.' })).toBe('');
  // A second compaction is another one.
  await server.hook('PreCompact', { trigger: 'manual', transcript_path: talk.file });
  expect(contextIn(await server.hook('SessionStart', { source: 'compact' }))).toContain('for="recovery"');
});

test('a breadcrumb that is gone from view means a compaction, and recovery comes once', async () => {
  const there = place({ on: true, breadcrumb: true });
  const server = talkTo(there);
  await keepInvoices(server);
  const talk = transcript(there, 's-1');
  expect(contextIn(await server.hook('SessionStart', { source: 'startup' }))).toMatch(/MEMORY_BREADCRUMB: shop \d{4}-\d\d-\d\dT/);
  const ask = async () => contextIn(await server.hook('UserPromptSubmit', { prompt: 'thanks, go ahead', transcript_path: talk.file }));
  talk.prompt('hello');
  expect(await ask()).toBe('');
  const reply = 'Done. <!-- MEMORY_BREADCRUMB: shop 2026-03-01T10:00:00Z -->';
  talk.reply(reply);
  await server.hook('Stop', { transcript_path: talk.file, last_assistant_message: reply, stop_hook_active: 'false' });
  expect(await ask()).toBe('');
  talk.compact('They said hello.');
  expect(await ask()).toContain('for="recovery"');
  expect(await ask()).toBe('');
});
