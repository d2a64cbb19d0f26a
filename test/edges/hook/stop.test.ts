import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contextIn, noteOf, place, PLUGIN, type Talk, talkTo } from '../mcp/talk.ts';
import { scratch } from '../../scratch.ts';
import { transcript } from './transcript.ts';

const DECISION = 'We decided to use PostgreSQL instead of MySQL for the ledger because we need row-level security and our team knows it well.';

const AGENTS = { on: true, capture: { flow: 'agents' } };

function session(config: object = AGENTS, plugin = true) {
  const there = place(config);
  const server = talkTo(there, plugin ? { CLAUDE_PLUGIN_ROOT: PLUGIN } : {});
  const talk = transcript(there, 's-1');
  const stop = (more: object = {}) => server.hook('Stop', { transcript_path: talk.file, stop_hook_active: 'false', ...more });
  return { there, server, talk, stop };
}

const requestIn = contextIn;

async function draft(server: Talk, request: string): Promise<void> {
  const [, file = ''] = /- decision: read .*; write (\S+);/.exec(request) ?? [];
  const content = { status: 'accepted', context: 'The ledger', decision: 'PostgreSQL', alternatives: [], rationale: ['row-level security'], consequences: [] };
  const record = { title: 'PostgreSQL for the ledger', tags: ['ledger'], confidence: 0.8, content };
  fs.writeFileSync(file, JSON.stringify({ action: 'create', justification: 'a choice with its reason', record }));
  fs.writeFileSync(file.replace('draft', 'verdict'), JSON.stringify({ verdict: 'PASS', issues: [] }));
  expect(await server.call('memory_save', { staged: 's-1' })).toMatchObject({ text: expect.stringContaining('saved decision/'), isError: false });
}

test('a decision asks for one save, in one drafting step and one call, and never again for the same words', async () => {
  const { there, server, talk, stop } = session();
  talk.prompt('Which database do we take?');
  const said = await stop({ last_assistant_message: DECISION });
  expect(said).not.toContain('decision":"block');
  const request = requestIn(said);
  expect(request).toContain('memory:memory-drafter');
  expect(request).toContain('memory_save with {"staged": "s-1"}');
  expect(request).toMatch(/<triage_data>[^]*"category":"decision"[^]*<\/triage_data>/);
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'pending' } });
  await server.hook('SubagentStart', { agent_type: 'memory:memory-drafter', agent_id: 'd1' });
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'saving' } });
  await draft(server, request);
  talk.reply(DECISION);
  talk.reply(`Saved. ${DECISION}`);
  expect(await stop({ stop_hook_active: 'true', last_assistant_message: `Saved. ${DECISION}` })).toBe(
    '{"systemMessage":"Memory: kept decision/postgresql-for-the-ledger. Undo: /memory:undo"}',
  );
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'saved' } });
  expect(fs.readdirSync(path.join(there.privateRoot, 'decisions'))).toHaveLength(1);
  talk.prompt('thanks');
  talk.reply('You are welcome.');
  expect(await stop({ last_assistant_message: 'You are welcome.' })).toBe('');
});

test('nothing is asked while a stop hook is active, when nothing was said, and where the agent is not the one who drafts', async () => {
  const { talk, stop } = session();
  expect(await stop()).toBe('');
  talk.prompt('hello');
  expect(await stop({ last_assistant_message: 'Hello!' })).toBe('');
  expect(await stop({ stop_hook_active: true, last_assistant_message: DECISION })).toBe('');
  const alone = session({ on: true, model: { drafting: 'none' } });
  alone.talk.prompt('Which database do we take?');
  expect(await alone.stop({ last_assistant_message: DECISION })).toBe('');
});

test('a save that failed is not asked for again: never twice for the same lines', async () => {
  const { there, talk, stop } = session();
  talk.prompt('Which database do we take?');
  talk.reply(DECISION);
  expect(await stop({ last_assistant_message: DECISION })).not.toBe('');
  expect(await stop({ stop_hook_active: 'true', last_assistant_message: 'I could not.' })).toBe('');
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'failed' } });
  talk.prompt('What was it again?');
  expect(await stop({ last_assistant_message: DECISION })).toBe('');
});

test.each([
  ['without the plugin', AGENTS, false],
  ['where one is to do it all', { ...AGENTS, triage: { parallel: { enabled: false } } }, true],
] as const)('%s the agent drafts by itself, and is told the forms', async (_where, config, plugin) => {
  const { there, server, talk, stop } = session(config, plugin);
  talk.prompt('Which database do we take?');
  const request = requestIn(await stop({ last_assistant_message: DECISION }));
  expect(request).not.toContain('memory-drafter');
  expect(request).toContain('by yourself');
  const [, draftFile = ''] = /- decision: read .*; write (\S+); new record$/m.exec(request) ?? [];
  const verdictFile = draftFile.replace('.memory-draft-', '.memory-verdict-');
  const [, content = ''] = /The content of a decision: (\{.*\}); status: proposed/.exec(request) ?? [];
  const record = { title: 'PostgreSQL for the ledger', tags: ['ledger'], confidence: 0.8, content: JSON.parse(content) as object };
  expect(request).toMatch(/A draft is JSON: \{"action"/);
  expect(request).toMatch(/A verdict is JSON: \{"result": "PASS"/);
  for (const [file, json] of [
    [draftFile, { action: 'create', justification: 'said', record }],
    [verdictFile, { result: 'PASS', issues: [] }],
  ] as const)
    expect(await server.call('memory_save', { file, json })).toMatchObject({ isError: false });
  expect(await server.call('memory_save', { staged: 's-1' })).toMatchObject({ isError: false });
  expect(fs.readdirSync(path.join(there.privateRoot, 'decisions'))).toHaveLength(1);
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'saved' } });
});

