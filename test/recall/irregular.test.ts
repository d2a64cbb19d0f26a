import { describe, expect, it } from 'vitest';
import { irregularBase } from '../../src/recall/text/stem.ts';

const KNOWN = [
  ['went', 'go'],
  ['goes', 'go'],
  ['overridden', 'override'],
  ['mice', 'mouse'],
  ['pictures', 'photo'],
  ['begun', 'begin'],
  ['fam', 'family'],
  ['puppies', 'dog'],
] as const;
/** Parts of forms, bases, and what is no word at all. */
const STRANGE = ['go', 'photo', 'ent', 'wen', 'verridden', 'overrid', 'ice', '', '>', ' ', 'went gone'];

describe('irregularBase', () => {
  it('says the same of the first words it is asked for and of the ten thousandth', () => {
    for (let round = 0; round < 200; round++) {
      for (const [form, base] of KNOWN) expect(irregularBase(form), `${form} in round ${round}`).toBe(base);
      for (const word of STRANGE) expect(irregularBase(word), `${word} in round ${round}`).toBeUndefined();
    }
  });
});
