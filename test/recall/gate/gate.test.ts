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

const stepFor = (prompt: string, one: GateHit, total?: number): string | undefined => weigh(prompt, ranked([one], total))[0]?.step;

const WEBHOOKS = hit('Webhook retries use exponential backoff', 'The payment provider drops webhooks under load, so that retries back off up to an hour.');

/** Sixty words that occur nowhere else. */
const FOREIGN = Array.from({ length: 60 }, (_, n) => `${String.fromCharCode(97 + (n % 26))}u${String.fromCharCode(97 + Math.floor(n / 26))}gol`);

describe('what is shown', () => {
  test.each([
    ['why do webhook retries wait so long?', WEBHOOKS],
    ['raise the backoff of the webhook client', WEBHOOKS],
    ['why did we pick sqlite?', hit('Use SQLite', 'No server on a laptop.')],
    ['what did we decide about sqlite', hit('Use SQLite', 'No server on a laptop.')],
    ['データベース接続のタイムアウトを調べて', hit('データベース接続', 'データベース接続のタイムアウトは三十秒。')],
  ])('%j', (prompt, one) => {
    expect(stepFor(prompt, one)).toBe('show');
  });
});

describe('what is only named', () => {
  test.each([
    ['one rare word of the title', 'where are the webhook secrets stored', WEBHOOKS],
    [
      'a task that shares the subject of a constraint',
      'let the customers edit their invoice in the billing admin',
      hit('Invoices are immutable and numbered without gaps'),
    ],
    ['a code in the text', 'ERR_AUTH_42 after the upgrade', hit('Token clock skew', 'ERR_AUTH_42 means that the clocks differ by more than a minute.')],
  ])('%s', (_what, prompt, one) => {
    expect(stepFor(prompt, one)).toBe('name');
  });
});

describe('what is told with its deciding sentence', () => {
  const carriedFor = (prompt: string, one: GateHit): boolean | undefined => weigh(prompt, ranked([one]))[0]?.showsSentence;
  const [prompt, dropped] = ["let's expose this through graphql", hit('GraphQL was dropped', 'REST with fields is enough.')];

  test.each([
    ['a rare word that carries a title', prompt, dropped],
    [
      'a task that would break a constraint',
      'read the csv with pandas in extract/payments.py',
      hit('No pandas in extractor code', '', { category: 'constraint' }),
    ],
  ])('%s', (_what, asked, one) => {
    expect([stepFor(asked, one), carriedFor(asked, one)]).toEqual(['name', true]);
  });

  test.each([
    [
      'a rare word among many others of the title',
      prompt,
      hit('Public endpoints speak plain HTTP with fields, cursors and problem details, GraphQL stays internal'),
    ],
    ['a summary, which decides nothing', prompt, { ...dropped, category: 'session_summary' as const }],
    ['nearness in meaning without the words', 'timestamps drift up north', hit('Clock is minutes off', '', { similarity: 1 })],
  ])('not %s', (_what, asked, one) => {
    expect([stepFor(asked, one), carriedFor(asked, one)]).toEqual(['name', false]);
  });

  test('not what the model that was asked finds unrelated', () => {
    const carried = (similarity?: number) =>
      weigh(prompt, { ...ranked([{ ...dropped, ...(similarity && { similarity }) }]), byMeaning: true })[0]?.showsSentence;
    expect([carried(), carried(0.1)]).toEqual([false, true]);
  });
});

describe('what a record rules out', () => {
  const strengthFor = (prompt: string, text: string, title = 'Gameplay code'): number | undefined => weigh(prompt, ranked([hit(title, text)]))[0]?.strength;

  test.each([
    ['use linq for the nearest enemy', 'No LINQ in loops.', 'LINQ in loops.'],
    ['send the event through kafka', 'NATS instead of Kafka.', 'NATS and Kafka.'],
    ['put the token into tfvars', 'Values never stand in tfvars.', 'Values stand in tfvars.'],
    ['take pandas for the csv', 'Don’t use pandas here.', 'Use pandas here.'],
  ])('counts more than what it only speaks of: %s', (prompt, against, of) => {
    expect(strengthFor(prompt, against)).toBeGreaterThan(strengthFor(prompt, of) ?? 0);
  });

  test('is enough as a single word outside the title', () => {
    const steps = ['No phone numbers in exports.', 'Read by phone in the field.'].map((text) => stepFor('one sec, phone', hit('Farm portal', text)));
    expect(steps).toEqual(['name', 'silent']);
  });

  test('ends with its clause', () => {
    const prompt = 'use linq for the nearest enemy';
    expect(strengthFor(prompt, 'No singletons. LINQ in loops.')).toBe(strengthFor(prompt, 'Singletons. LINQ in loops.'));
  });

  test('is told with its deciding sentence', () => {
    const told = (text: string) => weigh('call weatherkit', ranked([hit('Rain history comes from the met office', text)]))[0]?.showsSentence;
    expect([told('No WeatherKit, it needs attribution.'), told('WeatherKit needs attribution.')]).toEqual([true, false]);
  });
});

