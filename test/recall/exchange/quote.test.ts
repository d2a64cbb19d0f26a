import { describe, expect, test } from 'vitest';
import { strengthOf } from '../../../src/recall/exchange/evidence.ts';
import { changesOf } from '../../../src/recall/exchange/later.ts';
import { quoteSettled } from '../../../src/recall/exchange/quote.ts';
import { rankExchanges } from '../../../src/recall/exchange/rank-exchanges.ts';
import { quotableSentences } from '../../../src/recall/exchange/sentences.ts';
import { analyze } from '../../../src/recall/text/analyze.ts';
import { spent } from '../../processor.ts';
import { exchangeIndex, type Talk } from './index.ts';

const RETRY: Talk = [
  '> The upstream API blocks us with 429s; is our retrier too aggressive?',
  'Let me look at the retrier.\n\n```python\nMAX_ATTEMPTS = 10\n```\n\nIt retries ten times. I would lower it to five.',
  '> 5 leaves retries on the table, we measured the window. Seven fit, eight trip it.',
  'Final: `MAX_ATTEMPTS` is exactly 7, because the eighth attempt crosses the measured rate-limit window.',
];
const FENCE: Talk = ['> Paint the fence blue', 'The fence is blue now.'];
const KETTLE: Talk = ['> The kettle in the kitchen is broken', 'The kettle needs a new fuse.'];
const FILLER: readonly Talk[] = Array.from({ length: 12 }, (_, nth) => [`> What about matter ${nth}?`, `Matter ${nth} is as it was, nothing new there.`]);

const ask = 'Our retrier retries past the rate-limit window. Restore the intended attempts.';
const termsOf = (text: string): string[] => [...new Set(analyze(text))];

async function quoted(talks: readonly Talk[], prompt: string, tokens = 120): Promise<readonly string[]> {
  const index = exchangeIndex(talks);
  const { ranked, rarity } = await rankExchanges(index, termsOf(prompt), 2);
  const read = await Promise.all(
    ranked.map(async ({ first, next, score }) => ({ turns: await index.turns(first, next), nearness: score / (ranked[0]?.score ?? 1) })),
  );
  return quoteSettled(read, { terms: new Set(termsOf(prompt)), rarity }, tokens).map(({ byUser, text }) => `${byUser ? 'user: ' : ''}${text}`);
}

