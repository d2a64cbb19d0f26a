import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUseSqlite, type Program, program, programAt } from '../../program.ts';

describe('export and import --format bundle', () => {
  it('take a memory to another home, where the project finds it again', () => {
    const here = program();
    createUseSqlite(here);
    here.ask('save', 'preference', 'Short functions', '--user');
    const out = here.run('export', 'all.tar.gz', '--scope', 'all');
    expect(out.out).toMatch(/^exported .*all\.tar\.gz {2}\d+ bytes\n {2}2 records and 0 documents of webshop\n$/);
    const there = programAt(here.folder, path.join(here.folder, 'other'), here.project);
    const came = there.run('import', '--format', 'bundle', 'all.tar.gz');
    expect(came).toMatchObject({
      code: 0,
      out: 'webshop: 1 new, 0 updated, 0 unchanged, 0 newer or removed here, 0 in conflict\nyour user memory: 1 new, 0 updated, 0 unchanged, 0 newer or removed here, 0 in conflict\n',
    });
    expect(there.ask('show', 'use-sqlite')).toMatchObject({ ok: true, title: 'Use SQLite' });
    expect(there.run('search', 'sqlite').out).toContain('Use SQLite');
    expect(there.ask('import', '--format', 'bundle', 'all.tar.gz')).toMatchObject({
      bundles: [{ parts: [{ created: [], unchanged: ['decisions/use-sqlite.md'] }, {}] }],
    });
  });

  it('take what one project knows into another, where it is asked for there', () => {
    const here = program();
    createUseSqlite(here);
    expect(here.run('export', 'shop.tar.gz', '--scope', 'project').out).toContain('  1 record and 0 documents of webshop\n');
    const bundle = path.join(here.project, 'shop.tar.gz');
    const project = path.join(here.folder, 'bakery');
    fs.mkdirSync(project);
    const there = programAt(here.folder, here.home, project);
    expect(there.refused('import', '--here', path.join(here.records, 'index.md'))).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(there.ask('import', '--format', 'bundle', bundle)).toMatchObject({ bundles: [{ parts: [{ project: 'webshop', created: [] }] }] });
    expect(there.refused('show', 'use-sqlite')).toMatchObject({ error: 'NOT_FOUND' });
    const came = there.ask('import', '--here', bundle);
    expect(came).toMatchObject({ bundles: [{ parts: [{ project: 'bakery', was: 'webshop', created: ['decisions/use-sqlite.md'] }] }] });
    expect(there.ask('show', 'use-sqlite')).toMatchObject({ title: 'Use SQLite', file: path.join(here.home, 'projects/bakery/decisions/use-sqlite.md') });
    expect(there.run('search', 'sqlite').out).toContain('Use SQLite');
    expect(here.ask('show', 'use-sqlite')).toMatchObject({ title: 'Use SQLite' });
    there.ask('undo');
    expect(there.refused('show', 'use-sqlite')).toMatchObject({ error: 'NOT_FOUND' });
    here.ask('export', 'all.tar.gz', '--scope', 'user');
    expect(there.refused('import', '--format', 'bundle', '--here', path.join(here.project, 'all.tar.gz'))).toMatchObject({ error: 'INPUT_ERROR', exit: 1 });
  });

  it('are what user export and import use for a bundle', () => {
    const here = program();
    here.ask('save', 'preference', 'Short functions', '--user');
    expect(here.run('user', 'export', 'me.tar.gz').out).toMatch(/^exported .*me\.tar\.gz/);
    const there = programAt(here.folder, path.join(here.folder, 'other'), here.project);
    expect(there.run('user', 'import', 'me.tar.gz').out).toMatch(/^your user memory: 1 new,/);
    expect(there.ask('show', 'short-functions', '--user')).toMatchObject({ ok: true });
  });

  it('refuse what cannot be', () => {
    const cli = program();
    expect(cli.refused('export')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(cli.refused('export', 'x.tar.gz')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
    expect(cli.refused('import', '--format', 'bundle')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
    expect(cli.refused('import', '--format', 'bundle', 'no.tar.gz')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
    fs.writeFileSync(path.join(cli.project, 'x.tar.gz'), 'no bundle');
    expect(cli.refused('import', '--format', 'bundle', 'x.tar.gz')).toMatchObject({ error: 'INPUT_ERROR', exit: 1 });
  });
});

describe('a conflict that an import kept', () => {
  interface Finding {
    readonly level: string;
    readonly what: string;
    readonly mend: string;
  }
  const findings = (cli: Program, ...more: readonly string[]): readonly Finding[] =>
    (JSON.parse(cli.run('doctor', '--json', ...more).out) as { findings: Finding[] }).findings.filter(({ what }) => what.includes('imported bundle'));

  /** Two homes that changed the same record, and the same document, in different ways. */
  function parted(): Program {
    const here = program();
    createUseSqlite(here);
    here.ask('save', 'preference', 'Short functions', '--user', '--title', 'Functions');
    const change = (cli: Program, word: string): void => {
      for (const file of ['projects/webshop/decisions/use-sqlite.md', 'user/preferences/functions.md']) {
        const record = path.join(cli.home, file);
        fs.writeFileSync(record, fs.readFileSync(record, 'utf8').replace(/SQLite|Short/, word));
      }
      const task = path.join(cli.home, 'projects/webshop/context/current-task.md');
      fs.mkdirSync(path.dirname(task), { recursive: true });
      fs.writeFileSync(task, `# Current Task\n\n${word}\n`);
    };
    here.ask('export', 'all.tar.gz', '--scope', 'all');
    const there = programAt(here.folder, path.join(here.folder, 'other'), here.project);
    there.ask('import', '--format', 'bundle', 'all.tar.gz');
    change(here, 'Theirs');
    change(there, 'Ours');
    here.ask('export', 'all.tar.gz', '--scope', 'all');
    expect(there.run('import', '--format', 'bundle', 'all.tar.gz').out).toMatch(
      /conflict kept decisions\/use-sqlite\.md; saved the imported version as .*\n {2}holdfast doctor shows how[^]*conflict kept preferences[^]* {2}holdfast doctor --user shows how/,
    );
    return there;
  }

  it('is named by doctor with the commands that settle it, until they have', () => {
    const there = parted();
    const [document, record] = findings(there);
    expect(record).toMatchObject({
      level: 'note',
      what: 'decision/use-sqlite was changed here and in an imported bundle, which was saved as decision/use-sqlite-imported',
      mend: expect.stringContaining(
        'keep yours with holdfast retire decision/use-sqlite-imported, or the imported version with holdfast retire decision/use-sqlite;',
      ),
    });
    expect(document).toMatchObject({
      what: expect.stringContaining('context/current-task'),
      mend: expect.stringMatching(/^copy what is missing into .*current-task\.md/),
    });
    expect(there.run('doctor').out).toContain('keep yours with holdfast retire decision/use-sqlite-imported,');
    there.ask('retire', 'decision/use-sqlite-imported');
    fs.rmSync(path.join(there.home, 'projects/webshop/context/current-task-imported.md'));
    expect(findings(there)).toEqual([]);
    there.ask('restore', 'decision/use-sqlite-imported');
    expect(findings(there)).toHaveLength(1);
    there.ask('retire', 'decision/use-sqlite');
    expect(findings(there)).toEqual([]);
  });

  it("is named in the user's own memory too", () => {
    const there = parted();
    expect(findings(there, '--user')).toMatchObject([
      { mend: expect.stringContaining('keep yours with holdfast retire preference/functions-imported --user,') },
    ]);
    there.ask('retire', 'preference/functions-imported', '--user');
    expect(findings(there, '--user')).toEqual([]);
  });

  it('is not what somebody calls a record of their own', () => {
    const cli = program();
    createUseSqlite(cli);
    cli.ask('save', 'decision', 'Use SQLite as it was brought along', '--title', 'Use SQLite imported');
    expect(findings(cli)).toEqual([]);
  });
});
