import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Category } from '../../../src/core/record/category.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import { newRecord } from '../../../src/core/lifecycle/create.ts';
import { draftsOf } from '../../../src/capture/drafts/drafts.ts';
import { spent } from '../../processor.ts';
import { agent, user } from '../triage/talk.ts';
import { committed, edited, facts, ran, summed } from './session.ts';

const NOW = Date.UTC(2026, 0, 5);

/** The drafts of a session that make no valid record. */
const invalid = (messages: readonly Message[]): Draft[] => {
  const summary = summed(messages);
  return [summary.draft(facts), ...draftsOf(summary, facts)].filter((draft) => !newRecord(draft, draft['category'] as Category, 'some-id', NOW).ok);
};

describe('a summary of any size', () => {
  it('of two messages', () => {
    const content = summed([user('Which port does the server use?'), agent('It listens on 8080; set `PORT` to change it.')]).content(facts);
    expect(content).toEqual({
      goal: 'Which port does the server use?',
      outcome: 'partial',
      completed: [],
      in_progress: [],
      blockers: [],
      next_actions: [],
      key_changes: [],
    });
  });

  it('of thousands of messages stays a page, and is quick', () => {
    const turns = Array.from({ length: 1_500 }, (_, at) => [
      user(`Please change the part number ${at} of module${at} so that it reads file${at}.ts`),
      ...edited(`/home/ada/shop/src/module${at % 700}/file${at}.ts`),
      ...ran('npm test', `${at} passed`),
      agent(`Updated part ${at}. We chose variant${at} because measure${at} was better with engine${at}. Added a check to step${at}.`),
      ...(at % 10 === 0 ? committed(`Change part ${at}`) : []),
    ]).flat();
    const started = spent();
    const summary = summed(turns);
    const content = summary.content(facts);
    const drafts = draftsOf(summary, facts);
    expect(spent() - started).toBeLessThan(8_000);
    expect(turns.length).toBeGreaterThan(9_000);
    expect(JSON.stringify(content).length).toBeLessThan(8_000);
    expect(content.goal).toMatch(/^Change the part number 0 .*and \d+ more requests$/);
    expect(content.key_changes?.at(-1)).toMatch(/^and \d+ more$/);
    expect(drafts.length).toBeLessThanOrEqual(20);
  });

  it.each([' ', '[a ', '(', '`', '*', 'so ', 'now, ', ' - ', 'since a, ', '- a\n', '# a\n', 'rather than a b ', 'We chose X because Y. '])(
    'takes no long time over 100 000 characters of %j',
    (piece) => {
      const text = piece.repeat(100_000 / piece.length);
      const started = spent();
      const summary = summed([user(`Implement the following plan:\n${text}`), agent(`We chose X because ${text}`)]);
      summary.content(facts);
      draftsOf(summary, facts);
      expect(spent() - started).toBeLessThan(3_000);
    },
  );

  it('is the same when it is asked twice', () => {
    const summary = summed([user('Fix the importer'), ...edited('/home/ada/shop/a.ts'), agent('Done. We chose SQLite because it needs no server.')]);
    expect(summary.content(facts)).toEqual(summary.content(facts));
    expect(draftsOf(summary, facts)).toEqual(draftsOf(summary, facts));
  });
});

describe('every draft is a valid record', () => {
  it('of nothing at all', () => expect(invalid([])).toEqual([]));

  it.each(['\u0000', '\u001b\u0007', '\u0085 \n\u0000'])('of a prompt that nobody can read: %j', (words) => {
    expect(invalid([user(words)])).toEqual([]);
    expect(summed([user(words)]).content(facts).goal).toBe('No goal was stated');
  });

  const phrase = fc.constantFrom(
    'We chose SQLite because it needs no server.',
    'The root cause was a stale lock. Removing it fixed it; tests pass now.',
    'Safari does not support this API, so we need a polyfill.',
    'I hardcoded the tenant id for now; we should read it later.',
    'Always use single quotes in TypeScript files.',
    '## Design decisions\n\n- **Storage**: one file a record, not a database',
    '[Image #1]',
    'Implement the following plan:\n\n#\n',
    '```\ncode\n```',
    ')'.repeat(40),
    '',
  );
  const text = fc
    .array(fc.oneof(phrase, fc.string({ unit: 'binary', maxLength: 40 }), fc.lorem({ maxCount: 12 })), { maxLength: 4 })
    .map((parts) => parts.join(' '));
  const step = fc.oneof(
    text.map((words) => [user(words)]),
    text.map((words) => [agent(words)]),
    fc.tuple(fc.string({ maxLength: 30 }), text).map(([command, answer]) => ran(`git commit -m "${command}"`, answer)),
    fc.string({ maxLength: 60 }).map((path) => edited(path)),
  );

  it('whatever was said and done', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        expect(invalid(steps.flat())).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
