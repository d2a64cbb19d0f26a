import { describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { parseRecordFile, renderRecordFile } from '../../src/render/record-file.ts';

const HINT = { category: 'decision', id: 'use-pnpm', time: '2026-03-01T08:00:00Z' } as const;

interface Editable {
  [field: string]: unknown;
  content: Record<string, unknown>;
}

/** The file after a change to its record; what it says is checked on the way. */
function changed(text: string, change: (record: Editable) => void): string {
  const parsed = parseRecordFile('x.md', text, HINT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const next = JSON.parse(JSON.stringify(parsed.value.record)) as Editable;
  change(next);
  const again = renderRecordFile('x.md', next as unknown as MemoryRecord, parsed.value.layout);
  const back = parseRecordFile('x.md', again, HINT);
  expect(back.ok && back.value.record).toEqual(next);
  return again;
}

/** Lines of the second text that the first lacks, and the other way round. */
function difference(before: string, after: string): { gone: string[]; come: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) };
}

const FILE = `---
# who reads this?
schema_version: "1.0"
category: decision
id: use-pnpm
created_at: 2026-01-01T00:00:00Z # when it was decided
updated_at: 2026-01-02T00:00:00Z
tags:
  # the short ones
  - pnpm # the tool
  - 'tools'
aliases: {short: pnpm}

changes:
  - {date: 2026-01-01T00:00:00Z, summary: 'Initial creation'}
# the end
---

<!-- kept by hand -->

# Use pnpm

**Date**: 2026-01-01T00:00:00Z
**Owner**: me
**Status**: accepted

A remark without a heading.

## Links
* https://pnpm.io


## Decision

pnpm for **all** packages.
## Context
Disks are small.

## Rationale
* one store
* strict

# Appendix
tail
`;

