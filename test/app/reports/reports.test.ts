import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolidateReports } from '../../../src/app/reports/consolidate.ts';
import { subagentInstructions } from '../../../src/app/reports/instructions.ts';
import { saveReport, type ReportRequest } from '../../../src/app/reports/save-report.ts';
import type { RecordOf } from '../../../src/core/record/schema.ts';
import { FENCE_CLOSE, FENCE_OPEN } from '../../../src/core/episode/injected.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import { must, openMemory, type Opened } from '../memory.ts';

const TEXT = `The auth module was read as a whole. Tokens are checked in one place only.

## Findings
- The session cookie lacks SameSite, in \`src/auth/cookie.ts\`
- Tokens are compared with ==, which leaks timing, in \`src/auth/token.ts:12\`

We decided to use constant-time comparison instead of ==, because the comparison leaks timing.

## Recommendations
1. Set SameSite to Lax
2. Compare tokens in constant time`;

const request = (more: Partial<ReportRequest> = {}): ReportRequest => ({
  agentType: 'Explore',
  agentId: 'a1',
  task: 'Security scan',
  text: TEXT,
  sessionId: 's1',
  ...more,
});

async function saved(opened: Opened, more: Partial<ReportRequest> = {}): Promise<RecordOf<'subagent_report'>> {
  const done = must(await saveReport(opened.memory, request(more)));
  if (done.status !== 'saved') throw new Error(done.why);
  return done.written.record as RecordOf<'subagent_report'>;
}

const names = (opened: Opened, folder = 'subagent'): string[] => fs.readdirSync(path.join(opened.root, folder)).toSorted();

describe('a subagent’s report', () => {
  it('is kept under the date, the second and the task, with its sections', async () => {
    const opened = openMemory();
    const record = await saved(opened);
    expect(names(opened)).toEqual(['2026-03-01_120000_security-scan.md']);
    expect(record).toMatchObject({
      trust: 'observed',
      origin: { session_id: 's1', message_ids: ['agent-a1'] },
      content: {
        agent: 'Explore',
        task: 'Security scan',
        summary: 'The auth module was read as a whole. Tokens are checked in one place only. The session cookie lacks SameSite, in `src/auth/cookie.ts`',
        files_analyzed: ['src/auth/cookie.ts', 'src/auth/token.ts'],
        recommendations: ['Set SameSite to Lax', 'Compare tokens in constant time'],
      },
    });
    const file = fs.readFileSync(path.join(opened.root, 'subagent', names(opened)[0] as string), 'utf8');
    for (const part of [
      '# Security scan',
      '**Agent**: Explore',
      '**Task**: Security scan',
      '## Summary',
      '## Details',
      '## Files Analyzed',
      '## Recommendations',
    ])
      expect(file).toContain(part);
  });

  it('of the same second and task gets a name of its own, and the index lists both', async () => {
    const opened = openMemory();
    await saved(opened);
    await saved(opened, { agentId: 'a2', text: `${TEXT}\n\nA second look.` });
    expect(names(opened)).toEqual(['2026-03-01_120000_security-scan-2.md', '2026-03-01_120000_security-scan.md']);
    await opened.memory.repairViews();
    const index = fs.readFileSync(path.join(opened.root, '_index.md'), 'utf8');
    expect(index).toContain('2026-03-01_120000_security-scan.md');
    expect(index).toContain('2026-03-01_120000_security-scan-2.md');
  });

  it('that comes twice is kept once', async () => {
    const opened = openMemory();
    await saved(opened);
    expect(must(await saveReport(opened.memory, request()))).toEqual({ status: 'skipped', why: 'it is saved already' });
    expect(names(opened)).toHaveLength(1);
  });

  it('of ten at once loses none, nor a line of the index', async () => {
    const opened = openMemory();
    await Promise.all(Array.from({ length: 10 }, (_, at) => saveReport(opened.memory, request({ agentId: `p${at}`, text: `${TEXT}\n\nPart ${at}.` }))));
    expect(names(opened)).toHaveLength(10);
    await opened.memory.repairViews();
    const index = fs.readFileSync(path.join(opened.root, '_index.md'), 'utf8');
    for (const name of names(opened)) expect(index).toContain(name);
  });

  it.each([
    ['no agent', { agentType: '' }],
    ['a few words', { text: 'Done.' }],
    ['nothing but what Holdfast told it', { text: `${FENCE_OPEN} kind="brief">\n${TEXT}\n${FENCE_CLOSE}` }],
  ])('with %s is left out', async (_, more) => {
    const opened = openMemory();
    expect(must(await saveReport(opened.memory, request(more)))).toMatchObject({ status: 'skipped' });
  });

  it('in the agreed form is read by its labels and sections', async () => {
    const opened = openMemory();
    const text = `# Cache review\n\n**Agent**: Plan\n**Date**: 2026-01-01T00:00:00Z\n**Task**: Review the cache\n**Parent Context**: Release 2\n
## Summary\nThe cache is never cleared, so it grows until the process is ended by hand or by the machine.\n
## Details\nEntries carry no time.\n\n## Files Analyzed\n- src/cache.ts — the map\n\n## Recommendations\nNone`;
    const { task: _task, ...untitled } = request();
    const done = must(await saveReport(opened.memory, { ...untitled, agentType: 'Plan', text }));
    expect(done).toMatchObject({
      written: {
        record: {
          content: {
            task: 'Review the cache',
            parent_context: 'Release 2',
            details: 'Entries carry no time.',
            files_analyzed: ['src/cache.ts'],
          },
        },
      },
    });
  });

  it('finds room in a full category: the oldest goes to the archive', async () => {
    const opened = openMemory({ max_memories_per_category: 2 });
    for (const id of ['a', 'b', 'c']) {
      await saved(opened, { agentId: id, task: `Task ${id}` });
      opened.at(`2026-03-01T12:00:0${id.charCodeAt(0) - 90}Z`);
    }
    const statuses = opened.memory.index.items({ category: 'subagent_report' }).map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(statuses)).toEqual({ 'task-a': 'archived', 'task-b': 'active', 'task-c': 'active' });
  });
});

