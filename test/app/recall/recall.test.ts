import { shortIdOfName } from '../../../src/core/record/short-id.ts';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { currentRecord } from '../../../src/app/write/current.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import { must } from '../memory.ts';
import { context } from './opened.ts';

const WEBHOOKS = 'Webhook retries use exponential backoff because the payment provider drops calls under load';
const ASKED = 'why do webhook retries back off?';

const ids = (recalled: { readonly injected: readonly { readonly id: string }[] }): string[] => recalled.injected.map(({ id }) => id);
const idOf = (written: { readonly record: { readonly category: string; readonly id: string } }): string => `${written.record.category}/${written.record.id}`;

describe('recall', () => {
  test('gives a prompt the record it is about, with score, reasons and a fenced text', async () => {
    const { keep, ask } = await context();
    const id = idOf(await keep('decision', WEBHOOKS));
    await keep('constraint', 'Invoices are rounded half up per line');
    const recalled = await ask(ASKED);
    expect(ids(recalled)).toEqual([id]);
    expect(recalled.injected[0]?.score).toBeGreaterThan(1.9);
    expect(recalled.injected[0]?.reasons.join('\n')).toMatch(/webhook.*\n.*covers \d+ % of the prompt \(\+/s);
    expect(recalled.text).toMatch(/^<holdfast-memory for="prompt">\n.*\n- d\w{3,7} \(decision, 2026-03-01, confirmed\): Webhook/);
    expect(recalled.text.endsWith('</holdfast-memory>')).toBe(true);
    expect(recalled.tokens).toBeGreaterThan(20);
  });

  test.each(['thanks!', '/clear', 'how do I bake sourdough bread?', 'add a login page', '<task-notification>webhook retries</task-notification>'])(
    'says nothing to %j',
    async (prompt) => {
      const { keep, ask } = await context();
      await keep('decision', WEBHOOKS);
      expect(await ask(prompt)).toMatchObject({ injected: [], tokens: 0, text: '' });
    },
  );

  test('an empty memory says nothing, and leaves no trace', async () => {
    const { ask, home } = await context();
    expect(await ask(ASKED, 's1')).toMatchObject({ injected: [], text: '', silence: 'nothing stored is about this' });
    expect(fs.existsSync(home)).toBe(false);
  });

  test('shows at most retrieval.max_inject records, the strongest', async () => {
    const { keep, ask } = await context({ config: { retrieval: { max_inject: 2 } } });
    for (const end of ['an hour', 'a day', 'a week', 'a month']) await keep('constraint', `Webhook retries back off for ${end} at most`);
    const best = idOf(await keep('decision', 'Webhook retries back off because of the provider'));
    const recalled = await ask('why do webhook retries back off with this provider?');
    expect(recalled.injected).toHaveLength(2);
    expect(ids(recalled)[0]).toBe(best);
  });

  test('max_inject 0 shows none', async () => {
    const { keep, ask } = await context({ config: { retrieval: { max_inject: 0 } } });
    await keep('decision', WEBHOOKS);
    expect(await ask(ASKED)).toMatchObject({ injected: [], silence: 'retrieval.max_inject is 0' });
  });

  test('stays within inject.promptTokens, and injects what the text holds', async () => {
    const { keep, ask } = await context({ config: { inject: { promptTokens: 220 } } });
    for (let n = 0; n < 5; n++) await keep('decision', `Webhook retries number ${n} back off. ${'The provider is slow and drops calls. '.repeat(8)}`);
    const recalled = await ask(ASKED);
    expect(recalled.tokens).toBeLessThanOrEqual(220);
    expect(recalled.injected.length).toBeGreaterThan(0);
    expect(recalled.injected.length).toBeLessThan(5);
    for (const id of ids(recalled)) expect(recalled.text).toContain(`- ${shortIdOfName(id)?.slice(0, 4) ?? ''}`);
  });

  test("shows the category's description from the settings", async () => {
    const { keep, ask } = await context({ config: { categories: { decision: { description: 'What the shop team settled on' } } } });
    await keep('decision', WEBHOOKS);
    expect((await ask(ASKED)).text).toContain('decision: What the shop team settled on.');
  });

  test('finds what the user keeps for every project', async () => {
    const { ask } = await context({ user: ['Commit messages are written in the imperative mood'] });
    const recalled = await ask('write the commit messages in imperative mood?');
    expect(recalled.text).toContain('yours, confirmed): Commit messages are written in the imperative mood');
  });
});

describe('what is never shown', () => {
  test('a quarantined record, until it is confirmed', async () => {
    const { keep, ask, memory } = await context();
    const { place } = await keep('decision', WEBHOOKS, { trust: 'quarantined' });
    expect((await ask(ASKED)).injected).toEqual([]);
    must(await moveRecord(memory, 'confirm', place, { actor: 'command' }));
    expect((await ask(ASKED)).injected).toHaveLength(1);
  });

  test('quarantined records, however many, do not crowd out the one that may be shown; nor does one take the place of another', async () => {
    const { keep, ask } = await context();
    for (let n = 0; n < 30; n++) await keep('constraint', `Webhook retries back off, says page ${n}`, { trust: 'quarantined' });
    const good = await keep('decision', `${WEBHOOKS}. ${'More is said about other things here. '.repeat(10)}`);
    expect(ids(await ask(ASKED))).toEqual([idOf(good)]);
    fs.writeFileSync(
      good.file,
      fs.readFileSync(good.file, 'utf8').replace('---\n\n#', 'superseded_by: constraint/webhook-retries-back-off-says-page-1\n---\n\n#'),
    );
    expect((await ask(ASKED)).injected).toEqual([]);
  });

  test('a retired record', async () => {
    const { keep, ask, memory } = await context();
    const { place } = await keep('decision', WEBHOOKS);
    must(await moveRecord(memory, 'retire', place, { actor: 'command' }));
    expect((await ask(ASKED)).injected).toEqual([]);
  });

  test('what the session was shown already, until it changes or the context is compacted', async () => {
    const { keep, ask, brief, at, memory } = await context();
    const written = await keep('decision', WEBHOOKS);
    expect(ids(await ask(ASKED, 's1'))).toEqual([idOf(written)]);
    expect(await ask(ASKED, 's1')).toMatchObject({ injected: [], silence: 'this session already has it, or it may not be shown' });
    expect((await ask(ASKED, 's2')).injected).toHaveLength(1);
    at('2026-03-02T12:00:00Z');
    must(await moveRecord(memory, 'archive', written.place, { actor: 'command' }));
    must(await moveRecord(memory, 'unarchive', written.place, { actor: 'command' }));
    expect((await ask(ASKED, 's1')).injected).toEqual([]);
    const { record } = must(await currentRecord(memory, written.place));
    const changes = [...(record.changes ?? []), { date: '2026-03-02T12:00:00Z', summary: 'said again' }];
    must(await updateRecord(memory, { place: written.place, draft: { ...record, changes }, actor: 'command' }));
    expect((await ask(ASKED, 's1')).injected).toHaveLength(1);
    expect((await ask(ASKED, 's1')).injected).toEqual([]);
    const { text } = await brief('compact', 's1');
    expect(text).toContain(WEBHOOKS);
    expect((await ask(ASKED, 's1')).injected).toEqual([]);
  });

  test('what the session wrote itself, in Markdown, in JSON and in a file edited by hand', async () => {
    const { keep, ask, root } = await context();
    const { file } = await keep('decision', WEBHOOKS, { origin: { channel: 'agent', session_id: 's1' } });
    expect((await ask(ASKED, 's1')).injected).toEqual([]);
    expect((await ask(ASKED, 's2')).injected).toHaveLength(1);
    const edited = fs
      .readFileSync(file, 'utf8')
      .replace('tags: [', '# a remark\nnickname: {a: [b]}\ntags: [')
      .replace('\nchanges:', '\nmood: >\n  folded\n\n  text\nchanges:');
    fs.writeFileSync(file, edited);
    expect((await ask(ASKED, 's1')).injected).toEqual([]);
    const json = await context({ config: { storage: { format: 'json' } } });
    await json.keep('decision', WEBHOOKS, { origin: { channel: 'agent', session_id: 's1' } });
    expect(fs.readdirSync(path.join(json.root, 'decisions'))[0]).toMatch(/\.json$/);
    expect((await json.ask(ASKED, 's1')).injected).toEqual([]);
    expect((await json.ask(ASKED, 's2')).text).toContain('exponential backoff');
    expect(root).not.toBe(json.root);
  });

  test('more than inject.sessionTokens in one session', async () => {
    const { keep, ask } = await context({ config: { inject: { sessionTokens: 300 } } });
    await keep('decision', WEBHOOKS);
    await keep('decision', 'Invoices are numbered by the warehouse because the auditor wants gaps explained');
    const first = await ask(ASKED, 's1');
    expect(first.injected).toHaveLength(1);
    const second = await ask('why are invoices numbered by the warehouse?', 's1');
    expect(first.tokens + second.tokens).toBeLessThanOrEqual(300);
    expect((await ask('why are invoices numbered by the warehouse?', 's2')).injected).toHaveLength(1);
  });
});

describe('a record that is not what it was', () => {
  test('carries a warning when a file it is about has changed', async () => {
    const { keep, ask, project, write } = await context();
    write(path.join(project, 'src/hooks.ts'), 'one');
    await keep('decision', WEBHOOKS, { related_files: ['src/hooks.ts'] });
    expect((await ask(ASKED)).text).not.toContain('may be outdated');
    write(path.join(project, 'src/hooks.ts'), 'two');
    expect((await ask(ASKED)).text).toContain('[may be outdated: src/hooks.ts changed since]');
    fs.rmSync(path.join(project, 'src/hooks.ts'));
    expect((await ask(ASKED)).text).toContain('[may be outdated: src/hooks.ts changed since]');
    write(path.join(project, 'src/hooks.ts'), 'one');
    expect((await ask(ASKED)).text).not.toContain('may be outdated');
  });

  test('gives way to its successor, however long the chain', async () => {
    const { keep, ask } = await context();
    const last = await keep('decision', 'Calls to the provider are queued in the database');
    const middle = await keep('decision', 'Calls to the provider are repeated by a worker');
    const first = await keep('decision', WEBHOOKS);
    const mark = (file: string, by: string): void =>
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('---\n\n#', `superseded_by: ${by}\n---\n\n#`));
    mark(first.file, middle.record.id);
    mark(middle.file, last.record.id);
    const recalled = await ask(ASKED);
    expect(ids(recalled)).toEqual([idOf(last)]);
    expect(recalled.text).toContain(`[replaces ${shortIdOfName(idOf(first))?.slice(0, 4)}]`);
    mark(last.file, first.record.id);
    expect((await ask(ASKED)).injected).toEqual([]);
  });

  test('is left out beside the record that says it replaces it', async () => {
    const { keep, ask } = await context();
    const old = await keep('decision', 'Webhook retries back off linearly');
    const now = await keep('decision', WEBHOOKS, { supersedes: [old.record.id] });
    const recalled = await ask('how do webhook retries back off?');
    expect(ids(recalled)).toEqual([idOf(now)]);
    expect(recalled.text).toContain(`[replaces ${old.record.id}]`);
  });
});

