import { expect, test } from 'vitest';
import { failureToTell } from '../../../src/recall/acting/failure.ts';

const met = (session: string, at: number, score: number, cause: string) => ({ session, messageId: `${session}-${at}`, at, score, cause });
const CLONES = 'The pre-commit hook picks up tests in tmp/clones, a leftover of an evaluation.';

test('the cause that most sessions met is told in its plainest words', () => {
  const failures = [
    met('s4', 4, 3, 'The push was rejected: the `main` branch is protected, a pre-existing setting.'),
    met('s3', 3, 1.5, 'All failures are in tmp/clones, leftover clones that the hook picks up.'),
    met('s2', 2, 3, CLONES),
    met('s2', 1, 1, 'Unrelated errors in tmp/clones from leftover clones.'),
  ];
  expect(failureToTell(failures, 'commit')).toMatchObject({ cause: CLONES, sessions: 2, at: 3 });
});

test('of a test run that one session saw fail only the plainest cause is told', () => {
  const once = [met('s1', 1, 2.5, CLONES)];
  expect(failureToTell(once, 'commit')).toBeDefined();
  expect(failureToTell(once, 'test')).toBeUndefined();
  expect(failureToTell([...once, met('s2', 2, 1, CLONES)], 'test')).toMatchObject({ sessions: 2 });
});

test('what one session said in passing is not told', () => {
  expect(failureToTell([met('s1', 1, 1.5, 'There is an unrelated lint issue in `a.ts`.')], 'commit')).toBeUndefined();
  expect(failureToTell([], 'commit')).toBeUndefined();
});
