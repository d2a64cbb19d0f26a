import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUseSqlite, program, programAt } from './program.ts';

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
      out: 'webshop: 1 new, 0 updated, 0 unchanged, 0 newer or removed here, 0 in conflict\nyour own memory: 1 new, 0 updated, 0 unchanged, 0 newer or removed here, 0 in conflict\n',
    });
    expect(there.ask('show', 'use-sqlite')).toMatchObject({ ok: true, title: 'Use SQLite' });
    expect(there.run('search', 'sqlite').out).toContain('Use SQLite');
    expect(there.ask('import', '--format', 'bundle', 'all.tar.gz')).toMatchObject({
      bundles: [{ parts: [{ created: [], unchanged: ['decisions/use-sqlite.md'] }, {}] }],
    });
  });

  it('are what user export and import use for a bundle', () => {
    const here = program();
    here.ask('save', 'preference', 'Short functions', '--user');
    expect(here.run('user', 'export', 'me.tar.gz').out).toMatch(/^exported .*me\.tar\.gz/);
    const there = programAt(here.folder, path.join(here.folder, 'other'), here.project);
    expect(there.run('user', 'import', 'me.tar.gz').out).toMatch(/^your own memory: 1 new,/);
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