describe('middling evidence', () => {
  const MIDDLING = 'the webhook of the warehouse robot on the north side of the harbour';

  test('names the title in one short fenced line, once a session, and does not keep the record from being shown later', async () => {
    const { keep, ask } = await context();
    const id = idOf(await keep('decision', WEBHOOKS));
    const named = await ask(MIDDLING, 's1');
    expect(named.injected).toMatchObject([{ id, named: true }]);
    expect(named.text).toMatch(/^<holdfast-memory>Related\? d\w{3,7} Webhook [^\n]*<\/holdfast-memory>$/);
    expect(named.tokens).toBeLessThanOrEqual(56);
    expect((await ask(MIDDLING, 's1')).injected).toEqual([]);
    const shown = await ask(ASKED, 's1');
    expect(shown.injected.map((item) => [item.id, item.named])).toEqual([[id, undefined]]);
    expect((await ask(ASKED, 's1')).injected).toEqual([]);
  });

  test('tells the deciding sentence of a record whose title a rare word carries, once a session, and logs what it said', async () => {
    const { keep, ask, recallContext } = await context();
    const id = idOf(await keep('decision', 'REST with sparse fields is enough for both clients', { title: 'GraphQL was dropped' }));
    const told = await ask("let's expose this through graphql", 's1');
    expect(told.text).toMatch(
      /^<holdfast-memory>Related\? d\w{3,7} GraphQL was dropped: REST with sparse fields is enough for both clients<\/holdfast-memory>$/,
    );
    expect(told.injected.map((item) => [item.id, item.named])).toEqual([[id, undefined]]);
    expect((await ask('is graphql still dropped?', 's1')).injected).toEqual([]);
    expect(JSON.stringify(recallContext.log.injections(undefined, 5))).toContain('REST with sparse fields');
  });

  test('names two at most', async () => {
    const { keep, ask } = await context();
    for (const what of ['secrets rotate', 'payloads are signed', 'queues drain at night']) await keep('decision', `Webhook ${what}`);
    expect((await ask(MIDDLING)).injected.length).toBe(2);
  });
});
