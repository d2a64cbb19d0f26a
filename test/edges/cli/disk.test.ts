import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUseSqlite, documentsOf, draftFile, program, PROGRAM, spawnProgram, type Answer, type Program } from './program.ts';
import { fill, smallDisk } from './small-disk.ts';
import { everythingUnder } from './snapshot.ts';
import { skipIfClosedToOthers } from '../../other-users.ts';

const MUCH = 'All work and no play. '.repeat(400);

const writes = (cli: Program): readonly (readonly string[])[] => [
  ['save', 'decision', MUCH, '--title', 'Much'],
  ['write', '--action', 'create', '--category', 'decision', '--target', 'decisions/much.md', '--input', path.join(cli.folder, 'much.json')],
  ['retire', 'use-sqlite', '--reason', 'no room'],
  ['share', 'use-sqlite'],
  ['undo'],
  ['config', 'set', 'categories.decision.description', 'x'.repeat(60)],
];

/** A refused write says why on one line, never with a stack, and its code is that of input and output. */
function expectRefused(answer: Answer, about: string, says: RegExp): void {
  expect(answer, about).toMatchObject({ code: 5, err: '' });
  const [told = {}] = documentsOf(answer);
  expect(told, about).toEqual({ ok: false, error: 'IO_ERROR', message: expect.any(String), hint: expect.any(String) });
  expect(`${String(told['message'])} ${String(told['hint'])}`, about).toMatch(says);
}

const FULL = /disk is full|no space|ENOSPC|disk space|EFBIG|too large|larger than/i;
const READ_ONLY = /read-?only|EROFS|permission|can be written/i;

