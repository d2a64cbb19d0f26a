import { expect, test } from 'vitest';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { parseRecordFile, renderRecordFile } from '../../src/render/record-file.ts';
import { spent } from '../processor.ts';

const RECORD: MemoryRecord = {
  schema_version: '1.0',
  category: 'decision',
  id: 'keep-sessions-in-cookies',
  title: 'Keep sessions in cookies',
  created_at: '2026-01-10T10:00:00Z',
  updated_at: '2026-01-12T10:00:00Z',
  tags: ['auth', 'cookies'],
  related_files: ['src/auth.ts', 'src/login/session.ts'],
  confidence: 0.9,
  times_updated: 1,
  origin: { channel: 'agent', client: 'claude-code', session_id: '7f3a' },
  changes: [{ date: '2026-01-10T10:00:00Z', summary: 'Initial creation' }],
  content: {
    status: 'accepted',
    area: 'architecture',
    context: 'Tabs lose the session when the page is loaded again. '.repeat(8),
    decision: 'Cookies that scripts cannot read.',
    alternatives: [{ option: 'Local storage', rejected_reason: 'every script can read it' }],
    rationale: ['scripts cannot read them', 'they survive a reload'],
    consequences: ['forms need a token of their own'],
  },
};

/** Bounds are an order of magnitude above what is measured: they catch a change of kind, not a slow machine. */
test.each([
  ['x.md', 1000],
  ['x.json', 1000],
])('1,000 typical records are read from %s in well under a second of computing', (path, limitMs) => {
  const text = renderRecordFile(path, RECORD);
  const hint = { category: 'decision', id: 'x', time: '2026-01-01T00:00:00Z' } as const;
  for (let at = 0; at < 300; at += 1) parseRecordFile(path, text, hint);
  const before = spent();
  let read = 0;
  for (let at = 0; at < 1000; at += 1) read += parseRecordFile(path, text, hint).ok ? 1 : 0;
  expect(read).toBe(1000);
  expect(spent() - before).toBeLessThan(limitMs);
});

test.each([' ', '*', '**', '#', '# ', '- ', '-  ', ':', '\\', '`', '"', '-->', '\n', ' \n', '```\n', '<!--\n'])(
  '100 KB of %j anywhere take no more time than they should',
  (fragment) => {
    const long = `${fragment.repeat(Math.ceil(102_400 / fragment.length))}x`;
    const report = { ...RECORD, category: 'subagent_report', content: { agent: long, task: long, summary: long, recommendations: [long] } } as MemoryRecord;
    const hint = { category: 'decision', id: 'x', time: '2026-01-01T00:00:00Z' } as const;
    const before = spent();
    expect(parseRecordFile('x.md', renderRecordFile('x.md', report), hint)).toMatchObject({ ok: true });
    for (const text of [`# T\n**Status**: ${long}`, `# T\n\n## ${long}\n${long}`, `**${long}**: x\n`, `# T\n\n## Alternatives\n${long}\n`])
      parseRecordFile('x.md', text, hint);
    expect(spent() - before).toBeLessThan(5000);
  },
);