describe('only what changed is written anew', () => {
  test('a section', () => {
    const after = changed(FILE, ({ content }) => (content['context'] = 'Disks are slow.\nAnd small.'));
    expect(after).toBe(FILE.replace('Disks are small.', 'Disks are slow.\nAnd small.'));
  });

  test('a list', () => {
    const after = changed(FILE, ({ content }) => (content['rationale'] = ['one store', 'fast']));
    expect(after).toBe(FILE.replace('* one store\n* strict', '- one store\n- fast'));
  });

  test('the title and a label', () => {
    const after = changed(FILE, (record) => {
      record['title'] = 'Use pnpm everywhere';
      record.content['status'] = 'deprecated';
    });
    expect(after).toBe(FILE.replace('# Use pnpm\n', '# Use pnpm everywhere\n').replace('**Status**: accepted', '**Status**: deprecated'));
  });

  test('a time, with the comment beside it', () => {
    const after = changed(FILE, (record) => (record['updated_at'] = '2026-05-05T00:00:00Z'));
    expect(after).toBe(FILE.replace('updated_at: 2026-01-02', 'updated_at: 2026-05-05'));
    const created = changed(FILE, (record) => (record['created_at'] = '2026-01-09T00:00:00Z'));
    expect(created).toBe(FILE.replaceAll('2026-01-01T00:00:00Z #', '2026-01-09T00:00:00Z #').replace('**Date**: 2026-01-01', '**Date**: 2026-01-09'));
  });

  test('a list in the front matter, with the comments inside it', () => {
    const after = changed(FILE, (record) => (record['tags'] = ['pnpm', 'disk', 'tools']));
    expect(difference(FILE, after)).toEqual({ gone: [], come: ['  - disk'] });
    expect(after.indexOf('  - disk')).toBeLessThan(after.indexOf("'tools'"));
  });

  test('a list without comments', () => {
    const entry = { date: '2026-02-01T00:00:00Z', summary: 'Said more: "why"', field: 'content.context', old_value: [1, { a: null }], new_value: 'x' };
    const after = changed(FILE, (record) => (record['changes'] = [...(record['changes'] as unknown[]), entry]));
    expect(difference(FILE, after).gone).toEqual(["  - {date: 2026-01-01T00:00:00Z, summary: 'Initial creation'}"]);
    expect(after).toContain('    summary: "Said more: \\"why\\""\n');
  });

  test('a key that is new comes last', () => {
    const after = changed(FILE, (record) => (record['trust'] = 'confirmed'));
    expect(after).toBe(FILE.replace('# the end\n---', '# the end\ntrust: confirmed\n---'));
  });

  test('a key that is gone', () => {
    const after = changed(FILE, (record) => delete record['changes']);
    expect(after).toBe(FILE.replace("changes:\n  - {date: 2026-01-01T00:00:00Z, summary: 'Initial creation'}\n", ''));
  });

  test('a section that is new comes after the one before it', () => {
    const after = changed(FILE, ({ content }) => (content['alternatives'] = [{ option: 'npm', rejected_reason: 'slow' }]));
    expect(after).toContain('\npnpm for **all** packages.\n\n## Alternatives Considered\n- **npm**: slow\n\n## Context\n');
    const last = changed(FILE, ({ content }) => (content['consequences'] = ['links']));
    expect(last).toContain('* strict\n\n## Consequences\n- links\n\n# Appendix\ntail\n');
  });

  test('a label that is new comes between the others', () => {
    const after = changed(FILE, ({ content }) => (content['area'] = 'process'));
    expect(after).toContain('**Date**: 2026-01-01T00:00:00Z\n**Category**: process\n**Owner**: me\n');
  });

  test('a section that is gone', () => {
    const withConsequences = changed(FILE, ({ content }) => (content['consequences'] = ['links']));
    expect(changed(withConsequences, ({ content }) => delete content['consequences'])).toBe(FILE);
  });

  test('Windows line ends stay', () => {
    const after = changed(FILE.replaceAll('\n', '\r\n'), (record) => {
      record.content['consequences'] = ['a\nb'];
      record['tags'] = ['one'];
    });
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('mixed line ends stay where nothing changed', () => {
    const mixed = FILE.replace('Disks are small.\n', 'Disks are small.\r\n');
    expect(changed(mixed, ({ content }) => (content['decision'] = 'npm'))).toBe(mixed.replace('pnpm for **all** packages.', 'npm'));
  });

  test('a text that Markdown cannot hold is kept beside it, until the body is edited', () => {
    const odd = changed(FILE, ({ content }) => (content['context'] = '  \r\nDisks\u0000 '));
    expect(odd).toContain('exact:\n  context: "  \\r\\nDisks\\u0000 "\n');
    const edited = odd.replace('Disks\ufffd', 'Discs');
    expect(edited).not.toBe(odd);
    const back = parseRecordFile('x.md', edited, HINT);
    expect(back.ok && back.value.record.content).toMatchObject({ context: 'Discs' });
    expect(changed(odd, ({ content }) => (content['context'] = 'plain'))).not.toContain('exact');
  });
});

describe('a file by hand', () => {
  test('gets its front matter with the first change, so that nothing hangs on the time of the file', () => {
    const text = '# Use pnpm\n\n**Status**: decided\n\n## Decision\nyes\n';
    const after = changed(text, ({ content }) => (content['decision'] = 'no'));
    expect(after).toBe(
      `---\nschema_version: "1.0"\ncategory: decision\nid: use-pnpm\ncreated_at: 2026-03-01T08:00:00Z\nupdated_at: 2026-03-01T08:00:00Z\ntags: [untagged]\n---\n\n${text.replace('yes', 'no')}`,
    );
  });

  test('keeps what was filled in when its source changes', () => {
    const text = '# Use pnpm\n\n## Context\nDisks.\n\n## Decision\nyes\n';
    const after = changed(text, ({ content }) => (content['context'] = 'Clouds.'));
    expect(after).toContain('## Context\nClouds.\n\n## Decision\nyes\n\n## Rationale\n- Disks.\n');
  });

  test('gets headings for text that had none', () => {
    const after = changed('Use pnpm.\n', (record) => (record['tags'] = ['a']));
    expect(after.slice(after.indexOf('---\n', 4))).toBe('---\n\n# use pnpm\n\n## Decision\nUse pnpm.\n');
  });

  test('with a title in its front matter keeps it there', () => {
    const text = '---\ntitle: Old # name\n---\n\n## Decision\nyes\n';
    expect(changed(text, (record) => (record['title'] = 'New')).split('\n')[1]).toBe('title: New # name');
  });

  test('with front matter in one line', () => {
    expect(changed('---\n{id: x, tags: [a], mine: 1}\n---\n\n## Decision\nyes\n', (record) => (record['tags'] = ['b']))).toContain('mine: 1');
  });

  test.each([
    ['nothing but front matter', '---\nid: a\n---'],
    ['empty front matter', '---\n---\n# T\n'],
    ['a comment for front matter', '---\n# later\n---\n\n# T\n'],
    ['no text at all', ''],
    ['a byte-order mark only', '\uFEFF'],
    ['blank lines', '\n\n\n'],
    ['Windows line ends and no last one', '---\r\nid: a\r\n---\r\n# T\r\n## Goal\r\ng'],
    ['a heading at the end', '# T\n\n## Goal'],
    ['a label at the end', '# T\n**Outcome**: success'],
  ])('with %s takes every field', (_, text) => {
    const hint = { ...HINT, category: 'session_summary' } as const;
    const parsed = parseRecordFile('x.md', text, hint);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const content = { goal: 'g\nh', outcome: 'blocked', completed: ['c'], next_actions: ['n'], blockers: ['b'], context: 'x', tracking_points: [] };
    const next = { ...parsed.value.record, title: 'New', tags: ['a'], related_files: ['f'], content } as MemoryRecord;
    const again = renderRecordFile('x.md', next, parsed.value.layout);
    const back = parseRecordFile('x.md', again, hint);
    expect(back.ok && back.value.record).toEqual(next);
    expect(again.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    if (text.includes('# later')) expect(again).toContain('# later');
  });

  test('with a block left open above keeps it', () => {
    const text = '---\nschema_version: "1.0"\n---\n# T\n\n```\nleft open <!--\n\n## Decision\nyes\n';
    const after = changed(text, ({ content }) => (content['decision'] = 'run\n```\nx\n```\n--> done'));
    expect(after).toContain('```\nleft open <!--\n');
  });
});