describe('a full disk', () => {
  it('refuses a write and leaves everything as it was', async ({ skip }) => {
    const disk = await smallDisk(400);
    if (typeof disk === 'string') return skip(disk);
    const { program: cli, seen } = disk;
    createUseSqlite(cli);
    cli.ask('status');
    fill(seen);
    const before = everythingUnder(seen);
    for (const argv of [['save', 'decision', MUCH, '--title', 'Much'], ['retire', 'use-sqlite'], ['undo']]) {
      const about = argv.join(' ').slice(0, 80);
      expectRefused(cli.run(...argv, '--json'), about, FULL);
      expect(everythingUnder(seen), about).toEqual(before);
    }
    expect(cli.ask('show', 'use-sqlite')).toMatchObject({ id: 'decision/use-sqlite' });
    expect(cli.ask('search', 'sqlite')).toMatchObject({ hits: [{ id: 'decision/use-sqlite' }] });
    fs.rmSync(path.join(seen, 'filler'));
    expect(cli.ask('save', 'decision', MUCH, '--title', 'Much')).toMatchObject({ status: 'created' });
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });

  it('that fills at any point of a write loses nothing that was acknowledged', async ({ skip }) => {
    const disk = await smallDisk(400);
    if (typeof disk === 'string') return skip(disk);
    const { program: cli, seen } = disk;
    createUseSqlite(cli);
    cli.ask('status');
    const files = path.join(seen, 'home', 'projects');
    const saved: string[] = [];
    // From no room at all to enough: the write fails at its lock, its file, its journal, its index, and then not.
    for (const kilobytes of [...Array.from({ length: 20 }, (_, step) => step * 4), 100, 120, 140, 180, 240]) {
      const { bavail, bsize } = fs.statfsSync(seen);
      fs.writeFileSync(path.join(seen, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - kilobytes * 1024)));
      const before = everythingUnder(files);
      const answer = cli.run('save', 'decision', MUCH, '--title', `Much ${kilobytes}`, '--json');
      const [told = {}] = documentsOf(answer);
      expect(answer.err, `${kilobytes} KB`).not.toMatch(/\n {4}at /);
      if (told['ok'] === true) {
        expect(answer.code, `${kilobytes} KB`).toBe(0);
        saved.push(String(told['id']));
      } else {
        expectRefused(answer, `${kilobytes} KB`, FULL);
        expect(everythingUnder(files), `${kilobytes} KB`).toEqual(before);
      }
      fs.rmSync(path.join(seen, 'filler'));
    }
    const { records } = cli.ask('get', 'use-sqlite', ...saved) as { records: { id: string }[] };
    expect(records.map(({ id }) => id)).toEqual(['decision/use-sqlite', ...saved]);
    expect(saved.length).toBeGreaterThan(0);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
    expect(Object.keys(everythingUnder(seen)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('told by a limit on the size of files is the same', () => {
    const cli = program();
    createUseSqlite(cli);
    cli.ask('status');
    const before = everythingUnder(cli.folder);
    const limited = (blocks: number, ...argv: string[]) => cli.runIn({ under: ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh'] }, ...argv, '--json');
    for (const blocks of [0, 4]) {
      const answer = limited(blocks, 'save', 'decision', MUCH, '--title', 'Much');
      expectRefused(answer, `${blocks} blocks`, /EFBIG|disk is full|disk I\/O error/);
      expect(everythingUnder(cli.folder), `${blocks} blocks`).toEqual(before);
    }
    expect(cli.ask('save', 'decision', MUCH, '--title', 'Much')).toMatchObject({ status: 'created' });
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });
});

describe('a read-only home', () => {
  it('refuses every write with its reason and leaves everything as it was', async ({ skip }) => {
    const disk = await smallDisk(2_000);
    if (typeof disk === 'string') return skip(disk);
    const { program: cli, seen, readOnly } = disk;
    createUseSqlite(cli);
    cli.ask('status');
    draftFile(cli, 'much.json', { title: 'Much', tags: ['x'], content: { status: 'accepted', context: '', decision: MUCH, rationale: ['x'] } });
    readOnly();
    const before = everythingUnder(seen, cli.project);
    for (const argv of [...writes(cli), ['save', 'preference', 'Tabs', '--user'], ['save', 'decision', 'Elsewhere', '--project', cli.folder]])
      expectRefused(cli.run(...argv, '--json'), argv.join(' ').slice(0, 80), READ_ONLY);
    expect(everythingUnder(seen, cli.project)).toEqual(before);
  });

  it('can still be read', async ({ skip }) => {
    const disk = await smallDisk(2_000);
    if (typeof disk === 'string') return skip(disk);
    const { program: cli, readOnly } = disk;
    createUseSqlite(cli);
    cli.ask('status');
    readOnly();
    expect(cli.ask('search', 'sqlite')).toMatchObject({ hits: [{ id: 'decision/use-sqlite' }] });
    for (const argv of [['status'], ['show', 'use-sqlite'], ['log'], ['diff', 'use-sqlite'], ['doctor'], ['gc', '--dry-run'], ['config']])
      expect(cli.run(...argv), argv.join(' ')).toMatchObject({ code: 0 });
  });
});

describe('no home', () => {
  const expectNoHome = (env: Readonly<Record<string, string>>, under: readonly string[], cwd: string, ...argv: string[]) => {
    const answer = spawnProgram([...argv, '--json'], { env, under, cwd });
    expect(answer).toMatchObject({ code: 5, err: '' });
    expect(documentsOf(answer)).toEqual([{ ok: false, error: 'IO_ERROR', message: expect.stringMatching(/\S/), hint: expect.stringMatching(/--home/) }]);
  };

  it.each([
    ['empty', ''],
    ['relative', 'some/where'],
  ])('because HOME is %s is told with what to do', (_name, home) => {
    const cli = program();
    for (const argv of [['status'], ['save', 'decision', 'Use SQLite'], ['search', 'x'], ['config']]) expectNoHome({ HOME: home }, [], cli.project, ...argv);
    expect(fs.readdirSync(cli.project)).toEqual([]);
  });

  it('because the user has none is told too', ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can become a user that nobody knows');
    skipIfClosedToOthers(PROGRAM, skip);
    const cli = program();
    fs.chmodSync(cli.folder, 0o755);
    expectNoHome({}, ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'], '/', 'save', 'decision', 'Use SQLite');
  });

  it.each(['status', 'search x', 'save decision x', 'doctor', 'config set mode manual', 'save preference x --user'])(
    'because a file stands there is told by %s, and the file stays',
    (line) => {
      const cli = program();
      fs.writeFileSync(cli.home, 'not a folder');
      const before = everythingUnder(cli.folder);
      const answer = cli.run(...line.split(' '), '--json');
      expect(answer).toMatchObject({ code: 5, err: '' });
      expect(documentsOf(answer)).toEqual([{ ok: false, error: 'IO_ERROR', message: expect.stringContaining(cli.home), hint: expect.stringMatching(/\S/) }]);
      expect(everythingUnder(cli.folder)).toEqual(before);
    },
  );

  it('does not keep the help away', () => {
    expect(spawnProgram(['--help'], { env: { HOME: '' } })).toMatchObject({ code: 0, err: '' });
  });
});
