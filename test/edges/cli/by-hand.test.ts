import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scratch.ts';
import { createUseSqlite, program, type Program } from './program.ts';

const found = (cli: Program, query: string): readonly string[] => (cli.ask('search', query)['hits'] as { id: string }[]).map(({ id }) => id);
const viewsOf = ({ records }: Program): Record<string, string> =>
  Object.fromEntries(Object.entries(filesUnder(records)).filter(([name]) => /^_?index(-archive)?\.md$/.test(name)));
const inState = ({ home }: Program, ...names: readonly string[]): string => path.join(home, 'holdfast', 'projects', 'webshop', ...names);

describe('a file', () => {
  it('edited by hand is found by what it says now', () => {
    const cli = program();
    const { file } = createUseSqlite(cli) as { file: string };
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('SQLite with FTS5', 'Xylophones everywhere').replace('# Use SQLite', '# Use xylophones'));
    expect(found(cli, 'xylophones')).toEqual(['decision/use-sqlite']);
    expect(found(cli, 'fts5')).toEqual([]);
    expect(fs.readFileSync(path.join(cli.records, 'index.md'), 'utf8')).toContain('[DECISION] Use xylophones ->');
    cli.ask('retire', 'use-sqlite');
    expect(cli.run('log').out).toMatch(/retire[\s\S]*adopt[\s\S]*by hand[\s\S]*create/);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });

  it('added by hand is a record, with its name and time for what it leaves out', () => {
    const cli = program();
    createUseSqlite(cli);
    fs.mkdirSync(path.join(cli.records, 'preferences'));
    fs.writeFileSync(path.join(cli.records, 'preferences/short-names.md'), '# Short names\n\n## Value\nNames say what a thing is\n');
    expect(cli.ask('status')).toMatchObject({ categories: expect.arrayContaining([{ category: 'preference', active: 1, retired: 0, archived: 0 }]) });
    expect(found(cli, 'short names')).toEqual(['preference/short-names']);
    expect(cli.ask('show', 'short-names')).toMatchObject({ record: { category: 'preference', id: 'short-names', title: 'Short names' } });
  });

  it('renamed by hand is found under its new path, and removed by hand it is gone', () => {
    const cli = program();
    const { file } = createUseSqlite(cli) as { file: string };
    const renamed = path.join(path.dirname(file), 'sqlite-it-is.md');
    fs.renameSync(file, renamed);
    expect(cli.ask('search', 'sqlite')).toMatchObject({ hits: [{ file: renamed }] });
    fs.rmSync(renamed);
    expect(found(cli, 'sqlite')).toEqual([]);
    expect(cli.refused('show', 'use-sqlite')).toMatchObject({ exit: 4 });
    expect(fs.readFileSync(path.join(cli.records, 'index.md'), 'utf8')).not.toContain('SQLite');
  });

  it('that cannot be read is reported by doctor and left alone', () => {
    const cli = program();
    createUseSqlite(cli);
    const file = path.join(cli.records, 'decisions/broken.md');
    const broken = '---\ntags: [\n---\n# Broken\n';
    fs.writeFileSync(file, broken);
    const people = cli.run('doctor');
    expect(people).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^problem Not a readable record: .*\n {2}.*decisions\/broken\.md\n {2}fix the file in an editor/m),
    });
    const { code, out } = cli.run('doctor', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, findings: [{ level: 'problem', where: file, mend: expect.any(String) }] });
    for (const argv of [['rebuild'], ['gc'], ['retire', 'use-sqlite'], ['undo']]) expect(cli.run(...argv)).toMatchObject({ code: 0 });
    expect(fs.readFileSync(file, 'utf8')).toBe(broken);
    expect(cli.refused('write', '--action', 'retire', '--target', 'decisions/broken.md')).toMatchObject({ exit: 5, error: 'READ_ERROR' });
    expect(fs.readFileSync(file, 'utf8')).toBe(broken);
    fs.rmSync(file);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });

  it('that claims the id of another is reported by doctor, and neither is changed by its id', () => {
    const cli = program();
    const { file } = createUseSqlite(cli) as { file: string };
    fs.copyFileSync(file, path.join(path.dirname(file), 'copy.md'));
    expect(cli.run('doctor')).toMatchObject({ code: 1, out: expect.stringContaining('decision/use-sqlite has 2 files') });
    expect(cli.refused('retire', 'use-sqlite')).toMatchObject({ exit: 1, error: 'AMBIGUOUS_ID' });
  });

  it('about a file of the project says when that has changed since', () => {
    const cli = program();
    fs.writeFileSync(path.join(cli.project, 'store.ts'), 'one');
    cli.ask('save', 'decision', 'Use SQLite because it needs no server', '--title', 'Use SQLite', '--file', 'store.ts');
    expect(cli.run('show', 'use-sqlite').err).toBe('');
    fs.writeFileSync(path.join(cli.project, 'store.ts'), 'two');
    expect(cli.run('show', 'use-sqlite')).toMatchObject({ code: 0, err: 'note use-sqlite may be out of date. Files changed since it was written: store.ts\n' });
    expect(cli.ask('get', 'use-sqlite')).toMatchObject({ records: [{ stale: ['store.ts'] }] });
    expect(cli.run('doctor')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^note decision\/use-sqlite may be out of date\. Files changed since it was written: store\.ts$/m),
    });
  });
});

