import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowBytes } from '../../../src/adapters/episodes/lines.ts';
import { redact } from '../../../src/core/redact/text.ts';

const token = `gh${'p_'}${'a1B2c3D4e5F6'.repeat(3)}`;

describe('the low bytes of a text', () => {
  it('are those of its characters, in a text of any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.integer({ min: 1, max: 200 }), (part, times) => {
        const text = part.repeat(times);
        const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) & 255);
        expect(Buffer.from(lowBytes(text).subarray(0, text.length)).equals(Buffer.from(codes))).toBe(true);
      }),
    );
  });

  it('find the same secrets as its characters', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(token, 'password = "hunter2-Zq9!"', '<private>', '→ ✓ — ', 'x'.repeat(300)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join(' ');
        expect(redact(text, lowBytes)).toEqual(redact(text));
      }),
    );
    expect(redact(`${'→ '.repeat(300)}${token}`, lowBytes).redactions).toHaveLength(1);
  });
});