describe('what is left out', () => {
  test.each([
    ['one word in common outside the title', 'which provider sells concert tickets', WEBHOOKS],
    [
      'a file that the prompt names',
      'sort the includes in src/power/pm.c',
      hit('STOP2 between samples, not Standby', '', { tags: ['power', 'sleep'], files: ['src/power/pm.c'] }),
    ],
    ['only words that every project has', 'add a test for the user page', hit('Error codes', 'The page shows the user a code.')],
    ['a request about something else', 'write a haiku about autumn leaves', WEBHOOKS],
    [
      'words strewn over a long text',
      'exponential gateway payment',
      hit('Minutes', `exponential ${'lorem ipsum dolor sit amet '.repeat(40)} gateway ${'consectetur adipiscing elit sed '.repeat(40)} payment`),
    ],
    [
      'a word of the title in a long prompt about other things',
      `${FOREIGN.join(' ')}: webhook`,
      hit('Webhook secrets rotate every month by the vault of the platform'),
    ],
  ])('%s', (_what, prompt, one) => {
    expect(stepFor(prompt, one)).toBe('silent');
  });

  test('a document needs more evidence than a record, and is never named', () => {
    const prompt = 'raise the backoff of the webhook client';
    expect([stepFor(prompt, WEBHOOKS), stepFor(prompt, { ...WEBHOOKS, kind: 'document' })]).toEqual(['show', 'silent']);
  });

  test('a word counts for less in a path', () => {
    const one = hit('Standby mode drains the battery');
    const strength = (prompt: string): number => weigh(prompt, ranked([one]))[0]?.strength ?? 0;
    expect(strength('sort src/standby/battery.c')).toBeLessThan(strength('sort standby battery'));
  });

  test('a record that people called wrong stays out, and one found useful is shown', () => {
    const [prompt, close] = ['raise the backoff of the webhook client', 'which webhook retries should the mobile shop hide from every clerk'];
    expect([stepFor(prompt, WEBHOOKS), stepFor(prompt, { ...WEBHOOKS, feedback: -1 })]).toEqual(['show', 'silent']);
    expect([stepFor(close, WEBHOOKS), stepFor(close, { ...WEBHOOKS, feedback: 1 })]).toEqual(['name', 'show']);
  });

  test('nearness in meaning adds to the evidence of words, and can stand alone', () => {
    const one = hit('Clock is minutes off after a week in cold water');
    const prompt = 'timestamps drift up north';
    expect([0, 0.9, 1].map((similarity) => stepFor(prompt, { ...one, similarity }))).toEqual(['silent', 'silent', 'name']);
  });
});

describe('a small memory', () => {
  test.each([1, 3, 10, 1_000])('of %i records opens for what it holds and stays shut otherwise', (total) => {
    expect(stepFor('why do webhook retries wait so long?', WEBHOOKS, total)).toBe('show');
    expect(stepFor('why is the login page so slow?', WEBHOOKS, total)).toBe('silent');
  });

  test('a word that most of a large memory holds tells nothing', () => {
    const counts = new Map(analyze('webhook retries').map((term) => [term, 4_000]));
    expect(weigh('webhook retries again', { total: 10_000, counts, hits: [WEBHOOKS] })[0]?.step).toBe('silent');
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
        const kept = { ...one, packedTexts: packTexts({ title, tags, body: one.text, files: one.files }) };
        const said = (hits: readonly GateHit[]) => weigh(prompt, ranked(hits)).map(({ strength, reasons, step }) => [strength, reasons, step]);
        expect(said([kept])).toEqual(said([one]));
      }),
    );
    const unread = { ...WEBHOOKS, title: '', text: '', packedTexts: packTexts({ ...WEBHOOKS, body: WEBHOOKS.text }) };
    expect(stepFor('why do webhook retries wait so long?', { ...unread, title: WEBHOOKS.title })).toBe('show');
  });

  test('a prompt that shares no word with a record never lets it through', () => {
    const foreign = fc.array(fc.constantFrom('giraffe', 'violin', 'harbour', 'didWeEver', 'last time', 'src/z.py', 'remember'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(foreign, (list) => {
        expect(stepFor(list.join(' '), WEBHOOKS)).toBe('silent');
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
