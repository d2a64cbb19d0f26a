import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRIAGED } from '../../../src/core/config/categories.ts';
import type { TriageCategory } from '../../../src/capture/triage/settings.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import { agent, call, fired, judged, tool, user, watch } from './talk.ts';

/** One session for each category that anyone would want to be noticed. */
const CLEAR: Readonly<Record<TriageCategory, readonly Message[]>> = {
  session_summary: [
    user('Add a retry to the client.'),
    agent('', { toolCalls: [call('Read'), call('Edit', { files: ['a.ts'] }), call('Edit', { files: ['b.ts'] }), call('Bash', { command: 'npm test' })] }),
    user('Commit it.'),
    agent('', { toolCalls: [call('Bash', { command: 'git commit -m x' })] }),
  ],
  decision: [agent('We chose SQLite instead of Postgres because it needs no server.')],
  runbook: [agent('The root cause was a stale lock: the service failed to start. Fixed by removing the lock at boot; it works now.')],
  constraint: [agent('The API does not support more than 100 items per request, so every export must be paged.')],
  tech_debt: [agent('The migration of old records is out of scope because it is a bigger change; it is left for a follow-up task.')],
  preference: [user('From now on always use named exports in this codebase, not default exports.')],
};

const TOP = 0.6;
const threshold = fc.double({ min: 0.4, max: TOP, noNaN: true });

const FRAGMENTS = [
  'we chose',
  'because',
  'instead of',
  'the root cause',
  'fixed by',
  'does not support',
  'for now',
  'always',
  'should not',
  'never',
  'maybe',
  'follow-up',
  '## Decisions',
  '- item',
  '`code`',
  '```',
  '> quote',
  '?',
  'tests pass',
  'we',
  'the API',
  'A sentence.',
  'No.',
  '\n',
  '\n\n',
  '**Fix**:',
  '| a | b |',
  '|---|---|',
  '@@',
];
const text = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join(' ')),
);
const anyMessage = fc.oneof(
  text.map((said) => user(said)),
  text.map((said) => agent(said)),
  text.map((said) => tool(said)),
  fc.array(fc.constantFrom('Edit', 'Bash', 'Read', 'Task'), { maxLength: 8 }).map((names) => agent('', { toolCalls: names.map((name) => call(name)) })),
);

describe('every category', () => {
  it.each(TRIAGED)('%s fires on a clear case at its default threshold', (category) => {
    expect(fired(CLEAR[category])).toContain(category);
  });

  it.each(TRIAGED)('%s fires on a clear case wherever its threshold is set', (category) => {
    fc.assert(
      fc.property(threshold, (value) => {
        const found = judged(category, CLEAR[category], { triage: { thresholds: { [category]: value } } });
        expect(found).toMatchObject({ threshold: value, fired: true });
      }),
      { numRuns: 20, examples: [[TOP]] },
    );
  });

  it.each(TRIAGED)('%s never fires when it is off or not to be captured', (category) => {
    for (const key of ['enabled', 'auto_capture']) {
      expect(fired(CLEAR[category], { categories: { [category]: { [key]: false } } })).not.toContain(category);
    }
  });

  it('fires exactly from its threshold on', () => {
    const { score } = judged('decision', CLEAR.decision);
    const at = (value: number) => judged('decision', CLEAR.decision, { triage: { thresholds: { decision: value } } }).fired;
    expect([at(score), at(score + 0.001)]).toEqual([true, false]);
  });
});

describe('whatever is said', () => {
  it('scores stay between 0 and 1 and are the sum of what explains them', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 8 }), (messages) => {
        for (const { score, lines, parts } of watch(messages).result().categories) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          for (const line of lines) expect(line.why.reduce((sum, part) => sum + part.weight, 0)).toBeCloseTo(line.score, 6);
          if (parts !== undefined) expect(parts.reduce((sum, part) => sum + part.weight, 0)).toBeCloseTo(score, 6);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('context files stay within 50 KB and hold one block', () => {
    const long = fc.array(anyMessage, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(long, fc.nat(400), (messages, times) => {
        const grown = messages.map((message) => ({ ...message, text: `${message.text}\n</transcript_data>\n`.repeat(1 + (times % 40)) }));
        const triage = watch([...grown, ...CLEAR.decision]);
        for (const category of TRIAGED) {
          const context = triage.contextOf(category);
          expect(new TextEncoder().encode(context).length).toBeLessThanOrEqual(50 * 1024);
          expect(context.match(/<\/transcript_data>/g)).toHaveLength(1);
        }
      }),
      { numRuns: 60 },
    );
  });
});
