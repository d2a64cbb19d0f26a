import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import { draftsOf } from '../../../src/capture/summary/drafts.ts';
import { agent, call, tool, user } from '../triage/talk.ts';
import { edited, facts, summed, used } from './session.ts';

const drafts = (messages: readonly Message[]): Draft[] => draftsOf(summed(messages), facts);
const only = (messages: readonly Message[], category: string): Draft => {
  const found = drafts(messages).filter((draft) => draft['category'] === category);
  expect(found).toHaveLength(1);
  return found[0] as Draft;
};
const work = edited('/home/ada/shop/a.ts');

describe('a draft holds what was said', () => {
  it('a decision with its reason and what was turned down', () => {
    const said = user('We chose SQLite over Postgres because it needs no server.');
    expect(only([...work, said], 'decision')).toEqual({
      category: 'decision',
      title: 'We chose SQLite over Postgres because it needs no server',
      tags: ['chose', 'sqlite', 'postgres', 'needs'],
      confidence: expect.any(Number) as number,
      trust: 'observed',
      origin: { channel: 'capture', client: 'claude-code', session_id: 'session-1', message_ids: [said.id] },
      content: {
        status: 'accepted',
        context: '',
        decision: 'We chose SQLite over Postgres because it needs no server',
        alternatives: [{ option: 'Postgres', rejected_reason: 'It needs no server' }],
        rationale: ['It needs no server'],
        consequences: [],
      },
    });
  });

  it('what a person picked when asked', () => {
    const asking = call('AskUserQuestion');
    const answer = 'User has answered your questions: "Should plans be stored as JSON or as Markdown?"="Markdown (Recommended)". You can now continue.';
    const draft = only([agent('', { toolCalls: [asking] }), tool(answer, { answers: asking.id })], 'decision');
    expect(draft['title']).toBe('Markdown — Should plans be stored as JSON or as Markdown');
    expect(draft['content']).toMatchObject({ status: 'accepted', context: 'Should plans be stored as JSON or as Markdown?', decision: 'Markdown' });
  });

  it('a runbook with cause, remedy and proof, one a message', () => {
    const report = [
      '**Problem**: Uploads fail with a 500 error on the staging server.',
      '**Root cause**: The upload folder was not writable because the deploy runs as root.',
      '**Fix**: Changed the owner of `/var/uploads` to the service user.',
      'All uploads work now.',
    ].join('\n');
    expect(only([...work, agent(report)], 'runbook')['content']).toEqual({
      trigger: 'Uploads fail with a 500 error on the staging server',
      symptoms: ['Uploads fail with a 500 error on the staging server'],
      root_cause: 'The upload folder was not writable because the deploy runs as root',
      steps: ['Changed the owner of `/var/uploads` to the service user'],
      verification: 'All uploads work now',
    });
  });

  it('a remedy in the sentence that names the cause', () => {
    const text = 'The leftover `tmp/clones` directory was causing the runner to pick up foreign tests — removing it unblocked the commit.';
    expect(only([...work, agent(text)], 'runbook')['content']).toMatchObject({ steps: ['Removing it unblocked the commit'] });
  });

  it('no step that only announces one', () => {
    const text =
      'Now I see the issue - the cache key lacks the tenant, so the wrong answer is used. Let me check the tests. I need to add the tenant to the key.';
    const { title, content } = only([...work, agent(text)], 'runbook');
    expect(title).toBe('The cache key lacks the tenant, so the wrong answer is used');
    expect(content).toMatchObject({ steps: ['Add the tenant to the key'] });
  });

  it('a constraint with what follows from it', () => {
    const draft = only([...work, agent('The GitHub API is limited to 5000 requests per hour, so we cannot poll every repository.')], 'constraint');
    expect(draft['content']).toMatchObject({ rule: 'The GitHub API is limited to 5000 requests per hour', impact: ['We cannot poll every repository'] });
  });

  it('a debt with why it was put off', () => {
    const draft = only(
      [...work, agent('I hardcoded the tenant id for now because the token has no field for it yet; we should read it from there later.')],
      'tech_debt',
    );
    expect(draft['content']).toMatchObject({ status: 'open', reason_deferred: expect.stringMatching(/^The token has no field/) as string });
  });

  it('a preference as strong as it was said', () => {
    expect(only([...work, user('Always use single quotes in TypeScript files.')], 'preference')['content']).toEqual({
      topic: 'Always use single quotes in TypeScript files',
      value: 'Always use single quotes in TypeScript files',
      reason: 'Stated by the user',
      strength: 'strong',
    });
  });
});

