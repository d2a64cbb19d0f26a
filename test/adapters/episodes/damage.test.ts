import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MessageSearchIndex } from '../../../src/adapters/sqlite/episodes/message-search.ts';
import { SqliteEpisodes } from '../../../src/adapters/sqlite/episodes/writer.ts';
import { putEntries } from '../../../src/app/episodes/keep.ts';
import { isFailure } from '../../../src/core/failure.ts';
import { NewWords } from '../../../src/recall/text/words.ts';
import { rankChunks } from '../../../src/recall/rank/rank-chunks.ts';
import { scratch } from '../../scratch.ts';

let state = 17;
const random = (below: number): number => Math.floor((((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32) * below) % below);
const WORDS = ['database', 'locked', 'migration', 'button', 'deploys', 'staging', 'tests', 'flaky', 'retry', 'timeout', 'cache'];

function made(): Buffer {
  const file = path.join(scratch(), 'episodes.db');
  const index = new SqliteEpisodes(file);
  const change = index.begin();
  const words = new NewWords();
  for (let unit = 0; unit < 30; unit++) {
    const session = change.begin({ sessionId: `s${unit}`, client: 'chat' }, 'transcript', `s${unit}`);
    const messages = Array.from({ length: 20 }, (_, nth) => ({
      id: `m${nth}`,
      sessionId: `s${unit}`,
      role: 'user' as const,
      text: Array.from({ length: 30 }, () => WORDS[random(WORDS.length)]).join(' '),
    }));
    putEntries({ change, words }, session, messages, new Map());
  }
  change.whole(true);
  index.commit();
  index.close();
  return fs.readFileSync(file);
}

/** A search that answers or reports a problem; any other exception is a bug. */
async function searchOutcome(file: string): Promise<'answered' | 'other version' | 'failed'> {
  const index = new MessageSearchIndex(file, 'kiosk');
  try {
    if (!index.isReadable) return 'other version';
    await rankChunks([{ index: index }], { text: 'flaky tests in staging, databse locked', limit: 10, now: 0 });
    return 'answered';
  } catch (cause) {
    expect(isFailure(cause), String((cause as Error).stack)).toBe(true);
    return 'failed';
  } finally {
    index.close();
  }
}

describe('an index of messages that is damaged', () => {
  let known: Buffer | undefined;
  const whole = (): Buffer => (known ??= made());

  it('answers or fails with words, wherever bytes have changed', async () => {
    const file = path.join(scratch(), 'episodes.db');
    const outcomes = new Set<string>();
    for (let round = 0; round < 120; round++) {
      const bytes = Buffer.from(whole());
      const from = random(bytes.length);
      if (round % 2 === 0) for (let n = 0; n < 1 + random(30); n++) bytes[random(bytes.length)] = random(256);
      else for (let at = from; at < Math.min(bytes.length, from + 1 + random(9_000)); at++) bytes[at] = random(256);
      fs.writeFileSync(file, bytes);
      outcomes.add(await searchOutcome(file));
      if (outcomes.has('failed') && !fs.existsSync(file)) outcomes.add('dropped');
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['answered', 'failed', 'dropped']));
  });

  it.each([0, 1, 99, 100, 512, 4_096, 5_000, 40_960, 100_001])('answers or fails with words when only %i bytes of it are left', async (length) => {
    const file = path.join(scratch(), 'episodes.db');
    fs.writeFileSync(file, whole().subarray(0, length));
    expect(await searchOutcome(file)).not.toBe('answered');
  });

  it('fails with words when it is something else', async () => {
    const file = path.join(scratch(), 'episodes.db');
    fs.writeFileSync(file, 'not a database at all '.repeat(400));
    expect(await searchOutcome(file)).toBe('failed');
    expect(fs.existsSync(file)).toBe(false);
  });
});
