import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { finishing } from '../../finishing.ts';
import { PATIENCE } from '../../patience.ts';
import { contextIn, noteOf, place, PLUGIN, type Place, talkTo } from '../mcp/talk.ts';
import { transcript } from './transcript.ts';

const DECISION = 'We decided to use PostgreSQL instead of MySQL for the ledger because we need row-level security and our team knows it well.';
const RECORD = {
  category: 'decision',
  text: 'The ledger uses PostgreSQL, not MySQL',
  why: 'it needs row-level security and the team knows it',
  tags: ['ledger'],
};
const RULE = 'Never push to main without asking me first.';

function session(config?: object, env: Readonly<Record<string, string>> = {}) {
  const there = place(config);
  const server = talkTo(there, { CLAUDE_PLUGIN_ROOT: PLUGIN, ...env });
  const open = (name: string) => {
    const talk = transcript(there, name, new Date().toISOString());
    const says = async (words: string): Promise<string> => {
      const answer = await server.hook('UserPromptSubmit', { prompt: words, session_id: name, transcript_path: talk.file });
      talk.prompt(words);
      return answer;
    };
    const stop = (reply: string, more: object = {}) =>
      server.hook('Stop', { session_id: name, transcript_path: talk.file, stop_hook_active: 'false', last_assistant_message: reply, ...more });
    return { talk, says, stop };
  };
  return { there, server, open, ...open('s-1') };
}

const recordsIn = ({ privateRoot }: Place, folder: string): readonly string[] => {
  const at = path.join(privateRoot, folder);
  return fs.existsSync(at) ? fs.readdirSync(at).map((file) => fs.readFileSync(path.join(at, file), 'utf8')) : [];
};

test('one decision: a short request, one call, and one line that says what was kept and how to undo it', async () => {
  const { there, server, says, stop } = session();
  await says('Which database do we take?');
  const said = await stop(DECISION);
  expect(said).not.toContain('block');
  const request = contextIn(said);
  expect(request).toContain('- decision: "We decided to use PostgreSQL');
  expect(request).toMatch(/choice or rule.*why.*applies to.*replaces/);
  expect(request).toContain('Nothing is a fine answer');
  expect(request.length).toBeLessThan(500);
  const saved = await server.call('memory_save', { records: [RECORD] });
  const line = 'Memory: kept decision/the-ledger-uses-postgresql-not-mysql. Undo: /memory:undo';
  expect(saved).toEqual({ text: `End with this line: ${line}`, isError: false });
  const [text = ''] = recordsIn(there, 'decisions');
  expect(text).toContain('trust: observed');
  expect(text).toContain('verified: rules');
  expect(text).toContain('it needs row-level security');
  // An agent that keeps what it did to itself does not keep it from the user.
  expect(await stop('Done.', { stop_hook_active: 'true' })).toBe(JSON.stringify({ systemMessage: line }));
  expect(await stop('Anything else?')).toBe('');
});

test('what the agent saved in a turn is retired when the session ends and the user has thrown the work away', async () => {
  const { there, server, says, stop, talk } = session();
  await says('Which database do we take?');
  await stop(DECISION);
  talk.reply(DECISION);
  await server.call('memory_save', { records: [RECORD] });
  await stop('Kept.', { stop_hook_active: 'true' });
  await says("I've reverted your changes, the importer comes first");
  await stop('Understood.');
  talk.reply('Understood.');
  expect(recordsIn(there, 'decisions')[0]).not.toContain('retired');
  server.child.stdin?.end();
  expect(await server.ended).toBe(0);
  await vi.waitFor(() => expect(recordsIn(there, 'decisions')[0]).toMatch(/record_status: retired[\s\S]*The user took it back/), PATIENCE);
  await vi.waitFor(() => expect(finishing(there.home)).toBe(0), PATIENCE);
});

