import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, type Program } from '../../program.ts';

const decision = (cli: Program, text: string, ...more: string[]): Record<string, unknown> => cli.ask('save', 'decision', text, ...more);
const recordOf = (cli: Program, id: string): Record<string, unknown> => cli.ask('show', id)['record'] as Record<string, unknown>;

test('a decision that replaces another by its short id marks it, ranks before it, and shows in master.md how it came about', () => {
  const cli = program();
  const flat = decision(cli, 'Keep tides in flat files because they are simple', '--title', 'Flat files for tides');
  const sqlite = decision(cli, 'Keep tides in SQLite because files are slow', '--title', 'SQLite for tides', '--supersedes', String(flat['short_id']));
  decision(cli, 'Keep tides in Postgres because SQLite locks', '--title', 'Postgres for tides', '--supersedes', 'sqlite-for-tides');
  expect(recordOf(cli, String(sqlite['id']))).toMatchObject({ supersedes: ['decision/flat-files-for-tides'], superseded_by: 'decision/postgres-for-tides' });
  expect(cli.run('list').out).toMatch(
    new RegExp(
      `Postgres for tides\\n.*SQLite for tides {2}\\(replaced by d[0-9a-z]{3,7}\\)\\n.*Flat files for tides {2}\\(replaced by ${String(sqlite['short_id'])}\\)`,
    ),
  );
  const hits = cli.ask('search', 'where are tides kept')['hits'] as { id: string }[];
  expect(hits[0]?.id).toBe('decision/postgres-for-tides');
  expect(cli.ask('synthesize')['text']).toMatch(/- Flat files for tides \([\d-]+\) → tried SQLite for tides \([\d-]+\) → settled on Postgres for tides/);
  expect(cli.refused('save', 'decision', 'Keep tides in mind', '--supersedes', 'no-such')).toMatchObject({ exit: 4, error: 'NOT_FOUND' });
  expect(cli.refused('save', 'decision', 'Keep tides in mind', '--supersedes', 'master')).toMatchObject({ error: 'INPUT_ERROR' });
});

test('an agent’s shell does not replace what the user confirmed', () => {
  const cli = program();
  decision(cli, 'Keep tides in SQLite because it needs no server', '--title', 'SQLite for tides');
  const agent = cli.askIn(
    { env: { CLAUDECODE: '1' } },
    'save',
    'decision',
    'Keep tides nowhere because who needs them',
    '--title',
    'No tides',
    '--supersedes',
    'sqlite-for-tides',
  );
  expect(agent['warnings']).toEqual([expect.stringContaining('the user confirmed it')]);
  expect(
    fs.readFileSync(
      path.join(cli.records, 'decisions', fs.readdirSync(path.join(cli.records, 'decisions')).find((name) => name.includes('sqlite')) ?? ''),
      'utf8',
    ),
  ).not.toContain('superseded_by');
});
