import { describe, expect, it } from 'vitest';
import { retireAfterSession, saveExtracted } from '../../../src/app/drafting/extract.ts';
import type { Episode } from '../../../src/app/episodes/read.ts';
import { synthesize } from '../../../src/app/synthesis/synthesize.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { ItemFacts } from '../../../src/core/ports/index.ts';
import { agent, call, tool, user } from '../../capture/triage/talk.ts';
import { must, openMemory, save, type Opened } from '../memory.ts';

const QUESTION = 'Should the plans of an import be stored as JSON or as Markdown?';

function picked(answer: string, question = QUESTION): Message[] {
  const input = `questions: ${question}\nheader: Plans\noptions: JSON\nCan be checked by a schema and read by the page.\nMarkdown\nCan be read in a pull request.`;
  const asking = call('AskUserQuestion', { input });
  return [agent('', { toolCalls: [asking] }), tool(`User has answered your questions: "${question}"="${answer}".`, { answers: asking.id })];
}

const session = (sessionId: string, ...entries: readonly Message[]): Episode => ({ facts: { sessionId, client: 'claude-code' }, entries, whole: true });
const states = ({ memory }: Opened): object =>
  Object.fromEntries(memory.index.items({ kind: 'record' }).map(({ title, status }) => [title.slice(0, 20), status]));

