import { describe, expect, test } from 'vitest';
import type { Category } from '../../src/core/record/category.ts';
import { parseRecordFile, renderRecordFile } from '../../src/render/record-file.ts';
import type { ParsedRecord } from '../../src/render/record.ts';

const TIME = '2026-03-01T08:00:00Z';
const parse = (category: Category, text: string) => parseRecordFile('x.md', text, { category, id: 'from-the-name', time: TIME });

function read(category: Category, text: string): ParsedRecord {
  const parsed = parse(category, text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  expect(renderRecordFile('x.md', parsed.value.record, parsed.value.layout)).toBe(text);
  return parsed.value;
}

const DECISION = `# Keep sign-in state in cookies

**Date**: 2026-01-19T22:30:00Z
**Category**: architecture
**Status**: decided

## Context
Tabs lose the session.

## Decision
Cookies that scripts cannot read.

## Alternatives Considered
- Local storage: every script can read it
- A second login
- **Tokens in the URL**: they end up in logs

## Consequences
Forms need a token of their own.

Old links stop working.
`;

describe('files in the older format, without front matter', () => {
  test('a decision', () => {
    const { record, filled } = read('decision', DECISION);
    expect(record).toEqual({
      schema_version: '1.0',
      category: 'decision',
      id: 'from-the-name',
      title: 'Keep sign-in state in cookies',
      created_at: '2026-01-19T22:30:00Z',
      updated_at: TIME,
      tags: ['untagged'],
      content: {
        status: 'accepted',
        area: 'architecture',
        context: 'Tabs lose the session.',
        decision: 'Cookies that scripts cannot read.',
        alternatives: [
          { option: 'Local storage', rejected_reason: 'every script can read it' },
          { option: 'A second login', rejected_reason: '' },
          { option: 'Tokens in the URL', rejected_reason: 'they end up in logs' },
        ],
        rationale: ['Tabs lose the session.'],
        consequences: ['Forms need a token of their own.', 'Old links stop working.'],
      },
    });
    expect(filled).toEqual(['schema_version', 'id', 'updated_at', 'tags', 'content.rationale']);
  });

  test.each([
    ['decided', 'accepted'],
    ['pending', 'proposed'],
    ['superseded', 'superseded'],
    ['Accepted', 'accepted'],
  ])('a decision that is %s is %s', (word, status) => {
    expect(read('decision', DECISION.replace('decided', word)).record.content).toMatchObject({ status });
  });

  test('an analysis', () => {
    const text = `# Analysis: sign-in service

**Analyzed**: 2026-01-20T10:00:00Z
**Path**: src/services/SignIn.ts
**Type**: file

## Summary
It does two things.

## Key Findings
- one
  with a second line
* two

## Issues Found

## Recommendations
1. split it
2. test it
`;
    const { record } = read('analysis', text);
    expect(record.title).toBe('sign-in service');
    expect(record.created_at).toBe('2026-01-20T10:00:00Z');
    expect(record.content).toEqual({
      path: 'src/services/SignIn.ts',
      type: 'file',
      summary: 'It does two things.',
      key_findings: ['one\nwith a second line', 'two'],
      issues_found: [],
      recommendations: ['split it', 'test it'],
    });
  });

  test.each([
    ['with a parent and files', '**Parent Context**: release\n', '\n## Files Analyzed\n- a.ts\n', { parent_context: 'release', files_analyzed: ['a.ts'] }],
    ['as the prompt asks for it', '', '', {}],
  ])('a subagent report %s', (_, parent, files, more) => {
    const text = `# Scan\n\n**Agent**: Explore\n**Date**: 2026-01-19T22:30:00Z\n**Task**: look for holes\n${parent}\n## Summary\nNone found.\n\n## Details\nEverything was read.\n${files}\n## Recommendations\nScan again.\n`;
    const { record } = read('subagent_report', text);
    expect(record.content).toEqual({
      agent: 'Explore',
      task: 'look for holes',
      summary: 'None found.',
      details: 'Everything was read.',
      recommendations: ['Scan again.'],
      ...more,
    });
  });

  test('a conversation summary with tracking points', () => {
    const text = `# Sign-in work\n\n## Context\nTwo days on cookies.\n\n## Tracking Points\n- Decision: cookies, since scripts cannot read them\n- **Discovery**: the proxy drops headers\n- see http://localhost\n\n## Related Files/Artifacts\n- src/a.ts\n- notes.md\n`;
    const { record } = read('session_summary', text);
    expect(record.related_files).toEqual(['src/a.ts', 'notes.md']);
    expect(record.content).toMatchObject({
      goal: 'Sign-in work',
      outcome: 'partial',
      context: 'Two days on cookies.',
      tracking_points: [
        { label: 'Decision', text: 'cookies, since scripts cannot read them' },
        { label: 'Discovery', text: 'the proxy drops headers' },
        { label: 'Note', text: 'see http://localhost' },
      ],
    });
  });

  test.each<[Category, Record<string, unknown>]>([
    ['session_summary', { context: 'Just a line.', goal: 'A note' }],
    ['decision', { decision: 'Just a line.', status: 'accepted' }],
    ['runbook', { steps: ['Just a line.'], trigger: 'A note' }],
    ['constraint', { rule: 'Just a line.', active: true }],
    ['tech_debt', { description: 'Just a line.', status: 'open' }],
    ['preference', { value: 'Just a line.', topic: 'A note' }],
    ['analysis', { summary: 'Just a line.', path: 'A note' }],
    ['subagent_report', { summary: 'Just a line.', task: 'A note' }],
  ])('a note of two lines is a %s', (category, content) => {
    expect(read(category, '# A note\n\nJust a line.\n').record.content).toMatchObject(content);
    expect(read(category, 'Just a line.').record.title).toBe('from the name');
  });
});

describe('front matter by hand', () => {
  const body = '\n# Title\n\n## Decision\nyes\n';

  test.each<[string, string, Record<string, unknown>]>([
    ['tags in a line', 'tags: a, b', { tags: ['a', 'b'] }],
    ['tags below', 'tags:\n- a\n- b', { tags: ['a', 'b'] }],
    ['no tags', 'tags:', { tags: ['untagged'] }],
    ['tags that look like numbers', 'tags: [2026, 1e3, 007, no]', { tags: ['2026', '1e3', '007', 'no'] }],
    ['a version without quotes', 'schema_version: 1.0', { schema_version: '1.0' }],
    ['an id of digits', 'id: 007', { id: '007' }],
    ['a commit of digits', 'evidence: [{path: a, commit: 12345678}]', { evidence: [{ path: 'a', commit: '12345678' }] }],
    ['one file', 'related_files: src/a.ts', { related_files: ['src/a.ts'] }],
    ['a date', 'created_at: 2026-01-02', { created_at: '2026-01-02' }],
    ['empty keys', 'trust:\nconfidence:', { confidence: null }],
    ['a quoted key', '"id": "x"', { id: 'x' }],
    ['folded text', 'retired_reason: >-\n  two\n  lines', { retired_reason: 'two lines' }],
    ['a time before the file changed', 'updated_at: 2026-02-01T00:00:00Z', { updated_at: '2026-02-01T00:00:00Z', created_at: '2026-02-01T00:00:00Z' }],
    ['a creation after it', 'created_at: 2027-01-01T00:00:00Z', { updated_at: '2027-01-01T00:00:00Z' }],
    ['a category of its own', 'category: decision', { category: 'decision' }],
  ])('%s', (_, yaml, fields) => {
    expect(read('decision', `---\n${yaml}\n---\n${body}`).record).toMatchObject(fields);
  });

  test('the front matter names the category, wherever the file lies', () => {
    expect(read('runbook', `---\ncategory: decision\n---\n${body}`).record.category).toBe('decision');
  });

  test('a title in the front matter counts when the body has none', () => {
    expect(read('decision', '---\ntitle: From above\n---\n\nIt is so.\n').record).toMatchObject({ title: 'From above', content: { decision: 'It is so.' } });
    expect(read('decision', '---\ntitle: From above\n---\n\n# From below\n\nIt is so.\n').record.title).toBe('From below');
  });
});

describe('what a person may write in a body', () => {
  const decision = (text: string): unknown => (read('decision', text).record.content as { decision: string }).decision;

  test('headings inside code and comments are text', () => {
    const text = 'Run\n\n```sh\n## Context\n# a comment\n```\n\n<!--\n## Consequences\n- no\n-->';
    expect(decision(`# T\n\n## Decision\n${text}\n`)).toBe(text);
  });

  test('a fence that is never closed swallows nothing', () => {
    expect(read('decision', '# T\n\n## Decision\n```\nx\n\n## Context\ny\n').record.content).toMatchObject({ decision: '```\nx', context: 'y' });
  });

  test('deeper headings belong to their section', () => {
    expect(decision('# T\n\n## Decision\n\n### Part\n\ntext\n\n#### More\n')).toBe('### Part\n\ntext\n\n#### More');
  });

  test('a backslash before a heading makes it text', () => {
    expect(decision('# T\n\n## Decision\n\\## not a heading\n')).toBe('## not a heading');
  });

  test('letter case, closing marks, a colon and other stars do not matter', () => {
    const text = '# T #\n\n- **status:** Proposed\n\n## CONTEXT:\na\n\n##   decision ##\nb\n';
    expect(read('decision', text).record).toMatchObject({ title: 'T #', content: { status: 'proposed', context: 'a', decision: 'b' } });
  });

  test('the first of two equal headings counts, the second stays', () => {
    expect(decision('# T\n\n## Decision\nfirst\n\n## Decision\nsecond\n')).toBe('first');
  });

  test('a line that no field understands stays a line', () => {
    const text = '# T\n\n**Date**: last spring\n**Category**: catering\n**Owner**: me\n\n## Decision\nb\n';
    expect(read('decision', text).record).toMatchObject({ created_at: TIME, content: { decision: 'b' } });
    expect(read('decision', text).record.content).not.toHaveProperty('area');
  });

  test('Windows line ends, a byte-order mark and no end of line at the end', () => {
    const text = `\uFEFF---\r\ntags: [a]\r\n---\r\n\r\n# T\r\n\r\n## Decision\r\none\r\ntwo`;
    expect(decision(text)).toBe('one\ntwo');
  });
});

describe('what cannot be understood is refused with its line', () => {
  test.each<[string, Category, string, RegExp]>([
    ['front matter without end', 'decision', '---\nid: a\n', /^line 1: .*not closed/],
    ['a status nobody knows', 'decision', '# T\n\n**Status**: maybe\n\n## Decision\nx\n', /^line 3: Status is "maybe", not one of proposed, accepted/],
    ['no decision in a decision', 'decision', '---\nid: a\n---\n\n# T\n\n## Context\nx\n', /^line 4: there is no `## Decision`/],
    ['a runbook without steps', 'runbook', '# T\n\n## Steps\n\n## Trigger\nx\n', /^line 3: `## Steps` is empty/],
    ['a title of 121 characters', 'decision', `---\nid: a\n---\n\n# ${'x'.repeat(121)}\n\ny\n`, /^line 5: the title has 121 characters/],
    ['a time that is none', 'decision', '---\nid: a\nupdated_at: soon\n---\n\n# T\n\ny\n', /^line 3: .*updated_at/],
    ['a category that is none', 'decision', '---\ncategory: opinion\n---\n\n# T\n\ny\n', /^line 2: "opinion" is not a category/],
    ['an id that is none', 'decision', '---\nid: Not An Id\n---\n\n# T\n\ny\n', /^line 2: .*id/],
    ['a key given twice', 'decision', '---\nid: a\ntags: [a]\nid: b\n---\n\n# T\n\ny\n', /^line 4: .*"id" twice/],
    ['a key given twice further down', 'decision', '---\norigin:\n  channel: git\n  channel: git\n---\n\n# T\n\ny\n', /^line 4: .*"channel" twice/],
    ['YAML that is none', 'decision', '---\nid: a\ntags: [a\n---\n\n# T\n\ny\n', /^line [34]: .*not YAML/],
    ['front matter that is a list', 'decision', '---\n- a\n---\n\n# T\n\ny\n', /^line 2: .*key: value/],
    ['`exact` that holds no fields', 'decision', '---\nexact: yes please\n---\n\n# T\n\ny\n', /`exact`/],
  ])('%s', (_, category, text, message) => {
    const parsed = parse(category, text);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? '' : parsed.error.message).toMatch(message);
  });

  test('a file that is neither Markdown nor JSON', () => {
    expect(parseRecordFile('notes.txt', 'hello', { category: 'decision', id: 'a', time: TIME })).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
  });
});
