import { describe, expect, test } from 'vitest';
import { isLasting, lastingRules, ordersStep, requestsIn } from '../../../src/recall/rules/lasting.ts';
import { rulesInForce, ruleId, saysSame, type TypedRuleUse } from '../../../src/recall/rules/standing.ts';

const typed = (text: string, session: number, more: Partial<TypedRuleUse> = {}): TypedRuleUse => ({
  text,
  weight: 2,
  newer: session,
  began: 1_000 - session,
  at: 1_000_000 - session,
  ...more,
});

const quoted = (...uses: readonly TypedRuleUse[]): readonly string[] => {
  const { rules, all } = lastingRules(uses);
  return rulesInForce(rules, all).map(({ text, times, isOnce }) => `${text}${times > 1 ? ` (${times})` : ''}${isOnce ? ' (once)' : ''}`);
};

describe('a sentence that holds for later work', () => {
  test.each([
    'never push to main without asking me first',
    "don't merge a pull request without a green build",
    'run the linter before every commit',
    'from now on squash the fixup commits',
    'Whenever you push, run the linter first on every changed file',
    'we use tabs in the generated files',
    "don't forget to branch off the trunk, not off a feature",
    'write small commits where possible',
    "don't commit generated clients",
    'breaking changes are never part of a patch release',
    'Why aren’t we using fixtures for these specs?'.replace('’', "'"),
  ])('%j', (sentence) => {
    expect(isLasting(sentence)).toBe(true);
  });

  test.each([
    "Merge it whenever you like, I'm off for lunch.",
    'you can push that now',
    'feel free to delete the old branches',
    'go ahead and publish a release',
    'please push the fixes up',
    "ok, tag it and let's open a PR",
    'do 2, do the push, and close the ticket',
    'deploy to staging, then merge',
    'can we release today?',
  ])('an order or a permission for once is none: %j', (sentence) => {
    expect([ordersStep(sentence) || !isLasting(sentence), quoted(typed(sentence, 1), typed(sentence, 5))]).toEqual([true, []]);
  });

  test.each([
    'check the remark from the review bot',
    'can you look at the remarks on the PR',
    'so test the build of the new installer, but update the lockfile before',
    'have the tool act as a reviewer on the fix',
    'commit all your recent changes',
    'fix the flaky test in the queue',
    "don't touch this file yet",
    'do not rename the handler',
    'add tests for each of the gaps you listed',
    'delegate, make it continue',
  ])('nor is a request of the moment: %j', (sentence) => {
    expect(quoted(typed(sentence, 1))).toEqual([]);
  });
});

describe('a sentence that several sessions said', () => {
  test('holds, also as a part of longer ones; the rest of these is left out', () => {
    expect(quoted(typed('ok, make tiny commits and open a PR', 1), typed('fix the parser in a new branch, make tiny commits', 4))).toEqual([
      'make tiny commits (2)',
    ]);
  });

  test('counts a session and its copies once', () => {
    const copies = [1, 2, 3].map((newer) => typed('review the plan with Marlow', newer, { began: 500, at: 77 }));
    const resumed = typed('review the plan with Marlow', 0, { began: 500, at: 99 });
    expect(quoted(...copies, resumed)).toEqual(['review the plan with Marlow (once)']);
    expect(quoted(...copies, resumed, typed('please review the plan with Marlow', 9))).toEqual(['review the plan with Marlow (2)']);
  });

  test('counts a session once that was given up and begun again with the same prompt', () => {
    const again = [0, 40_000].map((ms, nth) => typed('review the outline with Marlow', 3 - nth, { at: 5_000_000 + ms }));
    expect(quoted(...again)).toEqual(['review the outline with Marlow (once)']);
    expect(quoted(...again, typed('review the outline with Marlow', 0, { at: 90_000_000 }))).toEqual(['review the outline with Marlow (2)']);
  });

  test('counts no sentence that only shares some of its words', () => {
    const rule = 'always answer each review comment with the commit that fixes it';
    const others = ['can you look at the review comments', 'fix the comment in the commit', "don't answer each review comment with the commit that fixes it"];
    expect(quoted(typed(rule, 1), ...others.map((text, at) => typed(text, at + 2)))).toContain(rule);
  });

  test('a step of the work does not become a rule by being ordered often', () => {
    expect(quoted(...[1, 2, 3, 4].map((session) => typed('merge it and push the branch', session)))).toEqual([]);
    expect(quoted(...[1, 2, 3, 4].map((session) => typed('can you look at the comments on the PR', session)))).toEqual([]);
  });

  test('a way of working that was named once comes last and says so', () => {
    expect(quoted(typed('review the outline using a subagent', 1, { weight: 4 }), typed('run the linter before every commit', 2))).toEqual([
      'run the linter before every commit',
      'review the outline using a subagent (once)',
    ]);
  });
});

test('the requests of a sentence keep what says how', () => {
  expect(requestsIn('yes, write the note via a fresh branch, only on the trunk, and open a PR')).toEqual([
    'write the note via a fresh branch, only on the trunk',
    'open a PR',
  ]);
});

describe('the id of a rule', () => {
  test('is the same for the same words and holds none of them', () => {
    expect(ruleId('ok, never commit generated clients please')).toBe(ruleId('Never commit generated clients.'));
    expect(ruleId('Never commit generated clients.')).toMatch(/^rule:[0-9a-z]{10}$/);
    expect(ruleId('Commit generated clients.')).not.toBe(ruleId('Never commit generated clients.'));
  });
});

test('a sentence says the same as one of its parts or wholes, and never as its opposite', () => {
  expect(saysSame('Please always squash the fixup commits before a pull request', 'Squash the fixup commits before a pull request')).toBe(true);
  expect(saysSame('do not squash the fixup commits', 'squash the fixup commits')).toBe(false);
  expect(saysSame('update the changelog', 'write the release notes and update the changelog with links to each of the issues')).toBe(false);
});