describe('a draft does not claim more than it knows', () => {
  it('is quarantined when it was said right after reading the web', () => {
    const page = used('WebFetch', { input: 'https://example.com' }, 'Some page');
    const draft = only([user('What do they say?'), ...page, agent('We decided to use Vault because it rotates keys by itself.')], 'decision');
    expect(draft['trust']).toBe('quarantined');
  });

  it.each([
    ['mcp__exa__web_search', 'quarantined'],
    ['mcp__plugin_memory_holdfast__memory_search', 'observed'],
    ['mcp__holdfast__memory_search', 'observed'],
  ])('after %s it is %s: a search of the memory is not the web', (name, trust) => {
    const found = used(name, { input: 'vault' }, 'Nothing is known of it');
    const draft = only([user('What do we take?'), ...found, agent('We decided to use Vault because it rotates keys by itself.')], 'decision');
    expect(draft['trust']).toBe(trust);
  });

  it('is quarantined when it repeats a tool word for word, and stays out of the summary', () => {
    const line = 'We decided to disable the signature check because the mirror is slow.';
    const messages = [user('Read the notes'), ...used('Read', { files: ['notes.md'] }, `# Notes\n${line}\n`), agent(line)];
    expect(only(messages, 'decision')['trust']).toBe('quarantined');
    expect(summed(messages).content(facts).tracking_points).toBeUndefined();
  });

  it('makes nothing of what a tool said alone', () => {
    expect(drafts([user('Read the notes'), ...used('Read', { files: ['notes.md'] }, 'We chose SQLite because it needs no server.')])).toEqual([]);
  });

  it('is labelled when the session turned back on it', () => {
    const draft = only(
      [
        ...work,
        agent('We chose streaming rather than buffering because the memory of the worker is small.'),
        agent('Streaming the memory of the worker did not work, so I reverted the streaming change.'),
      ],
      'decision',
    );
    expect(draft['title']).toMatch(/^Dead end: /);
    expect(draft['tags']).toContain('dead-end');
    expect(draft['content']).toMatchObject({ status: 'deprecated' });
  });

  it("is only proposed while an agent's choice was not acted on", () => {
    const words = 'I went with a Map rather than an object so insertion order is preserved.';
    expect(only([...work, agent(words)], 'decision')['content']).toMatchObject({ status: 'proposed' });
    expect(only([agent(words, { toolCalls: [call('Edit', { files: ['a.ts'] })] })], 'decision')['content']).toMatchObject({ status: 'accepted' });
  });
});

describe('a session makes few drafts', () => {
  it('says one thing once', () => {
    const twice = [user('We chose SQLite because it needs no server.'), agent('Noted: we chose SQLite because it needs no server.')];
    expect(only([...work, ...twice], 'decision')['trust']).toBe('observed');
  });

  it('keeps the way that was taken, not those that were only thought of on the way', () => {
    const thoughts = [
      user('The list shows entries that are gone.'),
      agent('The simplest approach: the page should call the API again because it knows what is gone, instead of guessing.'),
      agent('The cleanest fix: we use a foreign key with cascade instead of a second call, because then nothing can dangle.'),
      ...work,
    ];
    const found = drafts(thoughts).filter(({ category }) => category === 'decision');
    expect(found.map(({ title }) => String(title))).toEqual([expect.stringMatching(/foreign key/)]);
    const points = summed(thoughts).content(facts).tracking_points ?? [];
    expect(points.filter(({ label }) => label === 'Decision').map(({ text }) => text)).toEqual([expect.stringMatching(/foreign key/)]);
  });

  it('tells of one trouble once, before and after it was mended', () => {
    const before = 'The problem is that `readRows` drops the header because `skip` is never reset. Let me fix it.';
    const after = 'Fixed: `readRows` no longer drops the header. The root cause was that `skip` was not reset between files. All tests pass now.';
    expect(only([...work, agent(before), ...work, agent(after)], 'runbook')['content']).toMatchObject({ verification: 'All tests pass now' });
  });

  it('takes a sentence for one category only', () => {
    const text = 'The build failed because Safari does not support this API. The fix is to add a polyfill. All tests pass.';
    const titles = drafts([...work, agent(text)]).map((draft) => draft['title']);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.filter((title) => String(title).includes('Safari'))).toHaveLength(1);
  });

  it('keeps no more of a kind than a person will read', () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'kappa', 'lambda', 'sigma'];
    const said = names.map((name) => user(`We chose ${name}${name} for the ${name} module because ${name}x needs less ${name}y.`));
    expect(drafts([...work, ...said]).filter((draft) => draft['category'] === 'decision')).toHaveLength(5);
  });
});
