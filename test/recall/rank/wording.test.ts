import { describe, expect, test } from 'vitest';
import { ask, type Library, library } from '../library.ts';

const sessions = async (shelf: Library, question: string): Promise<readonly string[]> => (await ask(shelf, question)).map(({ candidate }) => candidate.row.id);

/** Enough other text that rare words are rare. */
const noise = (): Library => {
  const shelf = library();
  for (let nth = 0; nth < 8; nth++) shelf.session(`noise-${nth}`, [{ text: `Something else altogether, number ${nth}: tables, colours and a menu.` }]);
  return shelf;
};

describe('sessions of work', () => {
  /** What a channel gave a session, as a share of the best. */
  const shares = async (shelf: Library, question: string, channel: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await ask(shelf, question)).map(({ candidate, parts }) => [candidate.row.id, parts.find(({ signal }) => signal === channel)?.value ?? 0]),
    );

  test('words that follow each other anywhere in the session count, not only in the best chunk', async () => {
    const shelf = noise()
      .session('followed', [{ text: 'The cache was cold.' }, { text: 'The eviction queue was slow, and the timeout too.' }])
      .session('apart', [{ text: 'The cache was cold.' }, { text: 'The queue was slow, the eviction too, and the timeout.' }]);
    expect(await shares(shelf, 'cold cache and an eviction queue', 'followed')).toMatchObject({ followed: 1, apart: 0 });
  });

  test('a name counts where it is written as it is asked for, not where its words are strewn about', async () => {
    const shelf = noise()
      .session('named', [{ text: 'I ran the formatter with lint:fix before the commit.' }])
      .session('strewn', [{ text: 'I ran a fix for the formatter before the commit, then lint.' }]);
    expect(await shares(shelf, 'when did we run lint:fix?', 'named')).toMatchObject({ named: 1, strewn: 0 });
  });

  test('what people say to each other is not held to the wording of the question', async () => {
    const shelf = noise().session('talk', [{ text: 'The eviction queue was slow.', speaker: 'Ann' }]);
    expect(await shares(shelf, 'eviction queue', 'followed')).toMatchObject({ talk: 0 });
  });

  test('of two that say the same the one whose work was committed comes first', async () => {
    const text = 'The retry budget of the uploader is three.';
    const shelf = noise().session('kept', [{ text }], { committed: true }).session('left', [{ text }]);
    expect((await sessions(shelf, 'retry budget of the uploader'))[0]).toBe('kept');
    const other = noise().session('left', [{ text }]).session('kept', [{ text }], { committed: true });
    expect((await sessions(other, 'retry budget of the uploader'))[0]).toBe('kept');
  });
});
