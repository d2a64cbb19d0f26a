import { expect, test } from 'vitest';
import { readTurns } from '../../../src/adapters/sqlite/episodes/exchanges.ts';

test('a sentence that was cut into two chunks is one again, and lines stay lines', () => {
  const row = (id: string, text: string) => ({ id, role: 'assistant', at: 1, text });
  const rows = [
    row('a', 'The clock jumps, e.g.'),
    row('a', '`tick(3)` counts twice and'),
    row('a', 'the lease is lost.'),
    row('a', '- Next step'),
    row('b', 'later'),
  ];
  expect(readTurns(() => rows, 0, 9).map(({ text }) => text)).toEqual([
    'The clock jumps, e.g. `tick(3)` counts twice and the lease is lost.\n- Next step',
    'later',
  ]);
});
