import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentsOf, lastingProgram, program } from '../../program.ts';

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly project: string;
  readonly session_id: string | null;
  readonly message_id: string | null;
  readonly title: string;
  readonly snippet: string;
  readonly score: number;
  readonly file: string;
  readonly status: string;
  readonly replaced_by?: string;
  readonly replaces?: string;
  readonly explain?: readonly { readonly signal: string; readonly points: number }[];
}

const cli = lastingProgram();
const DAY = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY).toISOString();

function chat(file: string, rows: readonly object[]): void {
  fs.writeFileSync(path.join(cli.folder, file), rows.map((row) => JSON.stringify(row)).join('\n'));
  cli.ask('import', '--format', 'chat', path.join(cli.folder, file));
}

const said = (project: string, session_id: string, message_id: string, timestamp: string, text: string): object => ({
  project,
  session_id,
  message_id,
  role: 'user',
  speaker: 'Ann',
  timestamp,
  text,
});

beforeAll(() => {
  cli.ask('save', 'decision', 'Jobs wait in PostgreSQL, because MySQL lost two of them.', '--title', 'PostgreSQL job queue', '--file', 'src/queue/worker.ts');
  cli.ask('save', 'runbook', 'AuthService in src/auth/service.ts answers ERR_AUTH_42 when the clock is wrong.', '--title', 'Stale tokens');
  cli.ask('save', 'constraint', '数据库连接超时时重试三次。', '--title', '连接超时的处理');
  const { file } = cli.ask('save', 'decision', 'Version two went out to everybody.', '--title', 'The release of version two');
  const text = fs.readFileSync(String(file), 'utf8');
  fs.writeFileSync(String(file), text.replace(/^created_at: .*$/m, `created_at: ${ago(50).slice(0, 19)}Z`));
  chat('talk.jsonl', [
    said('webshop', 'w1', 'w1-1', ago(40), 'The queue of jobs is slow, I counted ninety waiting.'),
    said('webshop', 'w4', 'w4-1', ago(40), 'Giraffes are tall.'),
    said('webshop', 'w2', 'w2-1', ago(1), 'The concert was loud.'),
    said('webshop', 'w3', 'w3-1', ago(100), 'The concert was quiet.'),
    said('elsewhere', 'e1', 'e1-1', ago(3), 'Our giraffe eats from the queue.'),
  ]);
});

const hitsOf = (...argv: string[]): readonly Hit[] => cli.ask('search', ...argv)['hits'] as readonly Hit[];
const ids = (...argv: string[]): readonly string[] => hitsOf(...argv).map(({ id }) => id);

