import { describe, expect, test } from 'vitest';
import { quotesFor } from '../../../src/app/recall/quotes.ts';
import { exchangeIndex, type Talk } from '../../recall/exchange/index.ts';

const FILLER: readonly Talk[] = Array.from({ length: 12 }, (_, nth) => [`> Talk ${nth}`, `Chapter ${nth} of the handbook was read, and nothing came of it.`]);
const ASKED = '> Why does the harbour crane stop when the tide gauge reports twice?';
const ANSWER =
  'The crane stops because the gauge repeats its last reading, so the interlock sees two tides; the fix is to drop readings that are older than a minute.';
const QUESTION = 'the harbour crane stops again after the tide gauge reported twice, what was the interlock about?';

const quoted = async (talks: readonly Talk[]): Promise<readonly string[]> => {
  const index = exchangeIndex([...FILLER, ...talks]);
  const { items = [] } = (await quotesFor(() => index, { text: QUESTION, isNews: () => true, tokens: 400 })) ?? {};
  return items.map(({ source }) => source);
};

describe('exchanges that one prompt opened', () => {
  test('take one place: the one with the most to say', async () => {
    const sent = [
      'The interlock of the harbour crane reads the tide gauge twice.',
      'Interlock and gauge of the crane: the tide table has two entries for the harbour.',
    ];
    const others = sent.map((said, nth) => [`> Crane and gauge, part ${nth} of the talk about the harbour`, said]);
    expect(await quoted([...others, [ASKED, ANSWER], [ASKED, 'The crane looks fine.'], [ASKED, 'No tide today at the gauge.']])).toEqual(
      expect.arrayContaining(['s12', 's13', 's14']),
    );
  });

  test('are quoted each where only a few words open them', async () => {
    const short = '> Crane and tide gauge';
    const found = await quoted([
      [short, ANSWER],
      [short, 'The interlock of the harbour crane was replaced since the tide gauge failed it twice.'],
    ]);
    expect(found.toSorted()).toEqual(['s12', 's13']);
  });
});