describe('a quotation', () => {
  test('is where the matter came out, before where it began; code and small talk are left out', async () => {
    const lines = await quoted([...FILLER, FENCE, RETRY, KETTLE], ask);
    expect(lines).toContain('Final: `MAX_ATTEMPTS` is exactly 7, because the eighth attempt crosses the measured rate-limit window.');
    expect(lines.join('\n')).toMatch(/user: .*we measured the window/);
    expect(lines.join('\n')).not.toMatch(/MAX_ATTEMPTS = 10|Let me look|fence|kettle/);
  });

  test('is what was done, before what the agent was about to do', async () => {
    const talk: Talk = [
      '> Our retrier must respect the window',
      'Now update `retrier.ts` to respect the rate-limit window of the retrier.\nStep 2: the retrier and its window\nThen run the retrier against the window again.',
      'The retrier keeps its attempts inside the window since `retrier.ts` counts them.\nNow whenever the window closes, the retrier waits for the next one.',
    ];
    const lines = await quoted([...FILLER, talk], ask, 60);
    expect(lines.join('\n')).toMatch(/counts them.*\n.*Now whenever the window closes/);
    expect(lines.join('\n')).not.toMatch(/Now update|Step 2|Then run/);
  });

  test('of a long exchange about many matters is about the one that the prompt asks for', async () => {
    const others = Array.from({ length: 40 }, (_, nth) => `Root cause: **\`shed${nth}.ts\`** must never open door ${nth} because the latch is worn.`);
    const harbour = 'The harbour lease falls to the second tenant when the clock jumps back.';
    const talk: Talk = ['> Go through the whole yard', others.slice(0, 20).join('\n'), harbour, others.slice(20).join('\n')];
    const lines = await quoted([...FILLER, talk], 'who gets the harbour lease?', 40);
    expect(lines).toContain(harbour);
  });

  test('keeps within its tokens, and says in order what was said in order', async () => {
    expect(await quoted([...FILLER, RETRY], ask, 45)).toHaveLength(1);
    expect(await quoted([...FILLER, RETRY], ask, 0)).toEqual([]);
    const lines = await quoted([...FILLER, RETRY], ask, 400);
    expect(lines.findIndex((line) => line.includes('Seven fit'))).toBeLessThan(lines.findIndex((line) => line.startsWith('Final')));
  });

  test('says what the prompt does not say itself, without addresses of links, and nothing that only announces', async () => {
    const prompt = 'Investigate the lost harbour lease of issue 7340 again and find the root cause';
    const lines = await quoted(
      [
        ...FILLER,
        [
          `> ${prompt}`,
          'What I found on the harbour lease of issue 7340:\n\nThe harbour lease is lost since [`clock.ts:40`](src/deep/folder/of/the/clock.ts:40) jumps back, e.g. `tick(3)` counts twice.',
        ],
      ],
      prompt,
    );
    expect(lines).toEqual(['The harbour lease is lost since `clock.ts:40` jumps back, e.g. `tick(3)` counts twice.']);
  });

  test('holds nothing that the client wrote in the name of the user', async () => {
    const form = 'The user wants to clarify these questions.\n    They may have more context on the harbour lease that is lost.';
    const talk: Talk = ['> The harbour lease is lost', 'Which lease?', `> ${form}`, 'The harbour lease is lost because the clock jumps back.'];
    expect(await quoted([...FILLER, talk], 'why is the harbour lease lost?')).toEqual(['The harbour lease is lost because the clock jumps back.']);
  });

  test('says nothing that a record beside it says', async () => {
    const index = exchangeIndex([...FILLER, RETRY]);
    const { ranked, rarity } = await rankExchanges(index, termsOf(ask), 1);
    const [{ first, next }] = ranked as [(typeof ranked)[number]];
    const read = [{ turns: await index.turns(first, next), nearness: 1 }];
    const records = new Set(termsOf('MAX_ATTEMPTS is exactly 7. Rationale: the eighth attempt crosses the measured rate-limit window.'));
    const final = (asked: { readonly records?: ReadonlySet<string> }): boolean =>
      quoteSettled(read, { terms: new Set(termsOf(ask)), rarity, ...asked }, 200).some(({ text }) => text.startsWith('Final:'));
    expect([final({}), final({ records })]).toEqual([true, false]);
  });

  test('holds no line of the user with a long address or a key in it', async () => {
    const said = [
      "The mirror asked for a password for 'https://x@8b04592ed74a5cce30d355b07276caf3.artifacts.example.net/mirror' twice",
      'The mirror with the key cf1199155bddd051268d1f16ac5c0c75 was the one of the harbour',
      'The mirror of the harbour stands at https://example.net/mirror and was moved there',
    ];
    const lines = await quoted([...FILLER, ['> Look', 'I looked.', `> ${said.join('\n')}`, 'Done.']], 'why was the harbour mirror refused?', 300);
    expect(said.map((line) => lines.includes(`user: ${line}`))).toEqual([false, false, true]);
  });

  test('of a long prompt holds what was typed, not what was pasted', async () => {
    const log = Array.from({ length: 30 }, (_, nth) => `2026-01-01T10:00:${nth} worker ${nth} lost the harbour lease`).join('\n');
    const lines = await quoted(
      [...FILLER, [`> Why is the harbour lease lost?\n\n${log}`, 'The harbour lease is lost because the clock jumps.']],
      'the harbour lease is lost',
    );
    expect(lines.join('\n')).not.toContain('worker 3');
    expect(lines).toContain('The harbour lease is lost because the clock jumps.');
  });
});

