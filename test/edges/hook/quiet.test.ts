import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { contextIn, environment, type Place, place, PLUGIN, talkInPeace } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';
import { PATIENCE } from '../../patience.ts';

const DECISION = 'We decided to use PostgreSQL instead of MySQL for the ledger because we need row-level security and our team knows it well.';
const SESSION = '41111111-2222-4333-8444-555555555555';

function program(there: Place, name: 'hook' | 'cli', args: readonly string[], input: object = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(PLUGIN, 'dist', `${name}.js`), ...args], {
    cwd: there.project,
    env: environment(there),
    encoding: 'utf8',
    input: JSON.stringify(input),
  });
  return { code: status, out: stdout, err: stderr };
}

const event = (there: Place, name: string, more: object = {}) =>
  program(there, 'hook', [name], { session_id: SESSION, cwd: there.project, hook_event_name: name, source: 'startup', ...more });

function longTalk(there: Place) {
  const talk = transcript(there, SESSION);
  talk.prompt('Which database do we take for the ledger?');
  talk.reply(DECISION);
  for (let turn = 0; turn < 8; turn++) {
    talk.prompt(`Please change part ${turn} of the ledger`);
    talk.edit(`src/ledger-${turn}.ts`);
    talk.reply(`Part ${turn} is done and tested.`);
  }
  return talk;
}

/** Lets a session end, and waits for its background work. */
async function end(there: Place, file: string) {
  const said = event(there, 'SessionEnd', { transcript_path: file, reason: 'other' });
  await vi.waitFor(() => expect(fs.existsSync(path.join(there.home, 'holdfast', 'hooks', 'claude-code.finish.seen'))).toBe(true), PATIENCE);
  return said;
}

const recordsOf = ({ privateRoot }: Place): readonly string[] =>
  ['decisions', 'runbooks', 'constraints', 'tech-debt', 'preferences', 'sessions', 'analysis'].flatMap((folder) => {
    const full = path.join(privateRoot, folder);
    return fs.existsSync(full) ? fs.readdirSync(full).map((name) => `${folder}/${name}`) : [];
  });

test('what a start hook prints goes to the agent alone, and a user who asks is told the same', () => {
  const there = place();
  const content = { goal: 'Ledger', outcome: 'success', completed: [], next_actions: [] };
  fs.writeFileSync(path.join(there.project, 's.json'), JSON.stringify({ title: 'The ledger', tags: ['ledger'], content }));
  expect(program(there, 'cli', ['save', 'session_summary', '--input', 's.json'])).toMatchObject({ code: 0 });
  const { code, out, err } = event(there, 'SessionStart');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  // A user would see standard error or a systemMessage; what is added to the context, only the agent.
  expect(Object.keys(JSON.parse(out) as object)).toEqual(['hookSpecificOutput']);
  expect(Object.keys((JSON.parse(out) as { hookSpecificOutput: object }).hookSpecificOutput).toSorted()).toEqual(['additionalContext', 'hookEventName']);
  expect(contextIn(out)).toContain('1 new session summary waits for');
  expect(program(there, 'cli', ['recall']).out).toContain('The ledger');
});

test('capture says nothing, and the next start has one line about it', async () => {
  const there = place();
  const talk = longTalk(there);
  expect(await end(there, talk.file)).toEqual({ code: 0, out: '', err: '' });
  await vi.waitFor(() => expect(recordsOf(there)).toEqual([`sessions/${SESSION}.md`]), PATIENCE);
  const told = contextIn(event(there, 'SessionStart', { session_id: 'next' }).out).split('\n');
  expect(told.filter((line) => line.includes('new session summar'))).toEqual([expect.stringContaining('1 new session summary')]);
});

test('no hook makes a record where the agent drafts: a stop only asks, and without a draft that was checked nothing is saved', async () => {
  const there = place({ on: true, capture: { flow: 'agents' } });
  const server = await talkInPeace(there);
  const talk = longTalk(there);
  await server.hook('SessionStart', { source: 'startup', session_id: SESSION });
  await server.hook('UserPromptSubmit', { prompt: 'Which database do we take for the ledger?', session_id: SESSION });
  const request = contextIn(await server.hook('Stop', { transcript_path: talk.file, last_assistant_message: DECISION, session_id: SESSION }));
  expect(recordsOf(there)).toEqual([]);
  const [, file = ''] = /- decision: read .*; write (\S+);/.exec(request) ?? [];
  await server.call('memory_save', { staged: SESSION });
  expect(recordsOf(there)).toEqual([]);

  const content = { status: 'accepted', context: 'The ledger', decision: 'PostgreSQL', alternatives: [], rationale: ['row-level security'], consequences: [] };
  const record = { title: 'PostgreSQL for the ledger', tags: ['ledger'], confidence: 0.8, content };
  fs.writeFileSync(file, JSON.stringify({ action: 'create', justification: 'a choice with its reason', record }));
  fs.writeFileSync(file.replace('draft', 'verdict'), JSON.stringify({ result: 'FAIL', issues: [{ severity: 'BLOCK', text: 'it was never said' }] }));
  await server.call('memory_save', { staged: SESSION });
  expect(recordsOf(there)).toEqual([]);
  fs.writeFileSync(file, JSON.stringify({ action: 'create', justification: 'a choice with its reason', record }));
  fs.writeFileSync(file.replace('draft', 'verdict'), JSON.stringify({ result: 'PASS', issues: [] }));
  await server.call('memory_save', { staged: SESSION });
  expect(recordsOf(there)).toEqual([expect.stringMatching(/^decisions\//)]);
});

test('what becomes a record when a session is over has been found by triage first: small talk leaves none', async () => {
  const there = place({ on: true, model: { drafting: 'none' } });
  const talk = transcript(there, SESSION);
  talk.prompt('hello');
  talk.reply('Hello! The sun is out today.');
  await end(there, talk.file);
  expect(recordsOf(there)).toEqual([]);
});
