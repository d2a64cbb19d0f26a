import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import { agent, user } from '../triage/talk.ts';
import { contentOf, edited, used } from './session.ts';

const work = edited('/home/ada/shop/a.ts');
const told = (messages: readonly Message[], label: string): string[] =>
  (contentOf(messages).tracking_points ?? []).filter((point) => point.label === label).map(({ text }) => text);

describe('tracking points', () => {
  it('name the way that was taken, not those that were only thought of on the way', () => {
    const thoughts = [
      user('The list shows entries that are gone.'),
      agent('The simplest approach: the page should call the API again because it knows what is gone, instead of guessing.'),
      agent('The cleanest fix: we use a foreign key with cascade instead of a second call, because then nothing can dangle.'),
      ...work,
    ];
    expect(told(thoughts, 'Decision')).toEqual([expect.stringMatching(/foreign key/)]);
  });

  it('leave out what only repeats a tool word for word', () => {
    const line = 'We decided to disable the signature check because the mirror is slow.';
    const messages = [user('Read the notes'), ...used('Read', { files: ['notes.md'] }, `# Notes\n${line}\n`), agent(line)];
    expect(contentOf(messages).tracking_points).toBeUndefined();
  });

  it('call a way that the session turned back on a dead end', () => {
    const messages = [
      ...work,
      agent('We chose streaming rather than buffering because the memory of the worker is small.'),
      agent('Streaming the memory of the worker did not work, so I reverted the streaming change.'),
    ];
    expect(told(messages, 'Decision')).toEqual([]);
    expect(told(messages, 'Dead end')).toEqual([expect.stringMatching(/streaming/)]);
  });

  it('call everything a dead end that the user reverted as a whole, and not what came after', () => {
    const before = [
      user('What does an evaluation cost us at the moment?'),
      agent('We chose a triage model rather than rules because it needs no upkeep.'),
      agent('We decided to cache the prompt because the same files are sent again.'),
      ...work,
    ];
    const after = [
      user("I've reverted your changes - focus only on the empty results"),
      agent('We decided to stop at an empty result because nothing can follow from it.'),
      ...work,
    ];
    expect(told(before, 'Decision')).toHaveLength(2);
    expect(told([...before, ...after], 'Decision')).toEqual([expect.stringMatching(/empty result/)]);
    expect(told([...before, ...after], 'Dead end')).toHaveLength(2);
  });
});

it('a question is no tracking point, and a sentence that breaks off ends before its last word', () => {
  const asked = user('We just decided to take the generic reader because every supplier has its own sheet, or should we use two readers?');
  const cause = agent(
    '**Root cause**: `readTotals` derives the sum from the first sheet of the file, but:\n\n**Fix**: Pass the sheets to `readTotals` one by one.',
  );
  const points = contentOf([asked, ...edited('/home/ada/shop/a.ts'), cause]).tracking_points ?? [];
  expect(points.filter(({ text }) => text.includes('?'))).toEqual([]);
  expect(points.find(({ label }) => label === 'Discovery')?.text).toMatch(/first sheet of the file\./);
});