test('an agent that ends with the line is not repeated', async () => {
  const { server, says, stop } = session();
  await says('Which database do we take?');
  await stop(DECISION);
  const { text } = await server.call('memory_save', { records: [RECORD] });
  expect(await stop(text.replace('End with this line: ', ''), { stop_hook_active: 'true' })).toBe('');
});

test('nothing is a fine answer, asked for once, and the offer ends with the turn', async () => {
  const { there, server, says, stop, talk } = session();
  await says('Which database do we take?');
  expect(await stop(DECISION)).not.toBe('');
  expect(await stop('Nothing to keep.', { stop_hook_active: 'true' })).toBe('');
  expect(noteOf(there, 's-1')).toMatchObject({ save: { state: 'nothing' } });
  expect(await server.call('memory_save', { records: [RECORD] })).toMatchObject({
    text: expect.stringContaining('no request to save this turn is open'),
    isError: true,
  });
  talk.reply(DECISION);
  await says('Say that again?');
  expect(await stop(DECISION)).toBe('');
});

test('what comes back from the background in the same turn asks for nothing more; the next turn does', async () => {
  const { says, stop, talk } = session();
  await says('Which database do we take?');
  expect(await stop(DECISION)).not.toBe('');
  expect(await stop('Kept.', { stop_hook_active: 'true' })).toBe('');
  const other = 'We decided to use Kafka instead of RabbitMQ for the events because consumers have to replay them.';
  talk.reply(other);
  expect(await stop(other)).toBe('');
  await says('And now?');
  expect(contextIn(await stop('Nothing else.'))).toContain('Kafka instead of RabbitMQ');
});

test('a turn is a new one although the client has not written its prompt into the transcript yet', async () => {
  const { server, says, stop, talk } = session();
  await says('Which database do we take?');
  expect(await stop(DECISION)).not.toBe('');
  expect(await stop('Nothing to keep.', { stop_hook_active: 'true' })).toBe('');
  await server.hook('UserPromptSubmit', { prompt: 'And which queue?', transcript_path: talk.file });
  expect(contextIn(await stop('We decided to use Kafka instead of RabbitMQ for the events because consumers have to replay them.'))).toContain('Kafka');
});

test('an answer that only repeats a known decision asks for nothing; one that changes it does', async () => {
  const { server, says, stop, open } = session();
  await says('Which database do we take?');
  await stop(DECISION);
  await server.call('memory_save', { records: [{ ...RECORD, text: DECISION }] });
  const next = open('s-2');
  await next.says('Which database did we take?');
  expect(await next.stop(`As recorded: ${DECISION}`)).toBe('');
  await next.says('And if we changed our mind?');
  expect(
    contextIn(await next.stop('We decided to use Oracle instead of PostgreSQL for the ledger because we need row-level security and our team knows it well.')),
  ).toContain('Oracle');
});

test('three categories are one request and one call', async () => {
  const { there, server, says, stop } = session();
  await says('How do we go on with the ledger?');
  const reply = [
    DECISION,
    'The build failed with ENOSPC on the runner; the root cause was the full layer cache, and the fix is `docker system prune`: the build passes again.',
    'We leave the retry queue for later because the release is tomorrow; it is a TODO for the next sprint.',
  ].join('\n\n');
  const request = contextIn(await stop(reply));
  for (const category of ['decision', 'runbook', 'tech_debt']) expect(request).toContain(`- ${category}: `);
  const records = [
    RECORD,
    { category: 'runbook', text: 'ENOSPC on the runner: prune the layer cache with docker system prune', title: 'ENOSPC on the runner' },
    { category: 'tech_debt', text: 'The ledger has no retry queue', why: 'the release came first' },
  ];
  const saved = await server.call('memory_save', { records });
  expect(saved.text).toMatch(/^End with this line: Memory: kept decision\/\S+, runbook\/\S+, tech_debt\/\S+\. Undo: \/memory:undo 3$/);
  expect(['decisions', 'runbooks', 'tech-debt'].map((folder) => recordsIn(there, folder).length)).toEqual([1, 1, 1]);
});

