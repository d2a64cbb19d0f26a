import { describe, expect, it } from 'vitest';
import { agent, tool, user } from '../triage/talk.ts';
import { edited, used } from '../summary/session.ts';
import { asked, drafts, only, OPTIONS, PLANS } from './drafted.ts';

const work = edited('/home/ada/shop/a.ts');

describe('a rule that the user typed', () => {
  it('becomes a preference, with no invented reason', () => {
    const said = user('Always use single quotes in TypeScript files.');
    expect(only([user('Make the importer skip the empty rows of a sheet'), ...work, said], 'preference')).toEqual({
      category: 'preference',
      title: 'Always use single quotes in TypeScript files',
      tags: ['single', 'quotes', 'typescript'],
      confidence: 0.8,
      trust: 'observed',
      origin: { channel: 'capture', client: 'claude-code', session_id: 'session-1', message_ids: [said.id] },
      content: {
        topic: 'Always use single quotes in TypeScript files',
        value: 'Always use single quotes in TypeScript files',
        reason: 'Not recorded',
        strength: 'strong',
      },
    });
  });

  it('becomes a constraint where it rules something out for good', () => {
    expect(only([user('Invoice numbers must never be reused after a refund.')], 'constraint')['content']).toMatchObject({
      kind: 'policy',
      rule: 'Invoice numbers must never be reused after a refund',
    });
  });

  it('becomes a decision where it tells what was chosen, with its reason and what was turned down', () => {
    expect(only([...work, user('We chose SQLite over Postgres because it needs no server.')], 'decision')['content']).toEqual({
      status: 'accepted',
      context: '',
      decision: 'We chose SQLite over Postgres because it needs no server',
      alternatives: [{ option: 'Postgres', rejected_reason: 'It needs no server' }],
      rationale: ['It needs no server'],
      consequences: [],
    });
  });

  it('keeps what is code in it, though it looks like a mark of Markdown', () => {
    const said = 'Disk stays decimal: a gigabyte is **exactly** 1000**3 bytes, as `__all__` has it.';
    expect(only([...work, user(said)], 'decision')['content']).toMatchObject({
      decision: 'Disk stays decimal: a gigabyte is exactly 1000**3 bytes, as `__all__` has it',
    });
  });

  it('takes along what to do instead', () => {
    const said = user("you're in a vm so you do not have access to docker. you can use the services of the host at 10.0.0.5 for it.");
    expect(only([said], 'constraint')['content']).toMatchObject({ rule: expect.stringContaining('10.0.0.5') as string });
  });

  it('counts where it was typed in place of an option', () => {
    const messages = asked(PLANS, 'we never store plans in the database of a customer', OPTIONS);
    expect(drafts(messages)).toMatchObject([{ category: 'preference', trust: 'observed' }]);
  });

  it.each([
    ['pasted', 'look at this review:\n1. High: callers must never hold the lock while they wait for the pool.'],
    ['asked', 'should we always use single quotes in TypeScript files?'],
    ['about the moment', 'do not bump the version of the schema yet'],
    ['pointing', 'this should never be shown to the guests of a shop'],
    ['a request', 'add a checkbox to the form that is on by default'],
    ['leaning on the sentence before', 'The currency stays visible though, the tills print it on every receipt.'],
    ['about two things that it does not name', 'The casing of a code must never matter for either kind, the till prints both.'],
    ['without the thing it is about', 'Never lowercase — the till treats the casing of a code as significant.'],
  ])('is not kept where it is %s', (_, text) => {
    expect(drafts([...work, user(text)])).toEqual([]);
  });
});

describe('talk about other things than the work', () => {
  it.each([
    'Never give up on what you love, my friend, your family is with you.',
    "I don't want my kids to go through that, so I think schools should get more money.",
    'We usually watch movies with the family and have game nights at my place.',
    'From now on I will write down our favorite memories of the holidays.',
  ])('makes no record: %s', (said) => {
    expect(drafts([user('How was your weekend with the kids?'), agent('Lovely, we went to the beach with my family.'), user(said)])).toEqual([]);
  });

  it('but a rule of the work does, also before any work was done', () => {
    expect(drafts([user('From now on always use pnpm instead of npm in the shop.')])).toHaveLength(1);
  });
});

