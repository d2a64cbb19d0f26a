import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from '../../program.ts';

describe('synthesize --import', () => {
  it('puts the line that loads it into CLAUDE.md, and takes out that line alone', () => {
    const cli = program();
    fs.mkdirSync(path.join(cli.project, '_memory'));
    const file = path.join(cli.project, 'CLAUDE.md');
    const before = '# Rules\r\n\r\nRun the tests.';
    fs.writeFileSync(file, before, { mode: 0o640 });
    expect(cli.ask('synthesize', '--import', 'add')).toMatchObject({ changed: true, external: false });
    expect(fs.readFileSync(file, 'utf8')).toBe(`${before}\r\n@_memory/master.md\r\n`);
    expect(cli.ask('synthesize', '--import', 'add')).toMatchObject({ changed: false });
    expect(cli.ask('synthesize', '--import', 'remove')).toMatchObject({ changed: true });
    expect(fs.readFileSync(file, 'utf8')).toBe(`${before}\r\n`);
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    // The wording of the document, which a user may have written by hand, and the path that an earlier version wrote.
    for (const target of ['_memory/master.md', path.join(cli.project, '_memory', 'master.md')]) {
      fs.writeFileSync(file, `${before}\r\n@import ${target}\r\n`);
      expect(cli.ask('synthesize', '--import', 'remove')).toMatchObject({ changed: true });
      expect(fs.readFileSync(file, 'utf8')).toBe(`${before}\r\n`);
    }
  });

  it('names a master outside the project only in a file that is not committed, says that the client will ask, and leaves no empty file', () => {
    const cli = program();
    const added = cli.run('synthesize', '--import', 'add');
    expect(added.out).toMatch(/CLAUDE\.local\.md loads .*[\s\S]*asks once.*outside the project/);
    expect(fs.existsSync(path.join(cli.project, 'CLAUDE.md'))).toBe(false);
    expect(fs.readFileSync(path.join(cli.project, 'CLAUDE.local.md'), 'utf8')).toBe(`@${path.join(cli.records, 'master.md')}\n`);
    expect(cli.ask('synthesize', '--import', 'remove')).toMatchObject({ changed: true });
    expect(fs.readdirSync(cli.project)).toEqual([]);
    // A line that an earlier version put into the committed file is removed as well.
    fs.writeFileSync(path.join(cli.project, 'CLAUDE.md'), `@${path.join(cli.records, 'master.md')}\n`);
    expect(cli.ask('synthesize', '--import', 'remove')).toMatchObject({ changed: true });
    expect(fs.readdirSync(cli.project)).toEqual([]);
  });
});
