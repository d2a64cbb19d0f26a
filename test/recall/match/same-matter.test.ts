import { expect, test } from 'vitest';
import projects from '../../../bench/candidate/projects.json' with { type: 'json' };
import { spent } from '../../processor.ts';
import { sameMatter } from '../../../src/recall/match/same-matter.ts';

interface Pair {
  readonly kind: string;
  readonly category: string;
  readonly info: string;
  readonly record?: string;
  readonly half?: string;
}

const judged = projects.flatMap(({ name, half, records, pairs }) =>
  (pairs as readonly Pair[]).map(({ category, info, record, half: own = half }) => ({
    name,
    half: own,
    info,
    record,
    found: sameMatter(
      info,
      records.filter((one) => one.category === category),
    )?.entry.id,
  })),
);

test('no pair of the bench has a wrong record as its candidate', () => {
  expect(judged.filter(({ found, record }) => found !== undefined && found !== record)).toEqual([]);
});

test.each(['tuned', 'held', 'hard'])('nine of ten pairs of the %s projects find the right record, or none where there is none', (half) => {
  const all = judged.filter((one) => one.half === half);
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter(({ found, record }) => found === record).length / all.length).toBeGreaterThanOrEqual(0.9);
});

const DHL = { title: 'Ship with DHL because the pickup is late', tags: ['shipping', 'dhl'] };
const UPS = { title: 'UPS takes parcels of up to 32 kg only', tags: ['shipping', 'ups'] };

const WILDCARD = { title: 'The issuer does not renew the wildcard certificate', tags: ['certificates'] };
const PATIENTS = { title: 'Write error messages for patients in German and English', tags: ['errors'] };
const TILES = { title: 'Cache tiles at the edge for a day', tags: ['tiles', 'cache'] };

test.each([
  ['The issuer does not renew the certificate of the mail relay', WILDCARD, false],
  ['The issuer does not renew the wildcard certificate of the shop', WILDCARD, true],
  ['Write error messages for developers in English only', PATIENTS, false],
  ['Write error messages for patients in English only', PATIENTS, true],
  ['Cache tiles at the edge for a week', TILES, true],
  ['Fonts are cached at the edge for a year', TILES, false],
  ['Fonts are now cached at the edge for a year instead of a day', TILES, false],
  ['Write error messages for patients in plain words', PATIENTS, false],
  ['UPS takes parcels without batteries only', UPS, false],
  ['Ship with UPS because the pickup is early', DHL, false],
  ['We ship with UPS', DHL, false],
  ['DHL takes parcels of up to 31.5 kg only', UPS, false],
  ['We no longer ship with DHL because the pickup is late', DHL, true],
  ['UPS takes parcels of up to 70 kg now', UPS, true],
])('an entity that differs is another record: %s', (info, record, isSame) => {
  expect(sameMatter(info, [record]) !== undefined).toBe(isSame);
});

test('of two records that could be meant as well, neither is', () => {
  const twins = ['Retry failed uploads three times', 'Retry failed uploads in the night'].map((title) => ({ title, tags: ['uploads'] }));
  expect(sameMatter('Failed uploads are retried', twins)).toBeUndefined();
});

test.each(['', ' ', '!!!', '7', 'now', '\u0000', 'a'.repeat(100_000)])('a text that tells nothing is about nothing', (info) => {
  expect(sameMatter(info, [DHL, UPS, { title: '', tags: [] }])).toBeUndefined();
});

test('a long record is compared in the time that its words take', () => {
  const before = spent();
  const found = sameMatter('Heron now keeps its cache in Redis', [{ title: 'Heron cache', tags: ['heron'], text: `heron cache ${'word\n'.repeat(40_000)}` }]);
  expect(found?.entry.title).toBe('Heron cache');
  expect(spent() - before).toBeLessThan(1_500);
});
