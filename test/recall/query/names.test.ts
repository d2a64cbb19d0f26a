import { expect, test } from 'vitest';
import { questionNames } from '../../../src/recall/query/parse.ts';

const written = (question: string): readonly string[] => questionNames(question).map((terms) => terms.join(' '));

test.each([
  ['CSS must be rebuilt with `bun run css:build`', ['bun run css build', 'css build']],
  ['why does src/auth/service.ts throw', ['src auth servic ts']],
  ['commit with --no-verify after a pre-commit hook', ['verifi', 'pre commit']],
  ['AuthService and auth_service', ['auth servic authservic']],
  ['the suite has 1319 tests', ['1319']],
  ["says 'Display all' on it", ['displai']],
  ['what did we decide about retries?', []],
  ["it doesn't say what the team's plan is", []],
])('the names in %j', (question, names) => {
  expect(written(question)).toEqual(names);
});

test('a pasted log does not become a thousand names', () => {
  expect(questionNames(Array.from({ length: 500 }, (_, nth) => `a-${nth}`).join(' ')).length).toBeLessThan(30);
});
