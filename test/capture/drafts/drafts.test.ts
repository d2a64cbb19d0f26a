import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import { draftsOf } from '../../../src/capture/drafts/drafts.ts';
import { agent, call, tool, user } from '../triage/talk.ts';
import { edited, facts, summed, used } from '../summary/session.ts';

const drafts = (messages: readonly Message[]): Draft[] => draftsOf(summed(messages), facts);
const only = (messages: readonly Message[], category: string): Draft => {
  const found = drafts(messages).filter((draft) => draft['category'] === category);
  expect(found).toHaveLength(1);
  return found[0] as Draft;
};
const work = edited('/home/ada/shop/a.ts');

/** A question of the agent's with two options, as the client writes it down, and what the user answered. */
function asked(question: string, answer: string, options: readonly (readonly [string, string])[] = []): Message[] {
  const input = `questions: ${question}\nheader: Topic\noptions: ${options.map(([label, detail]) => `${label}\n${detail}`).join('\n')}`;
  const asking = call('AskUserQuestion', { input });
  const text = `User has answered your questions: "${question}"="${answer}". You can now continue with the user's answers in mind.`;
  return [agent('', { toolCalls: [asking] }), tool(text, { answers: asking.id })];
}

const PLANS = 'Should the plans of an import be stored as JSON or as Markdown?';
const OPTIONS = [
  ['JSON (Recommended)', 'Can be checked by a schema and read by the web page.'],
  ['Markdown', 'Can be read in a pull request.'],
] as const;

describe('a rule that the user typed', () => {
  it('becomes a preference, with the task it was said in', () => {
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
        reason: 'Stated by the user while working on: Make the importer skip the empty rows of a sheet',
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
  ])('is not kept where it is %s', (_, text) => {
    expect(drafts([...work, user(text)])).toEqual([]);
  });
});

describe('a choice that the user made', () => {
  it('is kept as question and answer, with what was offered', () => {
    const draft = only(asked(PLANS, 'Markdown', OPTIONS), 'decision');
    expect(draft['title']).toBe('Markdown — Should the plans of an import be stored as JSON or as Markdown');
    expect(draft['content']).toEqual({
      status: 'accepted',
      context: PLANS,
      decision: 'Markdown: Can be read in a pull request',
      alternatives: [{ option: 'JSON: Can be checked by a schema and read by the web page', rejected_reason: 'Offered and not chosen by the user' }],
      rationale: ['Chosen by the user among the options offered'],
      consequences: [],
    });
  });

  it('is kept where the client tells no options', () => {
    expect(only(asked(PLANS, 'Markdown'), 'decision')['content']).toMatchObject({ context: PLANS, decision: 'Markdown' });
  });

  it.each([
    ['leaves it to the agent', PLANS, 'You decide'],
    ['asks back', PLANS, 'what are the advantages of Markdown here?'],
    ['is a step of the work', 'The fix for the importer is committed. Should I push it to the branch of the pull request?', 'Yes, push'],
    ['picks what comes next', 'Which findings of the review of the importer should be fixed now?', 'Everything'],
    ['is about something that it does not name', 'Where should the change apply?', 'Everywhere'],
    ['tells what happened', 'Where did the timeout of the importer originally show up?', 'In the staging run'],
  ])('is not kept where it %s', (_, question, answer) => {
    const options = answer.endsWith('?') ? OPTIONS : [...OPTIONS, [answer, 'What the option means, told by the agent.'] as const];
    expect(drafts(asked(question, answer, options))).toEqual([]);
  });

  it('is kept where the user answers in own words, and is the user’s own word then', () => {
    const draft = only(asked(PLANS, 'as YAML beside the import, the page reads that already', OPTIONS), 'decision');
    expect(draft['title']).toMatch(/^As YAML beside the import/);
    expect(draft['trust']).toBe('observed');
    expect(draft['content']).toMatchObject({ context: PLANS, rationale: ['Answered by the user in place of the options offered'] });
  });

  it.each(['hmm, that depends on the page', 'not sure yet, what would the page need?', 'for now only as a file'])(
    'is not kept where the own words leave it open: %s',
    (answer) => {
      expect(drafts(asked(PLANS, answer, OPTIONS))).toEqual([]);
    },
  );

  it('has the question that the user answered with a question, where the next one alone says nothing', () => {
    const messages = [
      ...asked(PLANS, 'what are the advantages of Markdown here?', OPTIONS),
      agent('It can be read in a pull request.'),
      ...asked('Based on these tradeoffs, which approach should we take?', 'Markdown', OPTIONS),
    ];
    expect(only(messages, 'decision')['content']).toMatchObject({ context: expect.stringContaining(PLANS) as string });
  });

  it('has a title that asks the question, not what led up to it', () => {
    const long = 'With the new order of the import, which reads the sheets first and the images last, should there be one report a phase or one for all?';
    const draft = only(
      asked(long, 'One for all', [
        ['One for all', 'Written at the end.'],
        ['One a phase', 'Written as it goes.'],
      ]),
      'decision',
    );
    expect(draft['title']).toBe('One for all — should there be one report a phase or one for all');
  });

  it('stays when the agent tells what it replaced to do what was chosen', () => {
    const question = 'How should the importer handle the stale cache of sheets?';
    const choice = asked(question, 'Replace it by SheetStore', [
      ['Replace it by SheetStore', 'One way to read.'],
      ['Keep it', 'Less work.'],
    ]);
    expect(drafts([...choice, agent('I replaced the stale cache of the importer with SheetStore, the old one is gone.')])).toHaveLength(1);
  });

  it('gives way to a later choice that turns it down', () => {
    const first = asked('How should the broken replay of a recorded session be repaired?', 'Overlay the data', [
      ['Overlay the data', 'Run it and then overlay the recorded data.'],
    ]);
    const later = asked('Given the cost of running every segment, how should the repair be shaped?', 'Keep it hermetic', [
      ['Overlay the data, as chosen', 'Run it and then overlay the recorded data, as decided before.'],
      ['Keep it hermetic', 'Never run a segment while a recorded session is replayed.'],
    ]);
    expect(drafts([...first, ...later]).map(({ title }) => title)).toEqual([expect.stringMatching(/^Keep it hermetic/)]);
  });
});

it('a choice that another way overtook later in the session is not kept', () => {
  const choice = asked('How should the one color of a gradient spread over the segment?', 'Symmetric shades', [
    ['Symmetric shades', 'Darker, the color itself, lighter.'],
  ]);
  const done = agent('Done: a gradient with symmetric shades now spreads over the whole segment.');
  expect(drafts([...choice, done])).toHaveLength(1);
  const overtaken = agent('Anchored shades replace the old symmetric shades: the color of the gradient was hidden in the segment.');
  expect(drafts([...choice, done, overtaken])).toEqual([]);
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
