import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/recall/text/analyze.ts';
import { weigh } from '../../../src/recall/gate/gate.ts';
import type { GateHit } from '../../../src/recall/gate/port.ts';
import { packTexts } from '../../../src/recall/chunks/packed-texts.ts';

const hit = (title: string, text = '', more: Partial<GateHit> = {}): GateHit => ({
  kind: 'record',
  id: `decision/${title.toLowerCase().replaceAll(/\W+/g, '-')}`,
  title,
  tags: [],
  files: [],
  text,
  score: 1,
  status: 'active',
  trust: 'observed',
  updatedAt: '2026-01-01T00:00:00Z',
  ...more,
});

/** Hits as a ranker would give them, every term in one of the hits that hold it. */
function ranked(hits: readonly GateHit[], total = 40) {
  const counts = new Map<string, number>();
  for (const { title, text, tags, files } of hits)
    for (const term of new Set(analyze(`${title} ${text} ${tags.join(' ')} ${files.join(' ')}`))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { total, counts, hits };
}

const passes = (prompt: string, one: GateHit, total?: number): boolean => weigh(prompt, ranked([one], total))[0]?.passes === true;

const WEBHOOKS = hit('Webhook retries use exponential backoff', 'The payment provider drops webhooks under load, so that retries back off up to an hour.');

/** Sixty words that nobody uses. */
const FOREIGN = Array.from({ length: 60 }, (_, n) => `${String.fromCharCode(97 + (n % 26))}u${String.fromCharCode(97 + Math.floor(n / 26))}gol`);

describe('what passes', () => {
  test.each([
    ['why do webhook retries wait so long?', WEBHOOKS],
    ['raise the backoff of the webhook client', WEBHOOKS],
    ['why did we pick sqlite?', hit('Use SQLite', 'No server on a laptop.')],
    ['what did we decide about sqlite', hit('Use SQLite', 'No server on a laptop.')],
    ['parseHttpUrl returns undefined for empty hosts', hit('URL parsing', 'parse_http_url keeps the port; an empty host is refused.')],
    ['something is off in src/billing/invoice.ts', hit('Invoices round half up', 'VAT is rounded per line.', { files: ['src/billing/invoice.ts'] })],
    ['ERR_AUTH_42 after the upgrade', hit('Token clock skew', 'ERR_AUTH_42 means that the clocks differ by more than a minute.')],
    ['データベース接続のタイムアウトを調べて', hit('データベース接続', 'データベース接続のタイムアウトは三十秒。')],
  ])('%j', (prompt, one) => {
    expect(passes(prompt, one)).toBe(true);
  });
});

describe('what does not pass', () => {
  test.each([
    ['one rare word in common', 'retries of the nightly backup to tape', WEBHOOKS],
    ['two rare words that stand apart outside the title', 'the payment form on mobile drops characters', WEBHOOKS],
    ['only words that every project has', 'add a test for the user page', hit('Error page', 'It shows the user a code.')],
    ['a request about something else', 'write a haiku about autumn leaves', WEBHOOKS],
    ['a common product name alone', 'set up a TypeScript project with prettier', hit('Compiler', 'TypeScript 7 checks the pure folders without Node.')],
    [
      'words strewn over a long text',
      'exponential gateway payment',
      hit('Minutes', `exponential ${'lorem ipsum dolor sit amet '.repeat(40)} gateway ${'consectetur adipiscing elit sed '.repeat(40)} payment`),
    ],
    ['a corner of a long prompt', `${FOREIGN.join(' ')}: webhook retries, exponential backoff, payment provider`, WEBHOOKS],
    ['one rare word of a prompt that is about more', 'the webhook code', WEBHOOKS],
  ])('%s', (_what, prompt, one) => {
    expect(passes(prompt, one)).toBe(false);
  });

  test('a message needs more evidence than a record', () => {
    const prompt = 'does the exponential backoff survive a restart, a crash and an upgrade of the mail cluster';
    const record = hit('', `${WEBHOOKS.title}. ${WEBHOOKS.text}`);
    expect([passes(prompt, record), passes(prompt, { ...record, kind: 'message' })]).toEqual([true, false]);
  });

  test('a message is not carried by the title of its session', () => {
    const prompt = 'webhook retries with exponential backoff';
    const said = hit(WEBHOOKS.title, 'Enjoy it, the branch with the retries is ready to merge.', { kind: 'message' });
    expect([passes(prompt, said), passes(prompt, { ...said, text: 'So webhook retries get an exponential backoff.' })]).toEqual([false, true]);
  });

  test('a record that people called wrong stays out, and one found useful comes in', () => {
    const [prompt, close] = ['raise the backoff of the webhook client', 'mobile shop: the payment form hides webhook badges from every clerk'];
    expect([passes(prompt, WEBHOOKS), passes(prompt, { ...WEBHOOKS, feedback: -2 })]).toEqual([true, false]);
    expect([passes(close, WEBHOOKS), passes(close, { ...WEBHOOKS, feedback: 1 })]).toEqual([false, true]);
  });
});

describe('a small memory', () => {
  test.each([1, 3, 10, 1_000])('of %i records opens for what it holds and stays shut otherwise', (total) => {
    expect(passes('why do webhook retries wait so long?', WEBHOOKS, total)).toBe(true);
    expect(passes('why is the login page so slow?', WEBHOOKS, total)).toBe(false);
  });

  test('a word that most of a large memory holds tells nothing', () => {
    const counts = new Map(analyze('webhook retries').map((term) => [term, 4_000]));
    expect(weigh('webhook retries again', { total: 10_000, counts, hits: [WEBHOOKS] })[0]?.passes).toBe(false);
  });
});

describe('the explanation', () => {
  const words = fc.constantFrom(
    'webhook',
    'retries',
    'backoff',
    'invoice',
    'src/a.ts',
    'parseUrl',
    'why',
    'did',
    'we',
    'test',
    'the',
    '数据',
    'ETIMEDOUT',
    '42',
    'payment',
  );
  const text = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '));

  test('sums to the strength', () => {
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: -5, max: 5 }), fc.double({ min: 0.01, max: 9, noNaN: true }), (prompt, title, body, feedback, score) => {
        for (const one of weigh(prompt, ranked([hit(title, body, { feedback, score }), WEBHOOKS]))) {
          expect(one.strength).toBeCloseTo(
            one.reasons.reduce((sum, { points }) => sum + points, 0),
            9,
          );
          for (const { words: said, points } of one.reasons) expect([said.length > 0, points !== 0]).toEqual([true, true]);
        }
      }),
    );
  });

  test('is the same by the terms that an index keeps as by the texts, which need not be read then', () => {
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 30 }), fc.array(words, { maxLength: 3 }), (prompt, title, sentences, tags) => {
        const one = hit(title, sentences.join('.\n'), { tags, files: ['src/a.ts', 'docs/webhook-notes.md'] });
        const kept = { ...one, pieces: packTexts({ title, tags, body: one.text, files: one.files }) };
        const said = (hits: readonly GateHit[]) => weigh(prompt, ranked(hits)).map(({ strength, reasons, passes: isIn }) => [strength, reasons, isIn]);
        expect(said([kept])).toEqual(said([one]));
      }),
    );
    const unread = { ...WEBHOOKS, title: '', text: '', pieces: packTexts({ ...WEBHOOKS, body: WEBHOOKS.text }) };
    expect(passes('why do webhook retries wait so long?', unread)).toBe(true);
  });

  test('a prompt that shares no word with a record never lets it through', () => {
    const foreign = fc.array(fc.constantFrom('giraffe', 'violin', 'harbour', 'didWeEver', 'last time', 'src/z.py', 'remember'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(foreign, (list) => {
        expect(passes(list.join(' '), WEBHOOKS)).toBe(false);
      }),
    );
  });

  test('the strongest comes first, and the order does not depend on that of the hits', () => {
    const hits = [hit('Invoices round half up'), WEBHOOKS, hit('Webhook secrets rotate monthly')];
    const ids = (list: readonly GateHit[]): string[] => weigh('webhook retries back off', ranked(list)).map((one) => one.hit.id);
    expect(ids(hits)[0]).toBe(WEBHOOKS.id);
    expect(ids(hits.toReversed())).toEqual(ids(hits));
  });
});
