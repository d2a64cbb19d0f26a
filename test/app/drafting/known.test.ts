import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { currentRecord } from '../../../src/app/write/current.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { agent, call, user } from '../../capture/triage/talk.ts';
import { must, openMemory, save } from '../memory.ts';
import { CHOICE, DECISION, only, PASS, records, scripted } from './scripted.ts';

describe('what is known already', () => {
  it('is shown to the drafter and brought up to date: lists grow, tags join, single words are replaced, the change is noted', async () => {
    const opened = openMemory();
    must(
      await save(
        opened.memory,
        'decision',
        {
          title: 'We chose SQLite, no server',
          tags: ['sqlite'],
          content: { status: 'proposed', context: 'One laptop', decision: 'Use SQLite', rationale: ['no server'] },
        },
        { actor: 'capture' },
      ),
    );
    const update = {
      action: 'update',
      justification: 'it was accepted',
      record: { tags: ['storage'], content: { status: 'accepted', rationale: ['it is fast'] } },
    };
    const { run, asked } = await scripted(opened, ({ step }) => (step === 'draft' ? { say: update } : PASS));
    expect(await run([CHOICE])).toMatchObject([{ status: 'saved', action: 'UPDATE' }]);
    expect(asked[0]?.prompt).toContain('<existing_record>');
    expect(asked[0]?.prompt).toContain('We chose SQLite, no server');
    const record = await only(opened);
    expect(record).toMatchObject({
      title: 'We chose SQLite, no server',
      tags: ['sqlite', 'storage'],
      times_updated: 1,
      content: { status: 'accepted', context: 'One laptop', decision: 'Use SQLite', rationale: ['no server', 'it is fast'] },
    });
    expect(record.changes?.map(({ summary }) => summary)).toContain('it was accepted');
  });

  it('is not asked about where the check says no', async () => {
    const opened = openMemory({ categories: { decision: { enabled: false } } });
    const { run, asked } = await scripted(opened, ({ step }) => (step === 'draft' ? { say: DECISION } : PASS));
    expect(await run([CHOICE])).toMatchObject([{ status: 'nothing', justification: 'the category decision is disabled' }]);
    expect(asked).toEqual([]);
  });

  it('and changed while it was drafted is not overwritten', async () => {
    const opened = openMemory();
    const { file } = must(await save(opened.memory, 'decision', { title: 'SQLite needs no server', tags: ['sqlite'] }));
    const { run } = await scripted(opened, ({ step }) => {
      if (step === 'verify') fs.appendFileSync(file, '\n');
      return step === 'draft' ? { say: { ...DECISION, action: 'update' } } : PASS;
    });
    expect(await run([CHOICE])).toMatchObject([{ status: 'failed', action: 'UPDATE', error: { code: 'OCC_CONFLICT' } }]);
  });

  it('and said again is nothing new', async () => {
    const opened = openMemory();
    must(await save(opened.memory, 'decision', { title: 'SQLite needs no server', tags: ['sqlite'] }));
    const { run, asked } = await scripted(opened, () => ({
      say: { action: 'update', justification: 'again', record: { content: { rationale: ['no server'] } } },
    }));
    expect(await run([CHOICE])).toMatchObject([{ status: 'nothing', justification: 'the record says so already' }]);
    expect(asked).toHaveLength(1);
  });

  it('is retired when it no longer holds, where a drafter may do that', async () => {
    const limit = agent('The GitHub API is limited to 5000 requests per hour, so we cannot poll every repository.');
    const opened = openMemory();
    must(await save(opened.memory, 'constraint', { title: 'GitHub API limited', tags: ['github'] }, { actor: 'capture' }));
    const { run } = await scripted(opened, ({ step }) => (step === 'draft' ? { say: { action: 'delete', reason: 'the limit was lifted' } } : PASS));
    expect(await run([limit])).toMatchObject([{ status: 'saved', action: 'DELETE', justification: 'the limit was lifted' }]);
    expect(records(opened)).toMatchObject([{ status: 'retired' }]);
    expect(await only(opened)).toMatchObject({ retired_reason: 'the limit was lifted' });
  });

  it.each(['command', 'agent', 'shell', 'import'])(
    'and written by %s keeps its words: a drafter adds to its lists, marked, and retires nothing',
    async (actor) => {
      const opened = openMemory();
      const title = 'We chose SQLite, no server';
      const content = { status: 'proposed', context: 'One laptop', decision: 'Use SQLite', rationale: ['no server'] };
      must(await save(opened.memory, 'decision', { title, tags: ['sqlite'], content, trust: 'observed' }, { actor }));
      const update = {
        action: 'update',
        record: { title: 'Another title', content: { status: 'accepted', decision: 'Use Postgres', rationale: ['it is fast'] } },
      };
      const drafted = await scripted(opened, ({ step }) => (step === 'draft' ? { say: update } : PASS));
      await drafted.run([CHOICE]);
      await drafted.run([CHOICE]);
      expect(await only(opened)).toMatchObject({
        title,
        content: { ...content, rationale: ['no server', 'it is fast (added automatically)'] },
        changes: [{ summary: 'Initial creation' }, { summary: 'Added automatically: rationale' }],
      });
    },
  );

  it('and confirmed by a person is not touched at all', async () => {
    const opened = openMemory();
    const { place, hash } = must(await save(opened.memory, 'decision', { title: 'We chose SQLite, no server', tags: ['sqlite'] }, { actor: 'capture' }));
    const confirmed = must(await moveRecord(opened.memory, 'confirm', place, { actor: 'command' }));
    const update = { action: 'update', record: { content: { rationale: ['it is fast'] } } };
    const { run } = await scripted(opened, ({ step }) => (step === 'draft' ? { say: update } : PASS));
    expect(await run([CHOICE])).toMatchObject([{ status: 'nothing' }]);
    expect(hash).not.toBe(confirmed.hash);
    expect(must(await currentRecord(opened.memory, place)).file.hash).toBe(confirmed.hash);
  });

  it('and edited by hand is not retired by a drafter', async () => {
    const opened = openMemory();
    const { file } = must(await save(opened.memory, 'constraint', { title: 'GitHub API limited', tags: ['github'] }, { actor: 'capture' }));
    fs.appendFileSync(file, '\nSee the contract.\n');
    const limit = agent('The GitHub API is limited to 5000 requests per hour, so we cannot poll every repository.');
    const { run } = await scripted(opened, ({ step }) => (step === 'draft' ? { say: { action: 'delete', reason: 'the limit was lifted' } } : PASS));
    expect(await run([limit])).toMatchObject([{ status: 'nothing', justification: 'the user wrote it, and only the user retires it' }]);
    expect(records(opened)).toMatchObject([{ status: 'active' }]);
  });

  it('is not deleted by a drafter where only a person may do that', async () => {
    const opened = openMemory();
    must(await save(opened.memory, 'decision', { title: 'SQLite needs no server', tags: ['sqlite'] }));
    const { run } = await scripted(opened, () => ({ say: { action: 'delete', reason: 'reversed' } }));
    expect(await run([CHOICE])).toMatchObject([{ status: 'nothing', justification: 'a decision is not deleted by a drafter' }]);
    expect(records(opened)).toMatchObject([{ status: 'active' }]);
  });

  it('of a session is its own summary: one session, one record', async () => {
    const work = [
      user('Please mend the login page.'),
      ...['Edit', 'Write', 'Bash', 'Read'].map((name) => agent('Working on it.', { toolCalls: [call(name, { command: 'npm test' })] })),
      user('And the logout page.'),
      agent('Both are mended.', { toolCalls: [call('Edit', { files: ['src/login.ts'] }), call('Edit'), call('Bash', { command: 'npm test' })] }),
    ];
    const opened = openMemory();
    const summary = (completed: string, next: string) => ({
      say: {
        action: 'update',
        justification: 'the session went on',
        record: { title: 'Login', tags: ['login'], content: { goal: 'mend login', outcome: 'partial', completed: [completed], next_actions: [next] } },
      },
    });
    let round = 1;
    const { run } = await scripted(opened, ({ step }) => (step === 'draft' ? summary(`step ${round}`, `after ${round}`) : PASS));
    expect(await run(work)).toMatchObject([{ category: 'session_summary', status: 'saved', action: 'CREATE' }]);
    round = 2;
    expect(await run(work)).toMatchObject([{ status: 'saved', action: 'UPDATE' }]);
    expect(await only(opened)).toMatchObject({ content: { completed: ['step 1', 'step 2'], next_actions: ['after 2'] } });
    expect(await run(work, { session: { sessionId: 'session-2' } })).toMatchObject([{ status: 'saved', action: 'CREATE' }]);
    expect(records(opened)).toHaveLength(2);
  });
});
