import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import { agent, user } from '../triage/talk.ts';
import { contentOf, edited, ran, used } from './session.ts';

const work = edited('/home/ada/shop/a.ts');
const told = (messages: readonly Message[], label: string): string[] =>
  (contentOf(messages).tracking_points ?? []).filter((point) => point.label === label).map(({ text }) => text);

describe('the status', () => {
  const status = (messages: readonly Message[]): readonly string[] => told([...work, ...messages, agent('It is done.')], 'Status');

  it('is that of the last run, also where a commit follows in the same command', () => {
    const red = ran('npm test', '× shop.test.ts > adds\n 1 failed', true);
    const green = ran("npm test && git add -A && git commit -m 'Add prices'", ' Tests  9 passed (9)\n[main c04e6f1] Add prices\n 1 file changed');
    expect(status([...red, ...green])).toEqual(['1 file changed, 9 tests pass, last commit c04e6f1']);
    expect(status([...ran('npm test', '4 passed'), ...ran('npm test && git commit -am x', '3 passed, 1 failed', true)])).toEqual([
      '1 file changed, tests fail',
    ]);
  });

  it('is no check of its own where a commit is refused', () => {
    expect(status([...ran('npm test', '4 passed'), ...ran('npm test && git commit -am x', 'nothing to commit', true)])).toEqual([
      '1 file changed, 4 tests pass',
    ]);
  });
});

describe('tracking points', () => {
  it('name the way that was taken, not those that were only thought of on the way', () => {
    const thoughts = [
      user('The list shows entries that are gone.'),
      agent('The simplest approach: the page should call the API again because it knows what is gone, instead of guessing.'),
      agent('The cleanest fix: we use a foreign key with cascade instead of a second call, because then nothing can dangle.'),
      ...work,
    ];
    expect(told(thoughts, 'Decision')).toEqual([expect.stringMatching(/foreign key/)]);
  });

  it('leave out what only repeats a tool word for word', () => {
    const line = 'We decided to disable the signature check because the mirror is slow.';
    const messages = [user('Read the notes'), ...used('Read', { files: ['notes.md'] }, `# Notes\n${line}\n`), agent(line)];
    expect(contentOf(messages).tracking_points).toBeUndefined();
  });

  it('call a way that the session turned back on a dead end', () => {
    const messages = [
      ...work,
      agent('We chose streaming rather than buffering because the memory of the worker is small.'),
      agent('Streaming the memory of the worker did not work, so I reverted the streaming change.'),
    ];
    expect(told(messages, 'Decision')).toEqual([]);
    expect(told(messages, 'Dead end')).toEqual([expect.stringMatching(/streaming/)]);
  });

  it('call everything a dead end that the user reverted as a whole, and not what came after', () => {
    const before = [
      user('What does an evaluation cost us at the moment?'),
      agent('We chose a triage model rather than rules because it needs no upkeep.'),
      agent('We decided to cache the prompt because the same files are sent again.'),
      ...work,
    ];
    const after = [
      user("I've reverted your changes - focus only on the empty results"),
      agent('We decided to stop at an empty result because nothing can follow from it.'),
      ...work,
    ];
    expect(told(before, 'Decision')).toHaveLength(2);
    expect(told([...before, ...after], 'Decision')).toEqual([expect.stringMatching(/empty result/)]);
    expect(told([...before, ...after], 'Dead end')).toHaveLength(2);
  });
});

it('a question is no tracking point, and a sentence that breaks off ends before its last word', () => {
  const asked = user('We just decided to take the generic reader because every supplier has its own sheet, or should we use two readers?');
  const cause = agent(
    '**Root cause**: `readTotals` derives the sum from the first sheet of the file, but:\n\n**Fix**: Pass the sheets to `readTotals` one by one.',
  );
  const points = contentOf([asked, ...edited('/home/ada/shop/a.ts'), cause]).tracking_points ?? [];
  expect(points.filter(({ text }) => text.includes('?'))).toEqual([]);
  expect(points.find(({ label }) => label === 'Discovery')?.text).toMatch(/first sheet of the file\./);
});