describe('exchanges', () => {
  test('rank by what they share with a prompt, newer before older where they share the same', async () => {
    const index = exchangeIndex([RETRY, ...FILLER, FENCE, RETRY]);
    const { ranked } = await rankExchanges(index, termsOf(ask), 3);
    expect(ranked.map(({ session }) => session.id).slice(0, 2)).toEqual(['s14', 's0']);
    expect((await rankExchanges(index, termsOf(ask), 1, 's14')).ranked[0]?.session.id).toBe('s0');
  });

  test('speak when the words of the prompt are theirs, and not for a word or two in common', async () => {
    const index = exchangeIndex([...FILLER, FENCE, RETRY, KETTLE]);
    const strength = async (prompt: string): Promise<boolean> => {
      const ranking = await rankExchanges(index, termsOf(prompt), 1);
      return strengthOf(ranking.ranked[0]?.evidence ?? [], { text: prompt, terms: termsOf(prompt) }, ranking).passes;
    };
    expect(await strength('which attempt of the retries crosses the measured rate-limit window?')).toBe(true);
    expect(await strength('write a new page for the kitchen planner with drag and drop')).toBe(false);
    expect(await strength('nothing at all of this was ever said')).toBe(false);
  });

  test('of a large project speak on stronger evidence only', () => {
    const evidence = ['harbour', 'lease', 'tenant'].map((term) => ({ term, score: 3 }));
    const prompt = { text: 'who is the tenant of the harbour lease by the tower', terms: ['tenant', 'harbour', 'lease', 'tower', 'bell'] };
    const passes = (exchanges: number): boolean => strengthOf(evidence, prompt, { rarity: () => 4, exchanges }).passes;
    expect([80, 300, 5_000].map(passes)).toEqual([true, true, false]);
  });

  test('speak for the number of an issue that was spoken of, and not for letters and small numbers', async () => {
    const issue: Talk = ['> Analyse issue 7427', 'Issue 7427 is about the lost repaint of the prompt: step 4 of 12 in part b runs twice.'];
    const index = exchangeIndex([...FILLER, issue, KETTLE]);
    const passes = async (prompt: string): Promise<boolean> => {
      const ranking = await rankExchanges(index, termsOf(prompt), 1);
      return strengthOf(ranking.ranked[0]?.evidence ?? [], { text: prompt, terms: termsOf(prompt) }, ranking).passes;
    };
    expect(await passes('close 7427')).toBe(true);
    expect(await passes('is b 4 or 12 here')).toBe(false);
  });

  test('give a plan that was pasted whole less room than a question', async () => {
    const index = exchangeIndex([...FILLER, RETRY, KETTLE]);
    const room = async (prompt: string): Promise<number> => {
      const ranking = await rankExchanges(index, termsOf(prompt), 1);
      return strengthOf(ranking.ranked[0]?.evidence ?? [], { text: prompt, terms: termsOf(prompt) }, ranking).room;
    };
    const plan = Array.from({ length: 90 }, (_, nth) => `step${nth}of`).join(' ');
    const question = `Did we decide how many attempts of the aggressive retrier cross the measured upstream rate-limit window? ${ask}`;
    expect(await room(`${question}\n${plan}`)).toBeLessThan(await room(question));
  });

  test('that a later session changed are followed by what changed them', async () => {
    const rule: Talk = ['> Duplicate contacts after each sync', 'Settled: merge keys on lowercased email and calendar day, the latest record wins.'];
    const amendment: Talk = [
      '> Amendment to the merge rule: the latest record wipes names when it has only an email.',
      'Amended rule: merge keys stay lowercased email and calendar day, but the most filled record wins.',
    ];
    const index = exchangeIndex([...FILLER, rule, FENCE, amendment, KETTLE]);
    const { ranked } = await rankExchanges(index, termsOf('duplicate contacts after sync'), 1);
    const [first] = ranked;
    if (first === undefined) throw new Error('nothing ranked');
    expect(first.session.id).toBe('s12');
    const later = await changesOf(index, { ...first, turns: await index.turns(first.first, first.next) });
    expect(later?.session.id).toBe('s14');
    const unchanged = exchangeIndex([...FILLER, rule, FENCE, ['> Thanks', 'The merge by email and day works.']]);
    expect(await changesOf(unchanged, { ...first, turns: await unchanged.turns(first.first, first.next) })).toBeUndefined();
  });

  test.each([
    ['Done: the watchdog kills a Halyard upload after 90 seconds instead of 30.', true],
    ['I raised the limit of the Halyard watchdog from 30 to 90 seconds.', true],
    ['The Halyard watchdog logs each upload instead of none, after 30 seconds as before.', false],
    ['The Halyard watchdog and its upload are tested. The page shows 12 rows instead of 30.', false],
  ])('change when what was settled is replaced: %j', async (said, changes) => {
    const settled: Talk = ['> When does the watchdog kill a Halyard upload?', 'Settled: the watchdog kills a Halyard upload to the archive after 30 seconds.'];
    const index = exchangeIndex([...FILLER, settled, ['> Look at the Halyard watchdog and its upload', said]]);
    const { ranked } = await rankExchanges(index, termsOf('when does the watchdog kill an upload to the archive?'), 3);
    const first = ranked.find(({ session }) => session.id === 's12') as (typeof ranked)[number];
    const later = await changesOf(index, { ...first, turns: await index.turns(first.first, first.next) });
    expect(later?.session.id === 's13').toBe(changes);
  });

  test('change without the time that a long row of marks could take', async () => {
    const settled: Talk = [
      '> When does the watchdog kill a Halyard upload?',
      `The watchdog kills a Halyard upload to the archive after (.30-). ${'@'.repeat(100_000)}`,
    ];
    const said = 'Done: the watchdog kills a Halyard upload after 90 seconds instead of 30.';
    const index = exchangeIndex([...FILLER, settled, ['> Look at the Halyard watchdog and its upload', said]]);
    const { ranked } = await rankExchanges(index, termsOf('when does the watchdog kill an upload to the archive?'), 3);
    const first = ranked.find(({ session }) => session.id === 's12') as (typeof ranked)[number];
    const turns = await index.turns(first.first, first.next);
    const before = spent();
    expect((await changesOf(index, { ...first, turns }))?.session.id).toBe('s13');
    expect(spent() - before).toBeLessThan(1_500);
  });
});

test('sentences leave out code, tables, headings and what programs print', () => {
  const text = '# Head\n\nThe cause is a **stale lock**. It is removed now.\n\n| a | b |\n\n$ npm test\n\n```\ncode();\n```\n- A list item says more.';
  expect(quotableSentences(text).map((sentence) => sentence.text)).toEqual(['The cause is a stale lock.', 'It is removed now.', 'A list item says more.']);
});

test('sentences end at the marks of scripts without spaces as well', () => {
  expect(quotableSentences('原因是缓存没有清空所以测试失败。修复方法是删除旧文件再运行！').map(({ text }) => text)).toEqual([
    '原因是缓存没有清空所以测试失败。',
    '修复方法是删除旧文件再运行！',
  ]);
});