test('a draft in the system’s temporary folder leaves that folder as it is', async () => {
  const { server } = session();
  const folder = '/tmp';
  const file = path.join(folder, `.memory-draft-decision-${process.pid}.json`);
  const { mode } = fs.statSync(folder);
  try {
    expect(await server.call('memory_save', { file, json: { action: 'noop' } })).toMatchObject({ isError: false });
    expect([fs.statSync(folder).mode, fs.statSync(file).mode & 0o777]).toEqual([mode, 0o600]);
  } finally {
    // Without the repair every other user of the machine would be locked out.
    if (fs.statSync(folder).mode !== mode) fs.chmodSync(folder, mode & 0o7777);
    fs.rmSync(file, { force: true });
  }
});

test('a staging folder that others use too: what was asked for and verified is saved, and nothing else that lies there', async () => {
  const dir = scratch();
  const { there, server, talk, stop } = session({ ...AGENTS, staging: { dir } });
  talk.prompt('Which database do we take?');
  const request = requestIn(await stop({ last_assistant_message: DECISION }));
  const [, file = ''] = /- decision: read .*; write (\S+);/.exec(request) ?? [];
  expect(path.dirname(file)).toBe(dir);
  const [, context = ''] = /- decision: read (\S+);/.exec(request) ?? [];
  expect(await server.hook('PreToolUse', { tool_name: 'Read', file_path: context })).toContain('"allow"');
  expect(await server.hook('PreToolUse', { tool_name: 'Read', file_path: path.join(dir, 'other.txt') })).toBe('');
  const content = { status: 'accepted', context: 'The ledger', decision: 'PostgreSQL', rationale: ['row-level security'] };
  const record = { title: 'PostgreSQL for the ledger', tags: ['ledger'], confidence: 0.8, content };
  const others = file.replace(/-\w+\.json$/, '-others.json');
  for (const [one, title] of [
    [file, record.title],
    [others, 'Of somebody else'],
  ] as const) {
    expect(await server.call('memory_save', { file: one, json: { action: 'create', justification: 'said', record: { ...record, title } } })).toMatchObject({
      isError: false,
    });
  }
  expect(await server.call('memory_save', { staged: 's-1' })).toMatchObject({ text: 'There is nothing to save.' });
  for (const one of [file, others])
    expect(await server.call('memory_save', { file: one.replace('-draft-', '-verdict-'), json: { result: 'PASS', issues: [] } })).toMatchObject({
      isError: false,
    });
  expect(await server.call('memory_save', { staged: 's-1' })).toMatchObject({
    text: expect.stringMatching(/^saved decision\/postgresql-for-the-ledger: \S+$/),
  });
  expect(fs.readdirSync(path.join(there.privateRoot, 'decisions'))).toHaveLength(1);
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'saved' } });
});

test('what another session saves meanwhile does not pass for what this one was asked for', async () => {
  const { there, server, talk, stop } = session();
  talk.prompt('Which database do we take?');
  talk.reply(DECISION);
  expect(await stop({ last_assistant_message: DECISION })).not.toBe('');
  await server.says('tabs please', { session_id: 'asking' });
  await server.call('memory_save', { category: 'preference', text: 'Tabs, because they are short', asked: 'tabs please' });
  expect(await stop({ stop_hook_active: 'true', last_assistant_message: 'I could not.' })).toBe('');
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'failed' } });
});

test('two sessions keep their states apart, and what memory itself said is never taken for new', async () => {
  const { there, server, talk, stop } = session();
  talk.prompt('Which database do we take?');
  expect(await stop({ last_assistant_message: DECISION })).not.toBe('');
  const other = transcript(there, 's-2');
  other.prompt('What do we know?');
  const quoted = `<holdfast-memory for="prompt">\n${DECISION}\n</holdfast-memory>`;
  other.reply(quoted);
  expect(await server.hook('Stop', { session_id: 's-2', transcript_path: other.file, last_assistant_message: quoted })).toBe('');
});

test('a transcript that is not there yet is no reason to miss what ended the turn', async () => {
  const { there, server } = session();
  const asked = { session_id: 's-3', transcript_path: path.join(there.project, 'not-yet.jsonl') };
  expect(await server.hook('Stop', { ...asked, last_assistant_message: 'All tests pass.' })).toBe('');
  expect(await server.hook('Stop', { ...asked, last_assistant_message: DECISION })).toContain('Memory: this session settled something');
});

test('what the user had the agent keep in the turn is not asked for again', async () => {
  const { server, talk, stop } = session();
  const wish = `Remember that: ${DECISION}`;
  talk.prompt(wish);
  await server.hook('UserPromptSubmit', { prompt: wish, transcript_path: talk.file });
  expect(await server.call('memory_save', { category: 'decision', text: DECISION, asked: wish })).toMatchObject({ isError: false });
  talk.reply(`Kept. ${DECISION}`);
  expect(await stop({ last_assistant_message: `Kept. ${DECISION}` })).toBe('');
  const other = DECISION.replace('PostgreSQL', 'Kafka').replace('MySQL', 'RabbitMQ');
  talk.prompt('And which queue?');
  expect(requestIn(await stop({ last_assistant_message: other }))).toContain('- decision: read');
});