describe('a record that rules drafted is followed through later sessions', () => {
  it('is retired when the same session goes on and takes it back', async () => {
    const opened = openMemory();
    const rule = user('We chose SQLite over Postgres because it needs no server.');
    await saveExtracted(opened.memory, session('s1', rule, agent('Noted.')));
    expect(states(opened)).toEqual({ 'We chose SQLite over': 'active' });
    await saveExtracted(opened.memory, session('s1', rule, agent('Noted.'), user('no, change of plan: the team wants Postgres')));
    expect(states(opened)).toEqual({ 'We chose SQLite over': 'retired' });
  });

  it('gives way to another answer to the same question', async () => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', ...picked('JSON')));
    await saveExtracted(opened.memory, session('s2', ...picked('JSON')));
    expect(states(opened)).toEqual({ 'JSON — Should the pl': 'active' });
    await saveExtracted(opened.memory, session('s3', ...picked('Markdown')));
    expect(states(opened)).toEqual({ 'JSON — Should the pl': 'retired', 'Markdown — Should th': 'active' });
    expect(must(await logReason(opened))).toMatch(/^Replaced by a later choice: Markdown/);
    const named = async (start: string) => {
      const item = opened.memory.index.items({ kind: 'record' }).find(({ title }) => title.startsWith(start)) as ItemFacts;
      return must(await currentRecord(opened.memory, item)).record;
    };
    const [json, markdown] = [await named('JSON'), await named('Markdown')];
    expect([markdown.supersedes, json.superseded_by]).toEqual([[`decision/${json.id}`], `decision/${markdown.id}`]);
    const { text } = must(await synthesize(opened.memory, { actor: 'command', full: true, state: { docs: [], commits: [], files: [], introductions: [] } }));
    expect(text).toMatch(/- JSON — Should.*→ settled on Markdown — Should/);
  });

  it.each([
    ['Should the plans of phase 2 be stored as JSON or as Markdown?', 'Should the plans of phase 3 be stored as JSON or as Markdown?'],
    ['Which format should the importer of the warehouse write?', 'Which format should the exporter of the warehouse write?'],
  ])('stays beside an answer to another question in like words: %s', async (first, second) => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', ...picked('JSON', first)));
    await saveExtracted(opened.memory, session('s2', ...picked('Markdown', second)));
    await saveExtracted(opened.memory, session('s3', ...picked('JSON', second.replace(/phase 3|exporter/, 'mirror'))));
    expect(opened.memory.index.items({ kind: 'record' }).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    const both = openMemory();
    await saveExtracted(both.memory, session('s1', ...picked('JSON', first), ...picked('JSON', second)));
    expect(both.memory.index.items({ kind: 'record' })).toHaveLength(2);
  });

  it('stays beside another answer of the same round of questions, whatever both were asked for', async () => {
    const opened = openMemory();
    const round = [...['Windows build?', 'Homebrew channel?']].flatMap((question, at) => {
      const asking = call('AskUserQuestion', {
        input: `questions: ${question}\nheader: H\noptions: Add it now (${at})\nOne line more in the release file.\nSkip it for good (${at})\nNo change of the release file.`,
      });
      return [agent('', { toolCalls: [asking] }), tool(`User has answered your questions: "${question}"="Skip it for good (${at})".`, { answers: asking.id })];
    });
    const plan = agent('', { toolCalls: [call('ExitPlanMode', { input: '# Plan: First release configuration of the importer\n\n- write it' })] });
    await saveExtracted(opened.memory, session('s1', user('Plan the release configuration'), ...round, plan));
    expect(opened.memory.index.items({ kind: 'record' }).map(({ status, supersededBy }) => [status, supersededBy])).toEqual([
      ['active', undefined],
      ['active', undefined],
    ]);
  });

  it('stays where a session says it again beside another answer to a like question', async () => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', ...picked('JSON')));
    const like = 'Should the plans of an import be stored as JSON or Markdown in the archive?';
    const asking = call('AskUserQuestion', { input: `questions: ${like}\nheader: Plans\noptions: JSON\nCan be checked by a schema.\nMarkdown\nCan be read.` });
    const archive = [agent('', { toolCalls: [asking] }), tool(`User has answered your questions: "${like}"="Markdown".`, { answers: asking.id })];
    await saveExtracted(opened.memory, session('s2', ...archive, ...picked('JSON')));
    expect(states(opened)).toMatchObject({ 'JSON — Should the pl': 'active' });
  });

  it('a plan that repeats what was chosen one by one makes no second record', async () => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', ...picked('Markdown')));
    const plan = (...items: readonly string[]): string =>
      `Implement the following plan:\n\n# Plan: Storing of imports\n\n## Decisions (from user)\n${items.map((item) => `- ${item}`).join('\n')}\n\n## Steps\n- write`;
    await saveExtracted(opened.memory, session('s2', user(plan('Plans of an import are stored as Markdown', 'Plans stored as Markdown, never JSON'))));
    expect(Object.keys(states(opened))).toHaveLength(1);
    await saveExtracted(opened.memory, session('s3', user(plan('Plans of an import are stored as Markdown', 'Receipts get a number per country'))));
    const added = opened.memory.index.items({ kind: 'record' }).find(({ title }) => title.startsWith('Storing of imports')) as ItemFacts;
    const { record } = must(await currentRecord(opened.memory, added));
    expect(record.content).toMatchObject({ decision: '- Receipts get a number per country' });
  });

  it('is retired when the user says that it was given up, and not for a question about it', async () => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', user('We chose Redis for the session cache because the workers share it.')));
    await saveExtracted(opened.memory, session('s2', user('do we no longer use redis for the session cache?')));
    expect(states(opened)).toEqual({ 'We chose Redis for t': 'active' });
    await saveExtracted(opened.memory, session('s3', user('we no longer use redis for the session cache, the workers were merged')));
    expect(states(opened)).toEqual({ 'We chose Redis for t': 'retired' });
  });

  it('is left alone where an agent saved it in a turn of the same session', async () => {
    const opened = openMemory();
    const origin = { channel: 'capture', session_id: 's1', message_ids: ['m-none'], verified: 'rules' };
    must(await save(opened.memory, 'decision', { title: 'Use SQLite', trust: 'observed', origin }, { actor: 'agent-draft' }));
    await saveExtracted(opened.memory, session('s1', user('Make the importer skip the empty rows'), agent('Done.')));
    expect(states(opened)).toEqual({ 'Use SQLite': 'active' });
  });

  it('is held against what was said before it only where that was later: a session that is read late takes nothing back', async () => {
    const opened = openMemory();
    const at = (day: string, messages: readonly Message[]): Message[] => messages.map((message) => ({ ...message, at: `2026-${day}T10:00:00Z` }));
    const dated = (sessionId: string, day: string, ...entries: readonly Message[]): Episode => ({
      ...session(sessionId, ...at(day, entries)),
      facts: { sessionId, client: 'claude-code', endedAt: `2026-${day}T11:00:00Z` },
    });
    const redis = user('We chose Redis for the session cache because the workers share it.');
    await saveExtracted(opened.memory, dated('march', '03-01', redis, ...picked('Markdown')));
    await saveExtracted(opened.memory, dated('february', '02-01', user('we no longer use redis for the session cache'), ...picked('JSON')));
    expect(states(opened)).toEqual({ 'We chose Redis for t': 'active', 'Markdown — Should th': 'active' });
    await saveExtracted(opened.memory, dated('april', '04-01', user('we no longer use redis for the session cache'), ...picked('JSON')));
    expect(states(opened)).toEqual({ 'We chose Redis for t': 'retired', 'Markdown — Should th': 'retired', 'JSON — Should the pl': 'active' });
  });

  it('stays where the user reports that it is broken', async () => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', user('We chose Redis for the session cache because the workers share it.')));
    await saveExtracted(opened.memory, session('s2', user('the redis session cache no longer works after the update, and does not show entries any more')));
    expect(states(opened)).toEqual({ 'We chose Redis for t': 'active' });
  });

  it('stays once a person has confirmed it', async () => {
    const opened = openMemory();
    await saveExtracted(opened.memory, session('s1', ...picked('JSON')));
    const [item] = opened.memory.index.items({ kind: 'record' });
    must(await moveRecord(opened.memory, 'confirm', item as never, { actor: 'command' }));
    await saveExtracted(opened.memory, session('s2', ...picked('Markdown')));
    expect(states(opened)).toEqual({ 'JSON — Should the pl': 'active', 'Markdown — Should th': 'active' });
  });
});

