import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteLine } from '../../../src/adapters/episodes/lines.ts';
import { readerFor } from '../../../src/capture/transcripts/detect.ts';
import type { TranscriptText } from '../../../src/core/ports/episodes.ts';
import { answered, claude, fixture, replied, said } from '../../capture/transcripts/reading.ts';

const LONG = 'what a tool printed — größer als nötig 🦀 '.repeat(60);
/** As the client writes it: its own copy of a result lies between the message and the record's last fields. */
const withCopy = (content: string, copy: unknown): string =>
  answered('t1', content).replace(/\}$/, `,"toolUseResult":${JSON.stringify(copy)},"userType":"external"}`);

const LINES = [
  ...['claude-code-1.0.jsonl', 'claude-code-2.0.jsonl', 'claude-code-2.1.jsonl'].flatMap((name) => fixture(name).trimEnd().split('\n')),
  said('größe 🦀'),
  replied('m1', [{ type: 'text', text: LONG }]),
  withCopy(LONG, { stdout: LONG }),
  withCopy('', { stdout: LONG }),
  claude({ type: 'progress', data: { text: LONG } }),
  `${claude({ type: 'progress' })}${said('glued to it')}`,
  `${withCopy(LONG, 'ü')}${said('glued to that')}`,
  '\uFEFF{"type":"user"',
  '',
];

const eventsOf = (lines: readonly TranscriptText[]) => {
  const reader = readerFor('claude-code', { path: '/x/projects/-p/s.jsonl' });
  return [...lines.flatMap((line) => reader.push(line)), ...reader.end()];
};

const undecoded = (text: string): TranscriptText => new ByteLine(Buffer.from(text));

describe('a line that is not decoded', () => {
  it('says what its text says', () => {
    expect(eventsOf(LINES.map(undecoded))).toEqual(eventsOf(LINES));
  });

  it('says so wherever it was cut or joined to another', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const line = fc.tuple(fc.constantFrom(...LINES), fc.constantFrom(...LINES), place, place).map(([one, other, end, start]) => {
      // Whole characters only: half of one is decoded to another character than it was.
      const [head, tail] = [[...one], [...other]];
      return head.slice(0, Math.floor(end * head.length)).join('') + tail.slice(Math.floor(start * tail.length)).join('');
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        expect(eventsOf(lines.map(undecoded))).toEqual(eventsOf(lines));
      }),
      { numRuns: 100 },
    );
  });
});