describe('search', () => {
  test('ranks records and messages in one list, each with what leads back to it', () => {
    const hits = hitsOf('job queue');
    expect(hits.map(({ kind, id }) => [kind, id])).toEqual([
      ['record', 'decision/postgresql-job-queue'],
      ['message', 'w1-1'],
    ]);
    expect(hits[1]).toMatchObject({ project: 'webshop', session_id: 'w1', message_id: 'w1-1', file: path.join(cli.folder, 'talk.jsonl') });
    expect(hits[1]?.snippet).toContain('ninety waiting');
    expect(hits[0]).toMatchObject({ session_id: null, message_id: null, title: 'PostgreSQL job queue' });
    expect(fs.existsSync(hits[0]?.file ?? '')).toBe(true);
  });

  test('shows beside a title what the record says, not the title again nor its status', () => {
    expect(hitsOf('job queue')[0]?.snippet).toBe('Jobs wait in PostgreSQL');
    expect(hitsOf('stale tokens')[0]?.snippet).toBe('AuthService in src/auth/service.ts answers ERR_AUTH_42 when the clock is wrong.');
  });

  test.each([
    [['queue', '--kind', 'record'], ['decision/postgresql-job-queue']],
    [['queue', '--kind', 'message'], ['w1-1']],
    [['giraffes', '--kind', 'document'], []],
    [['queue', '--category', 'runbook'], []],
    [['concert', '--since', '10d'], ['w2-1']],
    [['concert', '--until', '10d'], ['w3-1']],
  ])('%j finds %j', (argv, found) => {
    expect(ids(...argv)).toEqual(found);
  });

  test.each([
    ['AuthService', 'runbook/stale-tokens'],
    ['auth_service', 'runbook/stale-tokens'],
    ['src/auth/service.ts', 'runbook/stale-tokens'],
    ['ERR_AUTH_42', 'runbook/stale-tokens'],
    ['postgersql queue', 'decision/postgresql-job-queue'],
    ['girafes', 'w4-1'],
    ['连接超时', expect.stringMatching(/^constraint\//)],
    ['concert yesterday', 'w2-1'],
    ['the concert three months ago', 'w3-1'],
  ])('%s leads to %s', (query, id) => {
    expect(ids(query)[0]).toEqual(id);
  });

  test.each([
    ['concert before the release', 'w3-1'],
    ['concert after the release', 'w2-1'],
  ])('%s, among messages, leads to %s', (query, id) => {
    expect(ids(query, '--kind', 'message')[0]).toBe(id);
  });

  test.each(['zebra crossing', 'the of and', '🎉'])('finds nothing for %s', (query) => {
    expect(ids(query)).toEqual([]);
  });

  test.each([['job queue'], ['queue', '--kind', 'record'], ['concert yesterday'], ['giraffe', '--project', 'all']])(
    '%s: the parts of every score sum to it',
    (...argv) => {
      const hits = hitsOf(...argv, '--explain');
      expect(hits.length).toBeGreaterThan(0);
      for (const { score, explain = [] } of hits) expect(explain.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 6);
    },
  );

  test('a row of a batch is asked in its own project, and all projects together', () => {
    const file = path.join(cli.folder, 'queries.jsonl');
    fs.writeFileSync(file, ['webshop', 'elsewhere', 'all'].map((project) => JSON.stringify({ query: 'giraffe', project })).join('\n'));
    const rows = documentsOf(cli.run('search', '--batch', file, '--json'));
    expect(rows.map(({ hits }) => (hits as Hit[]).map(({ project, id }) => `${project} ${id}`).toSorted())).toEqual([
      ['webshop w4-1'],
      ['elsewhere e1-1'],
      ['elsewhere e1-1', 'webshop w4-1'],
    ]);
  });

  test('a batch that names no project means this one, and where there is none all of them', () => {
    const file = path.join(cli.folder, 'loose.jsonl');
    fs.writeFileSync(file, JSON.stringify({ query: 'giraffe' }));
    const projects = (cwd: string): readonly string[] => {
      const [row = {}] = documentsOf(cli.runIn({ cwd }, 'search', '--batch', file, '--json'));
      return (row['hits'] as Hit[]).map(({ project }) => project).toSorted();
    };
    expect(projects(cli.project)).toEqual(['webshop']);
    expect(projects(cli.folder)).toEqual(['elsewhere', 'webshop']);
  });

  test('clones of one repository count as one project where all are searched', () => {
    const folderOf = (name: string, remote: string): string => {
      const folder = path.join(cli.folder, name);
      execFileSync('git', ['init', '-q', folder]);
      execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', remote]);
      return folder;
    };
    const here = folderOf('shop-one', 'https://host.example/us/shop.git');
    for (const cwd of [here, folderOf('shop-two', 'git@host.example:us/shop.git'), folderOf('bakery', 'https://host.example/us/bakery.git')])
      cli.runIn({ cwd }, 'save', 'decision', 'Parcels leave with the pelican courier.', '--title', 'Pelican courier');
    const [found = {}] = documentsOf(cli.runIn({ cwd: here }, 'search', 'pelican courier', '--project', 'all', '--explain', '--json'));
    const distant = (found['hits'] as Hit[]).map(({ project, explain = [] }) => [project, explain.some(({ signal }) => signal === 'distance')]);
    expect(Object.fromEntries(distant)).toEqual({ 'shop-one': false, 'shop-two': false, bakery: true });
  });

  test('damaged conversations do not keep records from being found, and come back', () => {
    const file = path.join(cli.home, 'holdfast', 'projects', 'webshop', 'episodes.db');
    cli.ask('timeline');
    const size = fs.statSync(file).size;
    for (const log of ['-wal', '-shm']) fs.rmSync(`${file}${log}`, { force: true });
    const descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, Buffer.alloc(size - 4_096, 7), 0, size - 4_096, 4_096);
    fs.closeSync(descriptor);
    expect(ids('job queue')).toEqual(['decision/postgresql-job-queue', 'w1-1']);
    expect(ids('job queue')).toEqual(['decision/postgresql-job-queue', 'w1-1']);
  });

  test('feedback moves a record, and the current record stands above the one it replaced and says so', () => {
    cli.ask('save', 'decision', 'Uploads are tried again three times.', '--title', 'Retry uploads');
    cli.ask('save', 'decision', 'Uploads are tried again three times.', '--title', 'Retry uploads too');
    const [first = '', second = ''] = ids('retry uploads', '--kind', 'record');
    for (let time = 0; time < 3; time++) cli.ask('feedback', first, 'wrong');
    expect(ids('retry uploads', '--kind', 'record')[0]).toBe(second);
    const file = hitsOf('retry uploads')[0]?.file ?? '';
    const replaced = fs.readFileSync(file, 'utf8').replace(/^category:/m, 'superseded_by: postgresql-job-queue\ncategory:');
    fs.writeFileSync(file, replaced);
    const hits = hitsOf('retry uploads', '--kind', 'record');
    expect(hits.map(({ id }) => id).indexOf('decision/postgresql-job-queue')).toBeLessThan(hits.map(({ id }) => id).indexOf(second));
    expect(hits.find(({ id }) => id === second)?.replaced_by).toBe('postgresql-job-queue');
  });

  test('what is about a file open in the work comes first', () => {
    for (const name of ['reader', 'writer']) {
      cli.ask('save', 'runbook', 'Close the handle before the folder is moved.', '--title', `Handles left open by the ${name}`, '--file', `src/${name}.ts`);
    }
    const found = (...files: readonly string[]): readonly string[] =>
      ids('handles left open', '--kind', 'record', ...files.flatMap((file) => ['--file', file])).filter((id) => id.startsWith('runbook/handles'));
    expect(found('src/reader.ts')[0]).toBe('runbook/handles-left-open-by-the-reader');
    expect(found('src/writer.ts')[0]).toBe('runbook/handles-left-open-by-the-writer');
    const points = (...files: readonly string[]) =>
      hitsOf('handles left open', '--kind', 'record', '--explain', ...files.flatMap((file) => ['--file', file]))[0]?.explain?.find(
        ({ signal }) => signal === 'files',
      )?.points;
    expect(points('src/writer.ts')).toBe(0.2);
    // One of many files open in the work is hardly less of a sign.
    expect(points('src/writer.ts', ...Array.from({ length: 9 }, (_, n) => `src/other-${n}.ts`))).toBe(0.1);
  });
});

test('ten hits are shown, or as many as are asked for', () => {
  const other = program();
  other.ask('save', 'decision', 'Herons are left alone');
  const rows = Array.from({ length: 12 }, (_, at) => ({
    project: 'webshop',
    session_id: `s${at}`,
    message_id: `m${at}`,
    role: 'user',
    text: `The pelican nests on pile ${at}`,
  }));
  const file = path.join(other.folder, 'chat.jsonl');
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  other.ask('import', file, '--format', 'chat');
  const count = (...more: readonly string[]): number => (other.ask('search', 'pelican', ...more)['hits'] as object[]).length;
  expect([count(), count('--limit', '12'), count('--limit', '3')]).toEqual([10, 12, 3]);
});