describe("the user's words", () => {
  it.each([
    'I want you to do an analysis of the importer first.',
    'Ok push a new branch because the checks have to pass.',
    "I'd like to add a color to the errors.",
  ])('are no tracking point while they only ask for something: %s', (request) => {
    expect(contentOf([user(request), ...work, agent('The importer was updated.')]).tracking_points?.map(({ label }) => label)).toEqual(['Status']);
  });

  it('are one where they choose among options or lay down a rule', () => {
    const question = 'Which storage should the importer use for its rows?';
    const asked = used(
      'AskUserQuestion',
      { input: `questions: ${question}\noptions: SQLite\nOne file, no server\nPostgreSQL\nA server for all` },
      `User has answered your questions: "${question}"="SQLite". You can now continue.`,
    );
    const messages = [user('Build the importer'), ...asked, user('Never commit files below fixtures.'), ...work];
    expect(told(messages, 'Decision')).toEqual([expect.stringMatching(/^SQLite — .*storage should the importer use/)]);
    expect(told(messages, 'Preference')).toEqual(['Never commit files below fixtures']);
  });
});

it('what an agent would do, and a line that only leads up to a list, are no tracking points', () => {
  const said = [
    'For a pure batching test I would use the second option because it keeps all of the references.',
    'We decided to split the importer because of three things:\n\n- speed\n- size\n- sheets',
  ];
  for (const text of said) expect(told([user('Look at the importer'), ...work, agent(text)], 'Decision')).toEqual([]);
});

it.each([
  'Because the target already has `main` (a managed ref name), the bootstrap is skipped and the relay path is taken.',
  'Memory or disk are the two options; the better default for a batch tool is disk because the pack can be large.',
  'If you wanted to close that gap, we would go with Redis instead of SQLite because it is faster.',
  'Two names is a feature here, because a mistake becomes a compile error instead of a surprise at run time.',
])('is no decision where the agent explains, guesses or weighs: %s', (said) => {
  const asked = [user('Look at the queue of the importer'), ...work];
  expect(told([...asked, agent(said)], 'Decision')).toEqual([]);
  const decided = 'We decided to use SQLite instead of Redis for the queue because every till would need a server';
  expect(told([...asked, agent(`${decided}.`)], 'Decision')).toEqual([decided]);
});

describe('a line that says nothing to who was not there, or is not what its label says, is no tracking point', () => {
  const plan = (text: string): Message => user(`Implement the following plan:\n\n# Plan: Importer\n\n## Design decisions\n\n- ${text}`);

  it.each([
    'Running `shop import --all` fails because `--all` is defined on the subcommand, not on the program.',
    '(The importer uses SQLite rather than Redis because a till has no server; the rows are',
    'Placing them first uses the cache rather than a second call, because the prefix is shared.',
  ])('decision of a plan: %s', (text) => {
    expect(told([plan(text), ...work, agent('The importer was updated.')], 'Decision')).toEqual([]);
  });

  it('while a choice of a plan is one', () => {
    const text = 'The importer uses SQLite rather than Redis because a till has no server';
    expect(told([plan(`${text}.`), ...work, agent('The importer was updated.')], 'Decision')).toEqual([text]);
  });

  it('while a cause is one, without the advice that stands beside it', () => {
    const cause = 'The root cause is that the importer reads the file twice and finds it locked by itself';
    const said = agent(`${cause}. If you need a quick way out, the fix is to disable the lock of the importer at night.`);
    expect(told([user('Why does the build fail?'), ...work, said], 'Discovery')).toEqual([cause.replace('The root cause is that the', 'The')]);
  });
});

describe('what came out', () => {
  it('is told where nothing is known to be done', () => {
    const messages = [
      user('Where do the empty rows of the importer come from?'),
      agent('Good question.\n\nThe supplier writes a trailing newline, and the parser reads it as a row of empty cells.\n\nWant me to change the parser?'),
      user('thanks'),
      agent("You're welcome!"),
    ];
    expect(told(messages, 'Result')).toEqual(['The supplier writes a trailing newline, and the parser reads it as a row of empty cells']);
  });

  it('is not told in the words of a tool, nor where the session says what was done', () => {
    const line = 'The mirror is slow since the disk of the second machine was replaced by a smaller one.';
    const read = [user('Read the notes'), ...used('Read', { files: ['notes.md'] }, `# Notes\n${line}\n`), agent(line)];
    expect(told(read, 'Result')).toEqual([]);
    expect(told([user('Skip empty rows'), ...work, agent('I changed the importer so that it skips empty rows.')], 'Result')).toEqual([]);
  });
});
