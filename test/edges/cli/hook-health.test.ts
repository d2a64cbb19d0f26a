import { expect, test } from 'vitest';
import type { HookLog } from '../../../src/core/ports/hook-log.ts';
import { hookFindings, hookRunLines } from '../../../src/edges/cli/present/hook-health.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const log: HookLog = {
  recordRun: () => {},
  clientsOf: () => ({ record: () => {}, all: () => [] }),
  recordFailure: () => {},
  lastRuns: () => ['SessionStart', 'StartMissed', 'finish'].map((event) => ({ client: 'claude-code', event, at: NOW - HOUR })),
  failures: () => [{ client: 'claude-code', event: 'finish', at: '2026-03-01T11:00:00Z', message: 'the disk is full' }],
};

test('names what is no event of the client in plain words', () => {
  const [line = ''] = hookRunLines(log, NOW);
  expect(line).toMatch(/^hooks {3}claude-code: SessionStart 1 h ago, /);
  expect(line).toContain('the work after a session 1 h ago');
  expect(line).not.toMatch(/StartMissed|finish/);
  expect(hookFindings(log, NOW).map(({ what }) => what)).toEqual(['claude-code: the work after a session failed at 2026-03-01T11:00:00Z: the disk is full']);
});
