import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compress, joinSections, markdownSections } from '../../../src/app/memory-files/compress.ts';
import { planUpdate, withoutSummary } from '../../../src/app/memory-files/plan.ts';

const TEXT = `# Project

## Architecture
Use SQLite: it needs no server. See [the index](docs/index.md).

### Build Log
long lines

### Details
kept

## Version history
old

### March
older

## Decisions
last
`;

describe('compression', () => {
  it('takes out whole sections headed as logs or histories and leaves the rest in order', () => {
    const { text, dropped } = compress(TEXT);
    expect(text).toBe(
      '# Project\n\n## Architecture\nUse SQLite: it needs no server. See [the index](docs/index.md).\n\n### Details\nkept\n\n## Decisions\nlast\n',
    );
    expect(dropped).toEqual([
      { heading: 'Build Log', text: '### Build Log\nlong lines' },
      { heading: 'Version history', text: '## Version history\nold\n\n### March\nolder' },
    ]);
  });

  it.each(['Login', 'Logic', 'Catalog', 'Changelog', 'Blog', 'Prehistory', 'Analog'])('keeps ## %s', (heading) => {
    expect(compress(`## ${heading}\ntext`).dropped).toEqual([]);
  });

  it.each(['LOG', 'Session logs', 'History', 'Change history (2025)', 'the log: errors'])('drops ## %s', (heading) => {
    expect(compress(`## ${heading}\ntext\n## B\nb`).text).toBe('## B\nb');
  });

  it('leaves headings alone that are code, or too high or low', () => {
    for (const text of ['```md\n## Log\n```', '# Log\ntext', '#### History\ntext']) expect(compress(text).text).toBe(text);
  });

  it('loses nothing: what stays and what goes are all there was', () => {
    const line = fc.constantFrom('## Log', '### History', '## A', '# T', '```', 'text', '', '### B');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        expect(joinSections(markdownSections(text))).toBe(text);
        const { text: kept, dropped } = compress(text);
        const words = (all: string): string[] =>
          all
            .split('\n')
            .filter((one) => one !== '')
            .toSorted();
        expect(words([kept, ...dropped.map((section) => section.text)].join('\n'))).toEqual(words(text));
      }),
    );
  });
});

const summary = (time: string, words = 'said'): string => `## Session Summary - ${time}\n\n### Key Decisions\n- ${words}\n`;
const LIMITS = { compressionThreshold: 30_000, maxMemorySize: 50_000 };

describe('an update of the text', () => {
  it('puts the newest on top and changes nothing else below the threshold', () => {
    const { text, dropped, moved } = planUpdate(`# Memory\n\n## Log\n${'x'.repeat(29_000)}`, summary('2026-02-03 10:00'), LIMITS);
    expect(text.startsWith('## Session Summary - 2026-02-03 10:00\n\n### Key Decisions\n- said\n\n\n# Memory\n\n## Log\nx')).toBe(true);
    expect({ dropped, moved }).toEqual({ dropped: [], moved: [] });
  });

  it('compresses above compressionThreshold, not only above maxMemorySize', () => {
    const { text, dropped, notices } = planUpdate(`## Log\n${'x'.repeat(31_000)}\n## Keep\nk`, summary('2026-02-03 10:00', 'a log of it'), LIMITS);
    expect(dropped.map(({ heading }) => heading)).toEqual(['Log']);
    expect(text).toBe(`${summary('2026-02-03 10:00', 'a log of it')}\n\n## Keep\nk`);
    expect(notices).toEqual(['took out, kept in the session log: Log']);
  });

  it('moves the oldest summaries out, whole, until the rest fits', () => {
    const old = ['2026-02-02 10:00', '2026-02-01 10:00', '2026-01-31 10:00'].map((time) => summary(time, 'y'.repeat(20_000)));
    const { text, moved, notices } = planUpdate(`${old.join('\n\n')}\n\n# Hand-written\nstays`, summary('2026-02-03 10:00'), LIMITS);
    expect(moved.map(({ time }) => time)).toEqual(['2026-01-31 10:00']);
    expect(moved[0]?.text).toBe(old[2]?.trimEnd());
    expect(text).toContain('2026-02-01 10:00');
    expect(text).toContain('# Hand-written\nstays');
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(notices).toEqual(['moved to the session logs: Session Summary - 2026-01-31 10:00']);
  });

  it('takes the lower of two summaries of the same minute for the older', () => {
    const at = '2026-02-02 10:00';
    const { moved } = planUpdate([3, 2, 1].map((n) => summary(at, `${n} ${'y'.repeat(20_000)}`)).join('\n\n'), summary(at, 'new'), LIMITS);
    expect(moved.map(({ text }) => text.slice(0, 70))).toEqual([expect.stringContaining('- 1 y')]);
  });

  it('never cuts what a person wrote: it says that the file is too large', () => {
    const hand = `# Notes\n${'z'.repeat(60_000)}`;
    const { text, notices } = planUpdate(hand, summary('2026-02-03 10:00'), LIMITS);
    expect(text).toContain(hand);
    expect(notices.join()).toContain('nothing was lost');
  });

  it('can leave out an earlier summary of one session: no other of the same minute, nor what a person changed or wrote below', () => {
    const time = '2026-02-03 10:00';
    const body = '### Key Decisions\n- mine';
    const without = (text: string): string | undefined => withoutSummary(text, { time, length: body.length, matches: (said) => said === body });
    expect(without(`${summary(time, 'mine')}\n\n# Rest`)).toBe('# Rest');
    for (const other of ['ours', 'theirs']) {
      expect(without(`${summary(time, other)}\n\n${summary(time, 'mine')}\n\n# Rest`)).toBe(`${summary(time, other)}\n\n# Rest`);
    }
    expect(without(`${summary(time, 'mine')}\n\nby hand\n\n# Rest`)).toBe('by hand\n\n# Rest');
    expect(without(summary(time, 'mine, edited'))).toBeUndefined();
    expect(without(summary('2026-02-03 10:01', 'mine'))).toBeUndefined();
  });
});
