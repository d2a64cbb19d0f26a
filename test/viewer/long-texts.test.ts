import { expect, test } from 'vitest';
import { patchOf } from '../../viewer/team/patch.ts';
import { withoutEmptySections } from '../../viewer/shown.ts';
import { spent } from '../processor.ts';

const names = ['before', 'after'] as const;

test('a change is shown as a patch, and one of a long text is shown at once', () => {
  expect(patchOf({ before: 'a\n', after: 'a\n', names })).toBe('');
  expect(patchOf({ before: 'a\nb\n', after: 'a\nc\n', names })).toBe('--- before\n+++ after\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
  const text = (word: string): string => Array.from({ length: 20_000 }, (_, nth) => `${word} ${nth}`).join('\n');
  const start = spent();
  const patch = patchOf({ before: text('heron'), after: text('walrus'), names });
  expect(spent() - start).toBeLessThan(10_000);
  expect(patch).toContain('\n-heron 19999\n+++ after\n+walrus 0\n');
});

test('sections without a text are left out, whatever stands behind a heading', () => {
  expect(withoutEmptySections('x\n\n## A\n\n## B\ntext\n\n## C  \n')).toBe('x\n\n## B\ntext\n');
  const start = spent();
  const text = `x\n## A${' '.repeat(100_000)}\nend`;
  expect(withoutEmptySections(text)).toBe(text);
  expect(spent() - start).toBeLessThan(2_000);
});
