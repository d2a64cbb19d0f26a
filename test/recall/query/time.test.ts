import { describe, expect, test } from 'vitest';
import { timeIn, timeShare } from '../../../src/recall/query/time.ts';

/** A Wednesday. */
const now = Date.UTC(2026, 5, 17, 15, 30);
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const anchor = (words: string): number | undefined => (words.startsWith('release') ? Date.UTC(2026, 4, 2, 9) : undefined);

describe('stretches of time', () => {
  test.each([
    ['what did we do yesterday?', '2026-06-16', '2026-06-17'],
    ['what broke today', '2026-06-17', '2026-06-18'],
    ['decisions of last week', '2026-06-08', '2026-06-15'],
    ['what happened this week', '2026-06-15', '2026-06-22'],
    ['last month', '2026-05-01', '2026-06-01'],
    ['what changed last year', '2025-01-01', '2026-01-01'],
    ['two days ago', '2026-06-15', '2026-06-16'],
    ['3 weeks ago we changed it', '2026-05-25', '2026-06-01'],
    ['a month ago', '2026-05-01', '2026-06-01'],
    ['since Monday', '2026-06-15', undefined],
    ['on Friday', '2026-06-12', '2026-06-13'],
    ['before the release', undefined, '2026-05-02'],
    ['what did we fix after the release', '2026-05-03', undefined],
    ['since 2026-03-01', '2026-03-01', undefined],
    ['before 5 March 2026', undefined, '2026-03-05'],
    ['after May 2025', '2025-06-01', undefined],
    ['what did she do the week before 16 November 2023?', '2023-11-09', '2023-11-17'],
    ['two weeks before August 11, 2023', '2023-07-28', '2023-08-12'],
    ['the month after 5 March 2026', '2026-03-05', '2026-04-06'],
  ])('%s', (question, from, to) => {
    expect(timeIn(question, { now, anchor })).toEqual({
      kind: 'range',
      from: from === undefined ? -Infinity : day(from),
      to: to === undefined ? Infinity : day(to),
    });
  });

  test('the last days end now', () => {
    expect(timeIn('in the past 3 days', { now })).toEqual({ kind: 'range', from: now - 3 * 86_400_000, to: now });
  });
});

describe('dates', () => {
  test.each([
    ['what did we decide in May', { month: 4 }],
    ['what did we decide in May 2023?', { year: 2023, month: 4 }],
    ['on 7 May 2023', { year: 2023, month: 4, day: 7 }],
    ['on May 7th, 2023', { year: 2023, month: 4, day: 7 }],
    ['on the 3rd of June', { month: 5, day: 3 }],
    ['the August meeting', { month: 7 }],
    ['2026-02-19 release', { year: 2026, month: 1, day: 19 }],
    ['in 2024', { year: 2024 }],
  ])('%s', (question, parts) => {
    expect(timeIn(question, { now })).toEqual({ kind: 'date', ...parts });
  });
});

describe('no time', () => {
  test.each(['how do we retry?', 'may I use tabs?', 'march through the list', 'run it before the build', 'after we merge', 'the last error', 'version 2.0.24'])(
    '%s',
    (question) => {
      expect(timeIn(question, { now })).toBeUndefined();
    },
  );
});

describe('how well a moment fits', () => {
  test.each([
    ['inside', 'last week', '2026-06-10', 1],
    ['just after, when it is still spoken of', 'last week', '2026-06-16', 0.5],
    ['long before', 'last week', '2026-05-10', 0],
    ['the month of any year', 'in May', '2024-05-30', 1],
    ['another month', 'in May', '2024-06-30', 0],
    ['the day', 'on 7 May 2023', '2023-05-07', 1],
    ['the same month', 'on 7 May 2023', '2023-05-20', 0.6],
    ['the month of another year', 'in May 2023', '2022-05-20', 0.5],
    ['only the year', 'in 2023', '2023-11-01', 0.3],
  ])('%s', (_, question, at, share) => {
    const hint = timeIn(question, { now });
    expect(hint && timeShare(hint, day(at))).toBe(share);
  });
});