test('what triage only proposes is not worth a further request; the flow of drafter and verifier takes all of it', async () => {
  const weak = 'The error is probably in the loader, because the cache was stale; clearing the cache fixed it.';
  const { says, stop } = session();
  await says('What was it?');
  expect(await stop(weak)).toBe('');
  const thorough = session({ on: true, capture: { flow: 'agents' } });
  await thorough.says('What was it?');
  expect(contextIn(await thorough.stop(weak))).toContain('- runbook: read');
});

test('one sentence is asked about once, under one category', async () => {
  const { says, stop } = session();
  await says('What do we do?');
  const request = contextIn(await stop(DECISION));
  expect(request.match(/^- /gm)).toHaveLength(1);
});

describe('a rule of the user', () => {
  test('is asked about as a rule, and saved as one with what it applies to', async () => {
    const { there, server, says, stop } = session();
    await says(`Fix the typo in the README. ${RULE}`);
    const request = contextIn(await stop('Fixed the typo.'));
    expect(request).toContain(`- rule: "${RULE}"`);
    const record = {
      category: 'preference',
      text: 'Ask before a push to main',
      rule: 'Never push to main without asking me first',
      applies_to: ['push', 'git push'],
    };
    expect(await server.call('memory_save', { records: [record] })).toMatchObject({ isError: false });
    const [text = ''] = recordsIn(there, 'preferences');
    expect(text).toContain('asked: Never push to main without asking me first');
    expect(text).toMatch(/strong/i);
    expect(text).toMatch(/applies_to:\s*(?:\[|\n\s*- )push,?\s*(?:- )?git push/);
  });

  test('that the user never stated is not saved', async () => {
    const { there, server, says, stop } = session();
    await says('Which database do we take?');
    await stop(DECISION);
    const record = { category: 'preference', text: 'Always deploy on Fridays', rule: 'Always deploy on Fridays please', applies_to: ['deploy'] };
    expect((await server.call('memory_save', { records: [record] })).text).toContain('not kept (preference): Always deploy on Fridays; the user has not said');
    expect(recordsIn(there, 'preferences')).toEqual([]);
  });
});

test('a number that was never said is not saved', async () => {
  const { there, server, says, stop } = session();
  await says('Which database do we take?');
  await stop(DECISION);
  const saved = await server.call('memory_save', { records: [{ ...RECORD, text: 'The ledger uses PostgreSQL pg9431 on port 6543' }] });
  expect(saved.text).toContain('not in the conversation: pg9431, 6543');
  expect(recordsIn(there, 'decisions')).toEqual([]);
});

test('a changed record that keeps its id is told with its new title', async () => {
  const { server, says, stop, open } = session();
  await says('What do we take for the label printer?');
  await stop('We decided to use ZPL instead of PDF for the label printer of the shop because the printer renders it itself.');
  await server.call('memory_save', {
    records: [{ category: 'decision', text: 'Use ZPL for the label printer of the shop, not PDF', why: 'the printer renders it' }],
  });
  const next = open('s-2');
  await next.says('The old printers cannot do that.');
  await next.stop('We decided to use EPL instead of ZPL for the label printer of the shop because the old printers know nothing else.');
  const text = 'Use EPL for the label printer of the shop, not ZPL';
  const replaces = 'use-zpl-for-the-label-printer-of-the-shop-not-pdf';
  const { text: told } = await server.call('memory_save', { records: [{ category: 'decision', text, why: 'the old printers know nothing else', replaces }] });
  expect(told).toBe(`End with this line: Memory: changed decision/${replaces} to "${text}". Undo: /memory:undo`);
});

test('the record that it replaces is changed; one that the user confirmed is not', async () => {
  const { there, server, says, stop, open } = session();
  await says('Which database do we take?');
  await stop(DECISION);
  await server.call('memory_save', { records: [RECORD] });
  const next = open('s-2');
  await next.says('The licence changed.');
  await next.stop('We decided to use MariaDB instead of PostgreSQL for the ledger because the licence changed for our case.');
  const changed = { category: 'decision', text: 'The ledger uses MariaDB', why: 'the licence changed', replaces: 'the-ledger-uses-postgresql-not-mysql' };
  expect(await server.call('memory_save', { records: [changed] })).toEqual({
    text: 'End with this line: Memory: changed decision/the-ledger-uses-mariadb. Undo: /memory:undo',
    isError: false,
  });
  expect(recordsIn(there, 'decisions')).toHaveLength(1);
  expect(recordsIn(there, 'decisions')[0]).toContain('MariaDB');
  const file = path.join(there.privateRoot, 'decisions', fs.readdirSync(path.join(there.privateRoot, 'decisions'))[0] ?? '');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('trust: observed', 'trust: confirmed'));
  const third = open('s-3');
  await third.says('Again?');
  await third.stop('We decided to use Oracle instead of MariaDB for the ledger because the auditors asked for it in the review.');
  const again = { category: 'decision', text: 'The ledger uses Oracle', why: 'the auditors asked for it', replaces: 'the-ledger-uses-postgresql-not-mysql' };
  expect(await server.call('memory_save', { records: [again] })).toMatchObject({ text: expect.stringContaining('was confirmed by the user'), isError: true });
  expect(fs.readFileSync(file, 'utf8')).not.toContain('Oracle');
});

