import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/capture/transcripts/detect.ts';
import { read } from './reading.ts';

const SAMPLES = fileURLToPath(new URL('../../../assets/samples/', import.meta.url));
const names = fs.readdirSync(SAMPLES).filter((name) => name.endsWith('.jsonl'));

describe('the sample sessions', () => {
  it('are three', () => expect(names).toHaveLength(3));

  it.each(names)('%s is read whole', (name) => {
    const text = fs.readFileSync(path.join(SAMPLES, name), 'utf8');
    expect(detectFormat(text.split('\n'), name)).toBe('claude-code');
    const { messages, prompts, facts, skipped } = read('claude-code', text, { path: name });
    expect(skipped).toEqual([]);
    expect(messages.length).toBeGreaterThanOrEqual(15);
    expect(messages.length).toBeLessThanOrEqual(40);
    expect(prompts.length).toBeGreaterThanOrEqual(4);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(Object.values(facts)).toMatchObject([{ project: '/home/dev/tidewatch', client: 'claude-code' }]);
    expect(Object.values(facts)[0]?.title).toBeDefined();
  });

  it.each([
    ['a decision with its reason', /SQLite instead of PostgreSQL, because/],
    ['an error and its cause', /database is locked[\s\S]*Root cause/],
    ['a constraint', /must never send more than 60 requests an hour/],
    ['a preference', /I prefer small commits/],
    ['work put off', /Leave paging for later/],
    ['known debt', /technical debt/],
  ])('hold %s', (_, words) => {
    const all = names
      .map((name) =>
        read('claude-code', fs.readFileSync(path.join(SAMPLES, name), 'utf8'))
          .messages.map(({ text }) => text)
          .join('\n'),
      )
      .join('\n');
    expect(all).toMatch(words);
  });
});