describe('consolidation', () => {
  it('folds a report into an analysis and its decisions, once, and marks it', async () => {
    const opened = openMemory();
    await saved(opened);
    const done = must(await consolidateReports(opened.memory));
    expect(done).toEqual([{ report: 'subagent_report/security-scan', into: ['analysis/security-scan', expect.stringMatching(/^decision\//)] }]);
    const analysis = must(await currentRecord(opened.memory, { root: 'private', path: `analysis/${names(opened, 'analysis')[0]}` })).record;
    expect(analysis).toMatchObject({
      trust: 'observed',
      origin: { session_id: 's1' },
      content: {
        path: 'src/auth',
        key_findings: [expect.stringContaining('SameSite'), expect.stringContaining('leaks timing')],
      },
    });
    expect(must(await consolidateReports(opened.memory))).toEqual([]);
    expect(opened.memory.index.byId('security-scan').find(({ category }) => category === 'subagent_report')?.tags).toContain('consolidated');
  });

  it('keeps what a quarantined report says quarantined', async () => {
    const opened = openMemory();
    await saved(opened, { trust: 'quarantined' });
    must(await consolidateReports(opened.memory));
    expect(opened.memory.index.items({ kind: 'record' }).every(({ trust }) => trust === 'quarantined')).toBe(true);
  });
});

describe('the instructions for a subagent', () => {
  it('have the task, the place, the four points and the form', () => {
    expect(subagentInstructions('template', '/h/projects/p', 'Scan the auth module')).toBe(`Scan the auth module

MEMORY SYSTEM INSTRUCTIONS:
This project uses centralized memory at /h/projects/p/

1. CONTEXT: Read /h/projects/p/_index.md first for project context
2. OUTPUT: Write findings to /h/projects/p/subagent/YYYY-MM-DD_HHMMSS_[task-name].md
3. FORMAT: Use the Sub-Agent Output format (see below)
4. RESTRICTION: Do NOT modify _index.md - the parent agent will update it

Sub-Agent Output Format:
# [Task Name]

**Agent**: [subagent_type used]
**Date**: YYYY-MM-DDTHH:MM:SSZ
**Task**: [Brief description of what was requested]

## Summary
[2-3 sentence overview of findings/results]

## Details
[Full findings, analysis, or work completed]

## Recommendations
[Suggested next steps, if applicable]`);
  });

  it('have a form in one line', () => {
    expect(subagentInstructions('minimal', '/h/projects/p/')).toBe(
      'MEMORY: Read /h/projects/p/_index.md for context. Write output to /h/projects/p/subagent/[timestamp]_[task].md',
    );
  });

  it('have a form with read, write, format and the restriction', () => {
    expect(subagentInstructions('full', '/h/projects/p')).toBe(`MEMORY SYSTEM:
- Read: /h/projects/p/_index.md (context), decisions/ (past decisions)
- Write: /h/projects/p/subagent/YYYY-MM-DD_HHMMSS_[task].md
- Format: # Title, **Agent**: type, **Date**: ISO, ## Summary, ## Details, ## Recommendations
- Do NOT modify _index.md`);
  });
});
