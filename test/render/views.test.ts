import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATEGORIES, FOLDERS } from '../../src/core/record/category.ts';
import { parseActiveIndex, renderActiveIndex, renderRecentIndex } from '../../src/render/views/recent-index.ts';
import { archivedRows, renderArchiveIndex } from '../../src/render/views/archive-index.ts';
import type { IndexRow } from '../../src/render/views/row.ts';
import { hostileText } from './arbitrary.ts';

const STATE = { key: 'my-app', path: '/home/me/my_app', session: '2026-02-01T09:00:00Z', active: true, task: 'Sign-in', progress: '2/5' };
const row = (minute: number, more: Partial<IndexRow> = {}): IndexRow => ({
  category: 'decision',
  path: `decisions/d-${String(minute).padStart(2, '0')}.md`,
  title: `Decision ${minute}`,
  tags: ['untagged'],
  updatedAt: `2026-02-01T10:${String(minute).padStart(2, '0')}:00Z`,
  ...more,
});

const anyRow: fc.Arbitrary<IndexRow> = fc.constantFrom(...CATEGORIES).chain((category) =>
  fc.record({
    category: fc.constant(category),
    path: fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `${FOLDERS[category]}/${name}.md`),
    title: hostileText,
    tags: fc.array(hostileText, { maxLength: 4 }),
    updatedAt: fc.constantFrom('2026-02-01T10:00:00Z', '2026-02-01T12:00:00+02:00', '2026-02-01', '2026-01-31T23:59:59.5Z', '2026-02-02 10:00'),
  }),
);
const anyRows = fc.uniqueArray(anyRow, { maxLength: 28, selector: ({ path }) => path });
const cells = (line: string): number => line.replaceAll(String.raw`\|`, '').split('|').length - 2;

describe('_index.md', () => {
  test('says where the project stands and what is new', () => {
    const rows = [
      row(1, { tags: ['auth', 'api'] }),
      row(2, { category: 'analysis', path: 'analysis/src_Auth.md', title: 'Three | holes', tags: ['auth'] }),
      row(3, { category: 'subagent_report', path: 'subagent/2026-02-01_100300_scan.md', title: 'Scan' }),
      { path: 'context/current-task.md', title: 'Sign-in', tags: [], updatedAt: '2026-02-01T10:00:30Z' },
    ];
    expect(renderRecentIndex(STATE, rows)).toBe(`# Memory Index: my-app
Session: 2026-02-01T09:00:00Z
Status: ACTIVE
Path: /home/me/my_app

## Current State
- **Task**: Sign-in
- **Progress**: 2/5
- **Active Blocker**: None

## Recent Files (Last 20)
| Category | File | Updated | Summary |
|----------|------|---------|---------|
| SubAgent | subagent/2026-02-01_100300_scan.md | 2026-02-01T10:03:00Z | Scan |
| Analysis | analysis/src_Auth.md | 2026-02-01T10:02:00Z | Three \\| holes |
| Decision | decisions/d-01.md | 2026-02-01T10:01:00Z | Decision 1 |
| Context | context/current-task.md | 2026-02-01T10:00:30Z | Sign-in |

## Quick Lookup
- auth → analysis/src_Auth.md
- api → decisions/d-01.md
- Current task → context/current-task.md
- Blockers → context/blockers.md
- Sub-agent outputs → subagent/

<!-- Older entries archived to _index-archive.md -->
`);
  });

  test('of a project that has never been started', () => {
    const text = renderRecentIndex({ key: 'k', path: '/k', active: false }, []);
    expect(text).toContain('Session: None\nStatus: INACTIVE\nPath: /k\n');
    expect(text).toContain('- **Task**: None\n- **Progress**: None\n- **Active Blocker**: None\n');
    expect(text).toContain('- Current task → context/current-task.md\n- Blockers → context/blockers.md\n- Sub-agent outputs → subagent/\n');
  });

  test('keeps the 20 newest; with the 21st the oldest moves to the archive', () => {
    const rows = Array.from({ length: 21 }, (_, at) => row(at));
    expect(archivedRows(rows.slice(0, 20))).toEqual([]);
    expect(renderRecentIndex(STATE, rows)).not.toContain('d-00.md');
    expect(archivedRows(rows)).toEqual([{ ...row(0), archivedAt: row(20).updatedAt }]);
  });
});

