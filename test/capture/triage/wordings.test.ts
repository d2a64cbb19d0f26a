import { describe, expect, it } from 'vitest';
import { Triage } from '../../../src/capture/triage/triage.ts';
import { triageSettings, type TriageCategory } from '../../../src/capture/triage/settings.ts';
import { verbs, chain } from '../../../src/capture/triage/words.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import { agent, call, fired, user } from './talk.ts';
import { spent } from '../../processor.ts';

const atWork = agent('Looking.', { toolCalls: [call('Read', { files: ['a.ts'] })] });

describe('what is said in few and in other words fires too', () => {
  it.each<[TriageCategory, Message]>([
    ['decision', user('Going with DuckDB for the reports because nobody wants to babysit a warehouse.')],
    ['decision', user("I'm dropping the GraphQL layer, every client ended up asking for the same three shapes anyway")],
    ['decision', user('Java 17 it is. The build image is stuck on it.')],
    ['decision', agent("We'll keep the monolith for this year; splitting it buys us nothing while one team owns everything.")],
    ['runbook', agent('The leak was a setInterval that outlived the component. Clearing it on unmount fixes it.')],
    ['runbook', agent('Bluetooth dropped every 30 s because of power saving on the dongle. Turning autosuspend off for that device keeps the link alive.')],
    ['runbook', user('if you see "module not found: canvas" just do apt install libcairo2-dev and reinstall, the prebuilt is missing for arm')],
    ['constraint', user('The bundle has to stay under 200 kB or the ad network rejects it.')],
    ['constraint', agent('The free tier suspends databases that see no traffic for seven days.')],
    ['constraint', user('we must never log card numbers, PCI audit')],
    ['tech_debt', user('leave the duplicate code in there, we clean up after the release')],
    ['tech_debt', agent('Only the happy path is covered so far; failures of the payment provider are not handled.')],
    ['preference', user("I'd rather have three small functions than one clever one.")],
    ['preference', user('Stop adding comments that repeat the code.')],
    ['preference', user('Keep answers short.')],
  ])('%s', (category, message) => expect(fired([atWork, message])).toContain(category));
});

describe('what people say beside their work does not', () => {
  it.each([
    'We decided on the blue couch since it fits the carpet',
    "I'd prefer to meet on Thursday, Friday is my son's birthday",
    'My daughter never sleeps, we must never wake her up before eight',
    'We went hiking because the weather was so nice, you should always come along!',
    'No problem, see you tomorrow',
  ])('%s', (words) => {
    expect(fired([atWork, user(words)])).toEqual([]);
    expect(fired([user(words)])).toEqual([]);
  });
});

describe('the forms of a verb', () => {
  it.each([
    ['drop', 'drop|drops|dropped|dropping'],
    ['use', 'use|uses|used|using'],
    ['keep kept', 'keep|keeps|kept|keeping'],
    ['switch', 'switch|switches|switched|switching'],
    ['rely', 'rely|relies|relied|relying'],
    ['open', 'open|opens|opened|opening'],
    ['stay', 'stay|stays|stayed|staying'],
  ])('%s', (verb, forms) => expect(verbs(verb).any).toBe(`(?:${forms})`));
});

describe('a chain of wordings', () => {
  const wording = chain(String.raw`\bif\b`, [10, 'fails'], [5, 'run']);

  it('finds them in order and close together, wherever they begin', () => {
    expect(wording.exec('look: if it fails, run x')).toEqual({ 0: 'if it fails, run', index: 6 });
    expect(wording.test('if not, and if it fails, run x')).toBe(true);
    expect(wording.test('it fails, run it if you like')).toBe(false);
    expect(wording.test('if the first of the two jobs fails, run x')).toBe(false);
  });
});

it('a long text made to be slow is not', () => {
  const settings = triageSettings(effectiveConfig({}));
  const traps = [
    'we will keep ',
    'if it fails ',
    'because the ',
    'i put it and not ',
    'the error is ',
    'x, ',
    'fixing and ',
    'left a b c d ',
    'ok and so then ',
    '3 mb ',
  ];
  const started = spent();
  for (const trap of traps) {
    const text = Array.from({ length: 20 }, () => trap.repeat(Math.floor(3_900 / trap.length))).join('\n');
    for (const said of [user(text), agent(text)]) {
      const triage = new Triage(settings);
      triage.add(said);
      triage.result();
    }
  }
  expect(spent() - started).toBeLessThan(8_000);
});
