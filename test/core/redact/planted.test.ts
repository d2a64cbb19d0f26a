import { describe, expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/text.ts';
import { redactDeep } from '../../../src/core/redact/deep.ts';
import { plant, SURROUNDINGS } from './planted.ts';

const SEEDS = 12;

describe('planted secrets', () => {
  test('at least 60 of at least 20 kinds are planted', () => {
    const planted = plant(1);
    expect(planted.length).toBeGreaterThanOrEqual(60);
    expect(new Set(planted.map((one) => one.kind)).size).toBeGreaterThanOrEqual(20);
    console.log(
      `planted: ${planted.length} secrets of ${new Set(planted.map((one) => one.kind)).size} kinds, ${Object.keys(SURROUNDINGS).length} surroundings, ${SEEDS} seeds`,
    );
  });

  test.each(Object.entries(SURROUNDINGS))('none is left, surroundings: %s', (_, surround) => {
    const left: string[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      for (const { kind, text, needles } of plant(seed)) {
        const around = surround(text);
        const { text: clean, redactions } = redact(around);
        if (needles.some((needle) => clean.includes(needle)) || redactions.length === 0) left.push(`${seed} ${kind}: ${around} => ${clean}`);
      }
    }
    expect(left).toEqual([]);
  });

  test('none is left in one long transcript, nor in a record', () => {
    const planted = plant(77);
    const transcript = planted.map((one, i) => `message ${i}\n${one.text}`).join('\n\n');
    const clean = redact(transcript).text;
    const record = redactDeep({ title: 'x', content: { steps: planted.map((one) => one.text) } });
    const written = JSON.stringify(record.value);
    for (const { needles } of planted) {
      for (const needle of needles) {
        expect(clean).not.toContain(needle);
        expect(written).not.toContain(needle);
      }
    }
  });

  test('a JSON line that held one is still JSON', () => {
    for (let seed = 1; seed <= 4; seed++) {
      for (const { text } of plant(seed)) {
        for (const name of ['JSON line', 'JSON in JSON'])
          expect(() => JSON.parse(redact(SURROUNDINGS[name]?.(text) ?? '').text) as unknown, text).not.toThrow();
      }
    }
  });

  test('a report names kind and place and never the value', () => {
    for (const { kind, text, needles } of plant(5)) {
      const { redactions } = redact(text);
      expect(
        redactions.map((one) => one.kind),
        text,
      ).toContain(kind === 'twilio-key' && needles[0]?.length === 32 ? 'token' : kind);
      expect(JSON.stringify(redactions)).not.toContain(needles[0]);
      for (const one of redactions) expect(Object.keys(one).toSorted()).toEqual(['end', 'kind', 'start']);
    }
  });
});
