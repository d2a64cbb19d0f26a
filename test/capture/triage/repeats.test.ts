import { expect, test } from 'vitest';
import { repeats } from '../../../src/capture/triage/repeats.ts';

const RECORD = 'DHL for parcels\nWe ship parcels by DHL because the warehouse has a daily pickup at 16:00. Alternatives: courier.';

test.each([
  ['the same words', 'We ship parcels by DHL because the warehouse has a daily pickup at 16:00.'],
  ['in another order', 'Because the warehouse has its daily pickup, parcels are shipped by DHL.'],
  ['with an introduction', 'As recorded, we ship parcels by DHL, the warehouse has a daily pickup.'],
])('a line that says it again: %s', (_how, line) => expect(repeats(line, RECORD)).toBe(true));

test.each([
  ['another name', 'We ship parcels by UPS because the warehouse has a daily pickup at 16:00.'],
  ['another number', 'We ship parcels by DHL because the warehouse has a daily pickup at 18:30.'],
  ['the opposite', 'We no longer ship parcels by DHL because the warehouse has a daily pickup.'],
  ['a change', 'We switched parcels from DHL, the warehouse has a daily pickup.'],
  ['a negation', "We don't ship parcels by DHL because the warehouse has a daily pickup."],
  ['something else', 'We ship letters by post since stamps are cheaper in bulk.'],
  ['too little to tell', 'DHL it is.'],
])('a line that says something new: %s', (_how, line) => expect(repeats(line, RECORD)).toBe(false));
