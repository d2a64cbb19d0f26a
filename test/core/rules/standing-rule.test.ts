import { describe, expect, test } from 'vitest';
import { ruleIn, ruleSentences } from '../../../src/core/rules/standing-rule.ts';
import { typedSentences } from '../../../src/core/rules/typed-sentences.ts';

describe('a rule in typed words', () => {
  test.each([
    ['Never commit generated clients, CI builds them.', 'ban'],
    ['please dont run migrations by hand on the production server', 'ban'],
    ['ok, always squash the fixup commits before you open a pull request', 'habit'],
    ['from now on every handler gets its own integration test', 'habit'],
    ['Before committing, run the formatter on the whole workspace', 'habit'],
    ['I prefer table driven tests over one function per case', 'taste'],
    ["we don't want any analytics in the desktop build", 'taste'],
    ['The retry is off by default so that the queue keeps its order', 'design'],
    ['the go package name stays `gitsync`', 'design'],
    ['In demo mode we should not print the prices of the shop as we handle that', 'ban'],
    ['We should not print "AGENTS.md" for the rules of a shop, but instead "Shop rules"', 'ban'],
    ['In the cloud we should not offer the list of agents, as we choose the agent there', 'ban'],
    ['invoice numbers must not be reused after a refund', 'ban'],
    ['all screenshots should live in the docs folder', 'norm'],
  ])('%s', (sentence, kind) => {
    expect(ruleIn(sentence)?.kind).toBe(kind);
  });

  test.each([
    'should we always run the linter?',
    'can you never use tabs',
    'this should never be shown to guests',
    'it always fails on the second run with a timeout error',
    'never mind, the other branch is fine',
    "don't commit it",
    'do not bump the schema version yet',
    'I always get a blank page in the browser',
    'maybe we should always cache the token',
    'add a button that is disabled by default',
    'commit and push',
    'We should not show the name of the file in the list of projects',
    'When there is only one file it should be selected by default',
    'use the second one',
    'the export button is broken again, it never finishes',
    "don't touch this",
  ])('not: %s', (sentence) => {
    expect(ruleIn(sentence)).toBeUndefined();
  });

  test('what leads up to a rule is no part of it', () => {
    expect(ruleIn('ok so please always sign the release tags')?.text).toBe('please always sign the release tags');
  });
});

describe('typed sentences', () => {
  test('a prompt is split where its sentences end, also where the next begins in lower case', () => {
    expect(typedSentences('Use v2 of the API, e.g. the batch call. never mix it with v1 calls. Version 1.2 stays.')).toEqual([
      'Use v2 of the API, e.g. the batch call.',
      'never mix it with v1 calls.',
      'Version 1.2 stays.',
    ]);
  });

  test.each([
    ['a plan handed over', 'Implement the following plan:\n\n# Plan\n\nNever call the old endpoint.'],
    ['a plan by its headings', '# A\nAlways do x.\n## B\nNever do y.\n## C\nText.'],
    ['a fenced block', '```\nNever call the old endpoint from here.\n```'],
    ['a quote', '> You should never call the old endpoint from here.'],
    ['review findings', '1. Medium: callers must never hold the lock while they wait for the pool.\n   It deadlocks.'],
    ['a chat', 'You should never hold the lock here.\nAnn Lee  [10:04 AM]\nOr use a channel.'],
    ['the client speaking for the user', 'The user wants to clarify these questions.\nNever assume an answer from them.'],
    ['a log', 'level=INFO msg="never retry the push by default after a rejection"'],
    ['text injected by Holdfast', '<holdfast-memory kind="brief">\nNever commit to main directly.\n</holdfast-memory>'],
    ['a long text', `${'The server should never keep a socket open for longer than it must. '.repeat(30)}`],
  ])('%s is nobody’s rule', (_, prompt) => {
    expect(ruleSentences(prompt)).toEqual([]);
  });

  test('what was typed before a paste counts, the line that introduces it does not', () => {
    const prompt = 'Never retry a rejected push, please.\ncan you look at:\nerror: push declined\nYou must always pull first.';
    expect(ruleSentences(prompt).map(({ text }) => text)).toEqual(['Never retry a rejected push, please.']);
  });
});
