import { describe, expect, test } from 'vitest';
import { ask, library, named } from './library.ts';

const talk = (...said: readonly (readonly [string, string])[]): { readonly role: 'user'; readonly speaker: string; readonly text: string }[] =>
  said.map(([speaker, text]) => ({ role: 'user', speaker, text }));

describe('messages', () => {
  test('an answer that shares no word with the question is found beside what was asked', async () => {
    const shelf = library()
      .session('one', talk(['Ann', 'Where did you go camping, Ben?'], ['Ben', 'High up in the Alps, near a lake with cold water!'], ['Ann', 'Lovely.']))
      .session('two', talk(['Ann', 'My oven is broken.'], ['Ben', 'Call someone about it.']));
    expect(named(await ask(shelf, 'Where did Ben go camping?')).slice(0, 2)).toContain('one:2');
  });

  test('the one who is named is preferred', async () => {
    const shelf = library().session(
      'one',
      talk(['Ann', 'I painted a horse on Sunday.'], ['Cy', 'Well.'], ['Dee', 'Yes.'], ['Eve', 'Right.'], ['Ben', 'I painted a horse on Sunday.']),
    );
    expect(named(await ask(shelf, 'What did Ben paint?'))[0]).toBe('one:5');
    expect(named(await ask(shelf, 'What did Ann paint?'))[0]).toBe('one:1');
  });

  test('a question after a time prefers a message that tells one', async () => {
    const shelf = library().session(
      'one',
      talk(
        ['Ann', 'The race was so much fun and so hard.'],
        ['Ben', 'Nice weather too, and good food there.'],
        ['Ann', 'I finished the race last Saturday with friends.'],
      ),
    );
    expect(named(await ask(shelf, 'When did Ann finish the race?'))[0]).toBe('one:3');
  });

  test('what answers a question just put by another comes before what only shares its words', async () => {
    const shelf = library().session(
      'one',
      talk(
        ['Ann', 'My instrument shop sells an instrument or two, good ones for all who play.'],
        ['Cy', 'Lovely weather we are having over here in the hills this week.'],
        ['Ann', 'Which instrument do you play, Ben? I always wanted to know that.'],
        ['Ben', 'Mostly the clarinet, and on some evenings the old drums as well.'],
        ['Ann', 'Good for you, I never had the patience for that sort of thing.'],
      ),
    );
    expect(named(await ask(shelf, 'Which instrument does Ben play?'))[0]).toBe('one:4');
  });

  test.each([
    ['Where did Ann ride?', 'rode to Lisbon', 'rode to lunch'],
    ['Which book did Ann take on the ride?', 'rode with "Emma"', 'rode with some'],
  ])('%s', async (question, more, less) => {
    const found = async (first: string, last: string): Promise<string | undefined> => {
      const said = talk(['Ann', `Then I ${first}.`], ['Cy', 'Well.'], ['Dee', 'Yes.'], ['Eve', 'Right.'], ['Ann', `Then I ${last}.`]);
      return named(await ask(library().session('one', said), question))[0];
    };
    expect([await found(more, less), await found(less, more)]).toEqual(['one:1', 'one:5']);
  });

  test('in talk a word is found by others of its family, less surely than by itself', async () => {
    const [close, further] = ['A friend of theirs is old.', 'Their friendship is old.'];
    const shelf = library()
      .session('one', talk(['Ann', further], ['Ben', 'Mine too.']))
      .session('two', talk(['Ann', close], ['Ben', 'Mine too.']));
    const found = named(await ask(shelf, 'friend'));
    expect(found[0]).toBe('two:1');
    expect(found).toContain('one:1');
    const work = library()
      .session('one', [{ text: further }])
      .session('two', [{ text: close }]);
    expect(named(await ask(work, 'friend'))).toEqual(['two:1']);
  });

  test('of a long message the best part is shown', async () => {
    const filler = 'Nothing of note happened in this part of the long report about the weather. '.repeat(30);
    const shelf = library().session('one', [{ text: `A webhook came. ${filler} The webhook secret rotates every night. ${filler} A secret was kept.` }]);
    const hits = await ask(shelf, 'webhook secret');
    expect(hits).toHaveLength(1);
    expect(hits[0]?.candidate.chunk.text).toContain('webhook secret rotates');
  });
});

describe('the list', () => {
  const shelf = library();
  for (const session of ['a', 'b', 'c', 'd', 'e', 'f'])
    shelf.session(
      session,
      talk(
        ...Array.from(
          { length: 8 },
          (_, nth) => ['Ann', `The garden party number ${nth} in ${session === 'a' ? 'our garden with garden party music' : 'town'}.`] as const,
        ),
      ),
    );

  test('half of it comes from different sessions, however well one of them fits', async () => {
    const hits = await ask(shelf, 'garden party music');
    expect(hits).toHaveLength(10);
    expect(new Set(hits.map(({ candidate }) => candidate.row.id)).size).toBeGreaterThanOrEqual(5);
    expect(hits[0]?.candidate.row.id).toBe('a');
  });

  test('in work a further message of a session gives way to the first of another', async () => {
    const work = library();
    work.session('a', [{ text: 'Deploy the worker to staging.' }, { text: 'Deploy the worker again.' }, { text: 'Worker deployed.' }]);
    for (const session of ['b', 'c']) work.session(session, [{ text: 'After lunch with the team, deploy one worker.' }, { text: 'Done.' }]);
    const sessions = (await ask(work, 'deploy worker')).map(({ candidate }) => candidate.row.id);
    expect(new Set(sessions.slice(0, 3)).size).toBe(3);
    expect(sessions).toHaveLength(5);
  });
});