describe('a limit that was met', () => {
  const LIMIT = 'GoReleaser only supports `token` for the brews repository.';

  it('is kept with its named subject and what follows from it', () => {
    expect(only([agent('The GitHub API is limited to 5000 requests per hour, so we cannot poll every repository.')], 'constraint')['content']).toMatchObject({
      kind: 'limitation',
      rule: 'The GitHub API is limited to 5000 requests per hour',
      impact: ['We cannot poll every repository'],
    });
    expect(only([agent(LIMIT)], 'constraint')['content']).toMatchObject({ rule: 'GoReleaser only supports `token` for the brews repository' });
  });

  it.each([
    ['a guess', 'GoReleaser probably only supports `token` for the brews repository.'],
    ['a condition', 'If GoReleaser only supports `token` here, the release has to be changed.'],
    ['the project’s own code', 'The handler only accepts `POST` for the upload of a file.'],
    ['an option', '**Option A**: GoReleaser only supports `token` for the brews repository.'],
    ['a step of the moment', 'Now GoReleaser only supports `token` for the brews repository, let me change it.'],
  ])('is not kept where it is %s', (_, text) => {
    expect(drafts([...work, agent(text)])).toEqual([]);
  });

  it('is not kept when the agent corrects it later', () => {
    expect(drafts([agent(LIMIT), agent('I was wrong: GoReleaser supports an app key for the brews repository too, not only a token.')])).toEqual([]);
  });

  it('is quarantined when it was said right after reading the web, or repeats a tool word for word', () => {
    const page = used('WebFetch', { input: 'https://example.com' }, 'Some page');
    expect(only([user('What do they say?'), ...page, agent(LIMIT)], 'constraint')['trust']).toBe('quarantined');
    const read = used('Read', { files: ['notes.md'] }, `# Notes\n${LIMIT}\n`);
    expect(only([user('Read the notes'), ...read, agent(LIMIT)], 'constraint')['trust']).toBe('quarantined');
  });

  it.each([
    ['mcp__exa__web_search', 'quarantined'],
    ['mcp__plugin_memory_holdfast__memory_search', 'observed'],
    ['mcp__holdfast__memory_search', 'observed'],
  ])('after %s it is %s: a search of the memory is not the web', (name, trust) => {
    const found = used(name, { input: 'release' }, 'Nothing is known of it');
    expect(only([user('What do we take?'), ...found, agent(LIMIT)], 'constraint')['trust']).toBe(trust);
  });
});

describe('nothing is kept that the session took back', () => {
  const rule = user('We chose SQLite over Postgres because it needs no server.');

  it.each(['no, that is not what I meant', 'ok, change of plan: Postgres after all', 'wait, scratch that', 'Actually the team wants Postgres now'])(
    'because the next prompt says "%s"',
    (objection) => {
      expect(drafts([...work, rule, agent('Noted.'), user(objection)])).toEqual([]);
    },
  );

  it('and stays where the next prompt goes on', () => {
    expect(drafts([...work, rule, agent('Noted.'), user('great, now write the migration for it')])).toHaveLength(1);
  });

  it('choices and limits are dropped with the work that the user reverted, rules are not', () => {
    const before = [
      user('Never call the payment provider from a test.'),
      agent('Understood.'),
      user('Make the plans of an import readable'),
      ...asked(PLANS, 'Markdown', OPTIONS),
      agent('GoReleaser only supports `token` for the brews repository.'),
    ];
    const after = [...before, user("I've reverted your changes - focus only on the second part")];
    expect(drafts(before).map(({ category }) => category)).toEqual(['preference', 'decision', 'constraint']);
    expect(drafts(after).map(({ category }) => category)).toEqual(['preference']);
  });

  it('the last word stands where the same is said twice', () => {
    const said = ['Always name a branch after the ticket it belongs to.', 'Always name a branch after the ticket it belongs to, in lower case.'];
    const found = drafts([user(said[0] as string), agent('Done.'), user(said[1] as string)]);
    expect(found.map(({ title }) => title)).toEqual(['Always name a branch after the ticket it belongs to, in lower case']);
  });
});

describe('everything else stays conversation', () => {
  it.each([
    ['a decision of the agent', agent('We decided to use Vault because it rotates keys by itself.')],
    ['a cure', agent('**Root cause**: The folder was not writable.\n**Fix**: Changed the owner of `/var/uploads`.\nAll uploads work now.')],
    ['a debt', agent('I hardcoded the tenant id for now because the token has no field for it yet.')],
    ['what a tool said alone', tool('We chose SQLite because it needs no server.')],
    ['a plan handed over', user('Implement the following plan:\n\n# Plan\n\nNever call the old endpoint of the shop.')],
  ])('%s', (_, message) => {
    expect(drafts([user('Look at the uploads of the shop'), ...work, message])).toEqual([]);
  });

  it('keeps no more of a kind than a person will read', () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'kappa', 'lambda', 'sigma'];
    const said = names.map((name) => user(`We chose ${name}${name} for the ${name} module because ${name}x needs less ${name}y.`));
    expect(drafts([...work, ...said])).toHaveLength(4);
  });
});