test('what follows the words of a web page is quarantined', async () => {
  const { there, server, says, stop, talk } = session();
  await says('Which database do we take?');
  await server.hook('PreToolUse', { tool_name: 'WebFetch', transcript_path: talk.file });
  await stop(DECISION);
  await server.call('memory_save', { records: [RECORD] });
  expect(recordsIn(there, 'decisions')[0]).toContain('trust: quarantined');
});

test.each([['sdk-cli'], ['sdk-ts'], ['claude-code-github-action']])(
  'a headless run (%s) is asked for nothing; its records are drafted when it ends',
  async (entry) => {
    const { there, says, stop } = session(undefined, { CLAUDE_CODE_ENTRYPOINT: entry });
    await says('Which database do we take?');
    expect(await stop(DECISION)).toBe('');
    expect(noteOf(there, 's-1')).toMatchObject({ draftsAtEnd: true });
  },
);

test.each(['end', 'off'])('capture.flow %s asks for nothing and leaves recall on', async (flow) => {
  const { there, server, says, stop, open } = session({ on: true, capture: { flow } });
  await says('remember: use PostgreSQL for the ledger because it has row-level security');
  const asked = 'remember: use PostgreSQL for the ledger because it has row-level security';
  await server.call('memory_save', { category: 'decision', text: 'Use PostgreSQL for the ledger because it has row-level security', asked });
  await stop('Kept.');
  await says('Which queue do we take?');
  expect(await stop('We decided to use Kafka instead of RabbitMQ for the events because consumers have to replay them.')).toBe('');
  expect(noteOf(there, 's-1')['draftsAtEnd']).toBe(flow === 'end' ? true : undefined);
  expect(contextIn(await open('s-2').says('Why PostgreSQL for the ledger?'))).toContain('row-level security');
});

test('more than three categories go to the drafter and the verifier', async () => {
  const { says, stop } = session();
  await says('Never push to main without asking me first. How do we go on?');
  const reply = [
    DECISION,
    'The build failed with ENOSPC on the runner; the root cause was the full layer cache, and the fix is `docker system prune`: the build passes again.',
    'We leave the retry queue for later because the release is tomorrow; it is a TODO for the next sprint.',
    'GoReleaser only supports `token` for the brews repository, so a deploy key cannot be used there.',
  ].join('\n\n');
  const request = contextIn(await stop(reply));
  expect(request).toContain('one memory:memory-drafter subagent');
  expect(request).toContain('one memory:memory-verifier');
});