describe('_index-archive.md', () => {
  test('lists what left the index, when, and in which session', () => {
    const rows = Array.from({ length: 23 }, (_, at) => row(at));
    const sessions = [
      { started: '2026-02-01T10:21:30Z', ended: '2026-02-01T11:00:00Z' },
      { started: '2026-02-01T10:00:00Z', ended: '2026-02-01T10:21:00Z' },
    ];
    expect(renderArchiveIndex('my-app', sessions, rows)).toBe(`# Memory Index Archive: my-app

## Archived Sessions
| Session Started | Session Ended | Entries Archived |
|-----------------|---------------|------------------|
| 2026-02-01T10:00:00Z | 2026-02-01T10:21:00Z | 2 |
| 2026-02-01T10:21:30Z | 2026-02-01T11:00:00Z | 1 |

## Archived Entries
| Category | File | Updated | Summary | Archived |
|----------|------|---------|---------|----------|
| Decision | decisions/d-02.md | 2026-02-01T10:02:00Z | Decision 2 | 2026-02-01T10:22:00Z |
| Decision | decisions/d-01.md | 2026-02-01T10:01:00Z | Decision 1 | 2026-02-01T10:21:00Z |
| Decision | decisions/d-00.md | 2026-02-01T10:00:00Z | Decision 0 | 2026-02-01T10:20:00Z |
`);
  });
});

describe('index.md', () => {
  const PREFIX = '.claude/memory/';

  test('has a line for every record, sorted whatever the letter case', () => {
    const rows = [
      row(1, { title: 'b', tags: ['x', 'y'] }),
      row(2, { title: 'a', path: 'decisions/a.json' }),
      row(4, { title: 'C' }),
      row(3, { title: 'c', category: 'tech_debt', path: 'tech-debt/c.md' }),
      { path: 'context/blockers.md', title: 'Blockers', tags: [], updatedAt: '2026-02-01' },
    ];
    const [header, ...lines] = renderActiveIndex(rows, () => PREFIX)
      .trimEnd()
      .split('\n');
    expect(header).toMatch(/^<!-- .* -->$/);
    expect(lines).toEqual([
      '- [DECISION] a -> .claude/memory/decisions/a.json #tags:untagged',
      '- [DECISION] b -> .claude/memory/decisions/d-01.md #tags:x,y',
      '- [DECISION] C -> .claude/memory/decisions/d-04.md #tags:untagged',
      '- [TECH_DEBT] c -> .claude/memory/tech-debt/c.md #tags:untagged',
    ]);
  });

  test.each([
    ['Use JWT -> evil.json #tags:pwned now', 'Use JWT - evil.json pwned now'],
    ['a -> -> b', 'a - - b'],
    ['#ta#tags:gs:x', 'x'],
    ['two\nlines', 'two lines'],
    ['\u0000 \t', 'untitled'],
    ['<!-- gone', '<! -- gone'],
    ['a->b', 'a->b'],
  ])('the title %j reads %j', (title, shown) => {
    expect(
      parseActiveIndex(
        renderActiveIndex([row(1, { title })], () => ''),
        '',
      ),
    ).toEqual([{ category: 'decision', title: shown, path: 'decisions/d-01.md', tags: ['untagged'] }]);
  });

  test('is read back whoever wrote it', () => {
    const text =
      '# Index\r\n\r\n- [DECISION] Ghost -> .claude/memory/decisions/ghost.json\r\n- [runbook] Fix -> runbooks/fix.md #tags: a, b\r\n- [OPINION] no -> a.md\n- [DECISION] no arrow\n- text\n';
    expect(parseActiveIndex(text, PREFIX)).toEqual([
      { category: 'decision', title: 'Ghost', path: 'decisions/ghost.json', tags: [] },
      { category: 'runbook', title: 'Fix', path: 'runbooks/fix.md', tags: ['a', 'b'] },
    ]);
  });

  test('gives back the path, category and number of its records, whatever they are called', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const text = renderActiveIndex(rows, () => PREFIX);
        const entries = parseActiveIndex(text, PREFIX);
        expect(text.split('\n')).toHaveLength(rows.length + 2);
        expect(new Set(entries.map(({ path, category }) => `${category} ${path}`))).toEqual(new Set(rows.map(({ path, category }) => `${category} ${path}`)));
        expect(
          renderActiveIndex(
            entries.map((entry) => ({ ...entry, updatedAt: '' })),
            () => PREFIX,
          ),
        ).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});

test('the views do not depend on the order of the rows, and no title breaks a table', () => {
  const shuffled = anyRows.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
  const views = (rows: readonly IndexRow[]): string[] => [
    renderRecentIndex(STATE, rows),
    renderArchiveIndex('k', [], rows),
    renderActiveIndex(rows, () => 'p/'),
  ];
  fc.assert(
    fc.property(shuffled, ([rows, others]) => {
      const [recent = '', archive = '', active = ''] = views(rows);
      expect(views(others)).toEqual([recent, archive, active]);
      const table = (text: string, columns: number): string[] => text.split('\n').filter((line) => line.startsWith('|') && cells(line) === columns);
      expect(table(recent, 4)).toHaveLength(Math.min(rows.length, 20) + 2);
      expect(table(archive, 5)).toHaveLength(Math.max(rows.length - 20, 0) + 2);
      expect(recent.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(Math.min(rows.length, 20) + 2);
    }),
    { numRuns: 40 },
  );
});
