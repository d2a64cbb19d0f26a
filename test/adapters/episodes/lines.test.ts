import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transcriptFiles } from '../../../src/adapters/episodes/lines.ts';
import { TOO_LONG } from '../../../src/core/ports/episodes.ts';
import { scratch } from '../../scratch.ts';

interface Given {
  readonly line: string | typeof TOO_LONG;
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

function linesOf(file: string, from = 0): readonly Given[] {
  const lines = transcriptFiles.open(file, from);
  const given: Given[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) given.push({ line, start: lines.start, end: lines.end, whole: lines.whole });
  lines.close();
  return given;
}

const LINE = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, ' ')),
  fc.nat({ max: 700_000 }).map((length) => 'long '.repeat(length / 5)),
);

describe('the lines of a file', () => {
  it('are all given, with the bytes they take, whatever their length', () => {
    const file = path.join(scratch(), 'a.jsonl');
    fc.assert(
      fc.property(fc.array(LINE, { maxLength: 12 }), fc.boolean(), fc.constantFrom('\n', '\r\n'), (lines, ended, newline) => {
        const content = lines.join(newline) + (ended && lines.length > 0 ? newline : '');
        fs.writeFileSync(file, content);
        const given = linesOf(file);
        const expected = content.split('\n').map((line, nth, all) => (nth < all.length - 1 ? line.replace(/\r$/, '') : line));
        if (expected.at(-1) === '') expected.pop();
        expect(given.map(({ line }) => line)).toEqual(expected);
        const bytes = fs.readFileSync(file);
        let at = 0;
        for (const { line, start, end, whole } of given) {
          expect(start).toBe(at);
          expect(bytes.toString('utf8', start, end).replace(/\r?\n$/, '')).toBe(line);
          expect(whole).toBe(bytes[end - 1] === 10);
          at = end;
        }
        expect(at).toBe(bytes.length);
      }),
      { numRuns: 60 },
    );
  });

  it('go on from any place that a line began', () => {
    const file = path.join(scratch(), 'a.jsonl');
    fs.writeFileSync(file, Array.from({ length: 50 }, (_, n) => `{"line":${n},"text":"${'ü'.repeat(n * 3)}"}\n`).join(''));
    const all = linesOf(file);
    for (const [nth, { start }] of all.entries()) expect(linesOf(file, start)).toEqual(all.slice(nth));
  });

  it('that would not fit into memory are passed over, and those around them given', () => {
    const file = path.join(scratch(), 'a.jsonl');
    const handle = fs.openSync(file, 'w');
    fs.writeSync(handle, 'first\n');
    for (const megabytes of [25, 20, 90]) {
      for (let n = 0; n < megabytes; n++) fs.writeSync(handle, 'x'.repeat(1 << 20));
      fs.writeSync(handle, '\nnext\n');
    }
    fs.closeSync(handle);
    const given = linesOf(file).map(({ line }) => (typeof line === 'string' && line.length > 9 ? line.length >> 20 : line));
    expect(given).toEqual(['first', TOO_LONG, 'next', 20, 'next', TOO_LONG, 'next']);
  });

  it('are told apart from those of another file by what lies before a place', () => {
    const folder = scratch();
    const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
    fs.writeFileSync(a, `${'same '.repeat(400)}one`);
    fs.writeFileSync(b, `${'same '.repeat(400)}two`);
    const [first, second] = [transcriptFiles.open(a, 0), transcriptFiles.open(b, 0)];
    expect(first.anchor(2_000)).toBe(second.anchor(2_000));
    expect(first.anchor(2_003)).not.toBe(second.anchor(2_003));
    first.close();
    second.close();
  });
});
