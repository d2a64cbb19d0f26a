import { describe, expect, test } from 'vitest';
import { ruleWeight, weightedRules } from '../../../src/recall/rules/rule-weight.ts';
import { rulesInForce, type TypedRuleUse } from '../../../src/recall/rules/standing.ts';

describe('a typed sentence', () => {
  test.each([
    'Commit and update the changelog',
    'don’t create a PR, just a commit'.replace('’', "'"),
    "Why aren't we using table-driven tests for these test cases?",
    'Reply in each review thread with the commit that fixes it',
    'never run the slow suite unasked',
    'use a subagent to review the plan',
    'run the tests before each commit',
  ])('%j may be a rule', (sentence) => {
    expect(ruleWeight(sentence)).toBeGreaterThan(0.8);
  });

  test.each([
    'what does this function do?',
    'the page is blank',
    'there are three new comments on the PR',
    'I checked the logs and the build failed',
    'can you look at https://example.com/issues/7581',
    'yes',
    'commit and push all this please',
    'ok push it up and lets get a pr ready',
    'Rename `fooBar` to `barFoo` in src/app/thing.ts',
    'When you commit you should always keep to these steps:',
    'the review only shows the first comment of each thread',
    'which test should we run instead?',
  ])('%j is none', (sentence) => {
    expect(ruleWeight(sentence)).toBeUndefined();
  });

  test('weighs more where it says in which way the work is to be done', () => {
    const [plain, inAWay] = ['review the implementation', 'review the implementation with a subagent'].map((text) => ruleWeight(text) ?? 0);
    expect(inAWay).toBeGreaterThan(plain as number);
  });

  test('weighs more where it is all that the prompt says', () => {
    const [alone, among] = ['review the plan with a subagent', 'The page is blank. review the plan with a subagent'].map(
      (prompt) => weightedRules(prompt)[0]?.weight ?? 0,
    );
    expect([among, (alone ?? 0) > (among ?? 0)]).toEqual([ruleWeight('review the plan with a subagent'), true]);
  });

  test('is taken from what was typed, not from a pasted log or a plan', () => {
    const prompt = 'Always run the linter before you commit.\n\n```\nnever commit this line of a log\n```';
    expect(weightedRules(prompt).map(({ text }) => text)).toEqual(['Always run the linter before you commit.']);
    expect(weightedRules('Implement the following plan:\n\n# Plan\n\n## Tests\n\nAlways commit first.\n\n## Docs\n\nUpdate the readme.')).toEqual([]);
  });
});

const said = (text: string, newer: number, weight = 1.6): TypedRuleUse => ({ text, newer, weight, at: 1_000_000 - newer });

describe('rules that hold', () => {
  test('count a forked session, which repeats its messages with their times, once', () => {
    const once = said('write the test first', 3);
    expect(rulesInForce([once, { ...once, newer: 1 }])).toMatchObject([{ text: 'write the test first', times: 1 }]);
  });

  test('stand once, in the newest words, with how often they were said', () => {
    const held = rulesInForce([said('commit and update the changelog', 5), said('commit and update the changelog please', 0), said('write tests first', 1)]);
    expect(held.map(({ text, times }) => [text, times])).toEqual([
      ['commit and update the changelog please', 2],
      ['write tests first', 1],
    ]);
  });

  test('a rule said twice stands above one said once, and a new one above an old one', () => {
    const twice = rulesInForce([said('push the branch after review', 3), said('push the branch after each review', 4), said('tag each release', 3)]);
    expect(twice[0]).toMatchObject({ times: 2 });
    expect(rulesInForce([said('tag each release', 20), said('write tests first', 0)]).map(({ text }) => text)).toEqual([
      'write tests first',
      'tag each release',
    ]);
  });

  test('a later sentence that says the opposite withdraws an earlier one', () => {
    expect(rulesInForce([said('commit the design documents', 6), said("don't commit the design documents", 1)]).map(({ text }) => text)).toEqual([
      "don't commit the design documents",
    ]);
    expect(rulesInForce([said("don't commit the design documents", 6), said('commit the design documents', 1)]).map(({ text }) => text)).toEqual([
      'commit the design documents',
    ]);
  });

  test('a withdrawal counts more than how strongly or how often the rule had been put', () => {
    const rule = [said('always commit the design documents', 4, 2.8), said('commit the design documents, always', 3, 2.8)];
    expect(rulesInForce([...rule, said("don't commit the design documents", 1, 1)]).map(({ text }) => text)).toEqual(["don't commit the design documents"]);
  });

  test('an old sentence with little to speak for it is left out', () => {
    expect(rulesInForce([said('push the branch', 60, 0.9)])).toEqual([]);
  });
});
