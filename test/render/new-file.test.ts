import { describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { renderRecordFile } from '../../src/render/record-file.ts';

const COMMON = { schema_version: '1.0', id: 'x', title: 'Title', created_at: '2026-01-10T10:00:00Z', updated_at: '2026-01-11T10:00:00Z', tags: ['a', 'b c'] };
const bodyOf = (record: object): string => {
  const text = renderRecordFile('x.md', { ...COMMON, ...record } as unknown as MemoryRecord);
  return text.slice(text.indexOf('\n---\n') + 5);
};

describe('a new Markdown file', () => {
  test('has its common fields in front and its content under headings', () => {
    const record = {
      ...COMMON,
      category: 'decision',
      record_status: 'active',
      related_files: ['src/auth.ts'],
      confidence: 0.9,
      times_updated: 0,
      changes: [{ date: '2026-01-10T10:00:00Z', summary: 'Initial creation', old_value: { a: [1] } }],
      origin: { channel: 'command', session_id: '12' },
      content: {
        status: 'accepted',
        area: 'process',
        context: 'Many hands.',
        decision: 'One branch.',
        alternatives: [{ option: 'Many branches', rejected_reason: 'they drift' }],
        rationale: ['less to merge'],
        consequences: ['flags\nneeded'],
      },
    } as MemoryRecord;
    expect(renderRecordFile('decisions/x.md', record)).toBe(`---
schema_version: "1.0"
category: decision
id: x
record_status: active
created_at: 2026-01-10T10:00:00Z
updated_at: 2026-01-11T10:00:00Z
tags: [a, b c]
related_files: [src/auth.ts]
confidence: 0.9
times_updated: 0
origin:
  channel: command
  session_id: "12"
changes:
  - date: 2026-01-10T10:00:00Z
    summary: Initial creation
    old_value: {"a":[1]}
---

# Title

**Date**: 2026-01-10T10:00:00Z
**Category**: process
**Status**: accepted

## Context
Many hands.

## Decision
One branch.

## Alternatives Considered
- **Many branches**: they drift

## Rationale
- less to merge

## Consequences
- flags
  needed
`);
  });

  test.each<[string, object, string]>([
    [
      'session_summary',
      {
        related_files: ['a.ts'],
        content: {
          goal: 'g',
          outcome: 'success',
          completed: ['c'],
          in_progress: ['i'],
          blockers: [],
          next_actions: ['n'],
          key_changes: ['k'],
          context: 'x',
          tracking_points: [{ label: 'Decision', text: 'd, since e' }],
        },
      },
      '# Title\n\n**Outcome**: success\n\n## Goal\ng\n\n## Context\nx\n\n## Tracking Points\n- Decision: d, since e\n\n## Completed\n- c\n\n## In Progress\n- i\n\n## Blockers\n\n## Next Actions\n- n\n\n## Key Changes\n- k\n\n## Related Files/Artifacts\n- a.ts\n',
    ],
    [
      'runbook',
      { content: { trigger: 't', symptoms: ['s'], steps: ['one', 'two\nlines'], verification: 'v', root_cause: 'r', environment: 'e' } },
      '# Title\n\n## Trigger\nt\n\n## Symptoms\n- s\n\n## Steps\n1. one\n2. two\n   lines\n\n## Verification\nv\n\n## Root Cause\nr\n\n## Environment\ne\n',
    ],
    [
      'constraint',
      { content: { kind: 'policy', rule: 'r', impact: ['i'], workarounds: ['w'], severity: 'high', active: true, expires: 'none' } },
      '# Title\n\n**Kind**: policy\n**Severity**: high\n**Active**: yes\n**Expires**: none\n\n## Rule\nr\n\n## Impact\n- i\n\n## Workarounds\n- w\n',
    ],
    [
      'tech_debt',
      {
        content: {
          status: 'wont_fix',
          priority: 'low',
          description: 'd',
          reason_deferred: 'r',
          impact: ['i'],
          suggested_fix: ['s'],
          acceptance_criteria: ['a'],
        },
      },
      '# Title\n\n**Status**: wont_fix\n**Priority**: low\n\n## Description\nd\n\n## Reason Deferred\nr\n\n## Impact\n- i\n\n## Suggested Fix\n- s\n\n## Acceptance Criteria\n- a\n',
    ],
    [
      'preference',
      { content: { topic: 't', value: 'v', reason: 'r', strength: 'strong', examples: { prefer: ['p'], avoid: ['a'] } } },
      '# Title\n\n**Topic**: t\n**Strength**: strong\n\n## Preference\nv\n\n## Reason\nr\n\n## Examples\n- Prefer: p\n- Avoid: a\n',
    ],
    [
      'analysis',
      { content: { path: 'src/a.ts', type: 'file', summary: 's', key_findings: ['k'], issues_found: ['i'], recommendations: ['r'] } },
      '# Analysis: Title\n\n**Analyzed**: 2026-01-10T10:00:00Z\n**Path**: src/a.ts\n**Type**: file\n\n## Summary\ns\n\n## Key Findings\n- k\n\n## Issues Found\n- i\n\n## Recommendations\n- r\n',
    ],
    [
      'subagent_report',
      { content: { agent: 'Plan', task: 't', parent_context: 'p', summary: 's', details: 'd', files_analyzed: ['f'], recommendations: ['r'] } },
      '# Title\n\n**Agent**: Plan\n**Date**: 2026-01-10T10:00:00Z\n**Task**: t\n**Parent Context**: p\n\n## Summary\ns\n\n## Details\nd\n\n## Files Analyzed\n- f\n\n## Recommendations\n- r\n',
    ],
  ])('of a %s', (category, record, body) => {
    expect(bodyOf({ category, ...record })).toBe(`\n${body}`);
  });

  test('stays readable when a text holds headings and code', () => {
    const text = '## Not a section\n\n```sh\n# a comment\n```\n\n```\nleft open';
    const body = bodyOf({ category: 'decision', content: { status: 'accepted', context: text, decision: 'd', rationale: [text] } });
    expect(body).toContain('## Context\n\\## Not a section\n\n```sh\n# a comment\n```\n\n\\```\nleft open\n\n## Decision\n');
    expect(body).toContain('- ## Not a section\n\n  ```sh\n  # a comment\n  ```\n\n  \\```\n  left open\n');
  });

  test('never shows a control character', () => {
    const body = bodyOf({
      category: 'decision',
      title: 'a\u001b[2Jb',
      content: { status: 'accepted', context: '\u0000\u009b', decision: 'd\u0085', rationale: ['\u0007'] },
    });
    expect(body).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('a record that is not valid is not written', () => {
    expect(() => bodyOf({ category: 'decision', content: { status: 'maybe', context: '', decision: '', rationale: [] } })).toThrow(/not a valid decision/);
  });
});
