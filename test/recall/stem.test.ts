import { expect, test } from 'vitest';
import { stem } from '../../src/recall/text/stem.ts';

/** Every step of the algorithm, by the words its author gives for it. */
const STEMS = `caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled motoring motor sing sing conflated conflat
troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed fizz failing fail filing file happy happi sky sky relational relat
conditional condit rational ration digitizer digit operator oper feudalism feudal decisiveness decis hopefulness hope callousness callous triplicate triplic
formative form formalize formal electrical electr hopeful hope goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop
adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust dependent depend adoption adopt communism commun activate activ
homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease ceas controlling control rolling roll generalizations gener oscillators oscil`;

const words = STEMS.split(/\s+/);

test.each(Array.from({ length: words.length / 2 }, (_, nth) => [words[2 * nth] as string, words[2 * nth + 1] as string]))('%s → %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});