describe('a document', () => {
  it('written by hand is found and shown, and edit keeps its history', () => {
    const cli = program();
    createUseSqlite(cli);
    fs.mkdirSync(path.join(cli.records, 'context'));
    fs.writeFileSync(path.join(cli.records, 'context/current-task.md'), '# Current task\n\nPort the xylophone\n');
    expect(cli.ask('search', 'xylophone', '--kind', 'document')).toMatchObject({
      hits: [{ kind: 'document', id: 'context/current-task', title: 'Current task' }],
    });
    expect(cli.ask('search', 'xylophone', '--kind', 'record')).toMatchObject({ hits: [] });
    expect(cli.run('show', 'context/current-task')).toMatchObject({ code: 0, out: '# Current task\n\nPort the xylophone\n' });
    expect(cli.askIn({ input: '# Current task\n\nTune it\n' }, 'edit', 'context/current-task', '--input', '-')).toMatchObject({ status: 'updated' });
    expect(cli.run('diff', 'context/current-task.md').out).toMatch(/^-Port the xylophone\n\+Tune it$/m);
    cli.ask('undo');
    expect(cli.run('show', 'context/current-task').out).toContain('xylophone');
  });
});

describe('the editor', () => {
  const editing = (cli: Program, script: string) => {
    const editor = path.join(cli.folder, 'editor.sh');
    fs.writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const temporary = path.join(cli.folder, 'tmp');
    fs.mkdirSync(temporary);
    return { answer: cli.runIn({ env: { VISUAL: editor, TMPDIR: temporary } }, 'edit', 'use-sqlite'), left: () => filesUnder(temporary) };
  };

  it('changes a record, and what it worked on is gone afterwards', () => {
    const cli = program();
    createUseSqlite(cli);
    const { answer, left } = editing(cli, `sed -i 's/SQLite with FTS5/Xylophones/' "$1"`);
    expect(answer).toMatchObject({ code: 0, out: expect.stringMatching(/^updated decision\/use-sqlite\n/) });
    expect(found(cli, 'xylophones')).toEqual(['decision/use-sqlite']);
    expect(left()).toEqual({});
  });

  it('changes nothing when nothing was changed', () => {
    const cli = program();
    createUseSqlite(cli);
    const { answer, left } = editing(cli, ':');
    expect(answer).toMatchObject({ code: 0, out: 'No changes.\n' });
    expect(left()).toEqual({});
  });

  it('does not lose a text that is refused: it says where it is', () => {
    const cli = program();
    createUseSqlite(cli);
    const { answer, left } = editing(cli, `printf -- '---\\ntags: [\\n---\\n' > "$1"`);
    expect(answer).toMatchObject({ code: 1, err: expect.stringMatching(/^VALIDATION_ERROR [\s\S]*your text is in \S+use-sqlite\.md\n$/) });
    expect(Object.values(left())).toEqual(['---\ntags: [\n---\n']);
  });
});

describe('the index', () => {
  const damage: readonly (readonly [string, (cli: Program) => void])[] = [
    ['missing', (cli) => fs.rmSync(inState(cli, 'index.db'))],
    ['overwritten with garbage', (cli) => fs.writeFileSync(inState(cli, 'index.db'), 'garbage '.repeat(4_000))],
    ['cut short', (cli) => fs.truncateSync(inState(cli, 'index.db'), 5_000)],
    ['empty', (cli) => fs.truncateSync(inState(cli, 'index.db'), 0)],
    [
      'damaged inside',
      (cli) => {
        const bytes = fs.readFileSync(inState(cli, 'index.db'));
        bytes.fill(0xa5, 4_096);
        fs.writeFileSync(inState(cli, 'index.db'), bytes);
      },
    ],
  ];

  it.each(damage)('%s is made again by the next command', (_name, breakIt) => {
    const cli = program();
    createUseSqlite(cli);
    cli.ask('status');
    const views = viewsOf(cli);
    breakIt(cli);
    expect(cli.run('search', 'sqlite', '--json')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('decision/use-sqlite') });
    breakIt(cli);
    expect(cli.ask('save', 'decision', 'Use Node because we know it')).toMatchObject({ status: 'created' });
    cli.ask('undo');
    expect(viewsOf(cli)).toEqual(views);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });
});

describe('rebuild', () => {
  it('makes every view again, byte for byte, and touches nothing else', () => {
    const cli = program();
    createUseSqlite(cli);
    cli.ask('save', 'constraint', 'At most 100 requests a minute', '--title', 'Rate limit');
    cli.ask('save', 'preference', 'Tabs', '--title', 'Tabs');
    cli.ask('retire', 'tabs');
    const [before, views] = [filesUnder(cli.records), viewsOf(cli)];
    expect(Object.keys(views).toSorted()).toEqual(['_index-archive.md', '_index.md', 'index.md']);
    cli.ask('rebuild');
    expect(filesUnder(cli.records)).toEqual(before);
    for (const name of Object.keys(views)) fs.rmSync(path.join(cli.records, name));
    fs.rmSync(inState(cli, 'index.db'));
    cli.ask('rebuild');
    expect(filesUnder(cli.records)).toEqual(before);
    expect(filesUnder(cli.project)).toEqual({});
  });

  it('mends a view that somebody wrote into', () => {
    const cli = program();
    createUseSqlite(cli);
    cli.ask('status');
    const views = viewsOf(cli);
    fs.appendFileSync(path.join(cli.records, 'index.md'), 'scribble\n');
    expect(cli.run('doctor')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/The view does not match the records[\s\S]*index\.md[\s\S]*holdfast rebuild/),
    });
    cli.ask('rebuild');
    expect(viewsOf(cli)).toEqual(views);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
  });
});
