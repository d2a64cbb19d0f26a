import { describe, expect, test } from 'vitest';
import { SUMMARY_MARK } from './model/script.ts';
import { clients } from './sandbox/clients.ts';
import { holdfast, prompt } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const RECOVERY = 'for="recovery"';
const count = (text = '', word: string): number => text.split(word).length - 1;

const BASH = { tool: 'Bash', input: { command: 'echo counted', description: 'count' } };
const TOO_LONG = { status: 400, refusal: 'prompt is too long: 1010000 tokens > 1000000 maximum' };

describe.each(clients)('Claude Code $version', (client) => {
  test('after a compaction in the middle of a turn the next request holds the recovery, once', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(box, 'save', 'decision', 'Use SQLite with WAL for the order queue because Redis would need a server on every till');
    const counts = Array.from({ length: 4 }, () => ({ text: 'counting', calls: [BASH] }));
    box.model.play([
      { when: SUMMARY_MARK, steps: [...counts, ...counts, { text: 'all counted' }] },
      { when: 'Count all the things', steps: [...counts, TOO_LONG] },
    ]);
    const { stdout } = await prompt(box, 'Count all the things', '--allowedTools', 'Bash');
    expect(stdout).toBe('all counted\n');
    const compacting = box.model.asked.findIndex(({ answered }) => answered.text?.includes(SUMMARY_MARK) === true);
    const [next, ...later] = box.model.asked.slice(compacting + 1);
    expect(compacting).toBe(5);
    expect(count(next?.text, RECOVERY)).toBe(1);
    expect(next?.text).toContain('Redis would need a server on every till');
    for (const asked of later) expect(count(asked.text, RECOVERY)).toBe(1);
    expect(later.length).toBeGreaterThan(2);
  });
});
