import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, type Program } from '../../edges/cli/program.ts';
import { eventTime } from '../../../src/core/lifecycle/event-time.ts';

const LONG_AGO = '2026-02-03T09:30:00Z';

/** Keeps today what was said then. */
function keepLater(cli: Program, category: string, title: string, at: string, more: object = {}): string {
  const content =
    category === 'session_summary'
      ? { goal: title, outcome: 'success', completed: [title], next_actions: [`after ${title}`] }
      : { status: 'accepted', context: 'Shipping.', decision: `${title}.`, rationale: ['it is cheap'] };
  const file = path.join(cli.folder, 'draft.json');
  fs.writeFileSync(file, JSON.stringify({ title, tags: ['shipping'], created_at: at, content, ...more }));
  return String(cli.ask('save', category, '--input', file)['id']);
}

const dayOf = (text: string): string | undefined => /\d{4}-\d{2}-\d{2}/.exec(text)?.[0];

test('a decision of February that is kept today reads as of February: in recall, brief, index and search', () => {
  const cli = program();
  keepLater(cli, 'decision', 'Ship parcels with DHL', LONG_AGO);
  cli.ask('save', 'decision', 'Print labels on A6 paper because the printers take it');
  const recalled = String(cli.ask('recall', 'which carrier do we ship parcels with, DHL?')['text']);
  expect(dayOf(/^- decision.*DHL.*$/m.exec(recalled)?.[0] ?? recalled)).toBe('2026-02-03');
  const brief = cli.run('brief').out;
  expect(dayOf(/^.*DHL.*$/m.exec(brief)?.[0] ?? '')).toBe('2026-02-03');
  const index = fs.readFileSync(path.join(cli.records, '_index.md'), 'utf8');
  expect(dayOf(/^.*DHL.*$/m.exec(index.replace(/\d{4}-\d{2}-\d{2}_/g, ''))?.[0] ?? '')).toBe('2026-02-03');
  expect(index.indexOf('labels')).toBeLessThan(index.indexOf('DHL'));
  expect(cli.ask('search', 'DHL', '--since', '7d')['hits']).toEqual([]);
  expect(cli.ask('search', 'DHL', '--since', '2026-02-01', '--until', '2026-03-01')['hits']).toHaveLength(1);
});

test('what is confirmed, retired, restored or archived keeps the date of its event', () => {
  const cli = program();
  const id = keepLater(cli, 'decision', 'Ship parcels with DHL', LONG_AGO, { trust: 'observed', origin: { channel: 'capture' } });
  for (const argv of [['confirm'], ['retire', '--reason', 'no'], ['restore'], ['archive'], ['unarchive']]) cli.ask(argv[0] ?? '', id, ...argv.slice(1));
  expect(dayOf(/^.*DHL.*$/m.exec(cli.run('brief').out)?.[0] ?? '')).toBe('2026-02-03');
});

test('the last session is the one that ended last, not the one that was summed up last', () => {
  const cli = program();
  keepLater(cli, 'session_summary', 'Mend the printer', '2026-03-01T10:00:00Z', { origin: { channel: 'capture', session_id: 'march' } });
  keepLater(cli, 'session_summary', 'Choose a carrier', LONG_AGO, { origin: { channel: 'capture', session_id: 'february' } });
  const { out } = cli.run('brief');
  expect(out).toMatch(/Last sessions\n- 2026-03-01: Mend the printer/);
});

test('decisions of a 1.2 folder, which only their names date, are listed newest first', () => {
  const cli = program();
  cli.ask('start');
  const folder = path.join(cli.records, 'decisions');
  fs.mkdirSync(folder, { recursive: true });
  for (let day = 1; day <= 28; day += 1) {
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    fs.writeFileSync(
      path.join(folder, `${date}_001_choice-${day}.md`),
      `# Choice ${day}\n\n**Status**: accepted\n\n## Context\n\nDay ${day}.\n\n## Decision\n\nTake way ${day}.\n\n## Rationale\n\n- it is day ${day}\n`,
    );
  }
  cli.ask('rebuild');
  const index = fs.readFileSync(path.join(cli.records, '_index.md'), 'utf8');
  const listed = [...index.matchAll(/Choice (\d+)/g)].map(([, day]) => Number(day));
  expect(listed.slice(0, 10)).toEqual([28, 27, 26, 25, 24, 23, 22, 21, 20, 19]);
  expect(cli.run('brief').out).toContain('Choice 28');
});

const base = { created_at: LONG_AGO, updated_at: '2026-05-01T00:00:00Z' };

test.each([
  ['written later than it was said', { ...base, changes: [{ date: base.updated_at, summary: 'Initial creation' }], times_updated: 0 }, LONG_AGO],
  ['changed in content', { ...base, changes: [{ date: '2026-04-01T00:00:00Z', summary: 'moved' }], times_updated: 1 }, '2026-04-01T00:00:00Z'],
  [
    'restored after that',
    {
      ...base,
      changes: [
        { date: '2026-04-01T00:00:00Z', summary: 'moved' },
        { date: base.updated_at, summary: 'Restored', field: 'record_status' },
      ],
      times_updated: 1,
    },
    '2026-04-01T00:00:00Z',
  ],
  ['kept by another tool, which says only when it changed', { ...base }, base.updated_at],
])('a record %s is dated by its event', (_what, record, wanted) => {
  expect(eventTime(record)).toBe(wanted);
});

test('a file that says when it was made but not when it changed is as old as it says', () => {
  expect(eventTime(base, ['updated_at'])).toBe(LONG_AGO);
  expect(eventTime(base, ['updated_at', 'created_at'])).toBe(base.updated_at);
});