describe('a record that an agent saved in a turn', () => {
  const kept = async (title: string): Promise<Opened> => {
    const opened = openMemory();
    const origin = { channel: 'capture', session_id: 's1', verified: 'rules', rules: 'v2' };
    const content = { status: 'accepted', context: '', decision: title, alternatives: [], rationale: ['Row-level security'], consequences: [] };
    must(await save(opened.memory, 'decision', { title, content, trust: 'observed', origin }, { actor: 'agent-draft' }));
    return opened;
  };
  const soon = (text: string, { memory }: Opened, minutes = 1): Message => user(text, { at: new Date(memory.now() + minutes * 60_000).toISOString() });
  const LEDGER = 'The ledger uses PostgreSQL, not MySQL';

  it.each([
    "I've reverted your changes - focus only on the empty results",
    'No, that is not what I want: the ledger stays with MySQL, PostgreSQL is for the archive.',
    'I have reverted the ledger to MySQL, so PostgreSQL is out',
  ])('is retired when the user takes it back later in the session: %s', async (words) => {
    const opened = await kept(LEDGER);
    await retireAfterSession(opened.memory, session('s1', user('Which database?'), agent(`${LEDGER}.`), soon(words, opened), agent('Understood.')));
    expect(Object.values(states(opened))).toEqual(['retired']);
    expect((await logReason(opened)).value).toContain('The user took it back');
  });

  it.each([
    ['earlier in the session', "I've reverted your changes - focus only on the ledger", -1],
    ['to something else', 'No, the button has to be on the left side of the page', 1],
    ['to one change', 'Revert the last change please', 1],
    ['to what has another name', 'Roll back the migration of the orders', 1],
    ['to the commit', 'I reverted the commit', 1],
    ['in the words that it was saved for, in the same second', 'No, the old one cannot do that. Take PostgreSQL for the ledger and not MySQL.', 0.005],
    ['while that is what is to stay', "I've reverted your changes - keep only that the ledger uses PostgreSQL and not MySQL", 1],
  ])('stays where the user objects %s', async (_, words, minutes) => {
    const opened = await kept(LEDGER);
    await retireAfterSession(opened.memory, session('s1', user('Which database?'), agent(`${LEDGER}.`), soon(words, opened, minutes), agent('Understood.')));
    expect(Object.values(states(opened))).toEqual(['active']);
  });

  it('is retired when a later session gives it up, whoever was asked to draft there', async () => {
    const opened = await kept(LEDGER);
    await retireAfterSession(opened.memory, session('s2', user('we no longer use postgresql for the ledger, mysql is back'), agent('Understood.')));
    expect(Object.values(states(opened))).toEqual(['retired']);
  });
});

async function logReason({ memory }: Opened): Promise<{ readonly ok: true; readonly value: string }> {
  const entry = (await memory.store.journal.entries()).findLast(({ op }) => op === 'retire');
  return { ok: true, value: entry?.reason ?? '' };
}
