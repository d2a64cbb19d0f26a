import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DECISION, draftFile, program, type Program } from './program.ts';

/** Clears the screen, sets the window's title, goes back over the line, and says it all again in the eight-bit form. */
const CONTROL = '\u001b[2J\u001b]0;owned\u0007\rback\b\b\u009b31m\u007f';
/** Characters that a terminal obeys: all control characters but line ends and tabs. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function hostile(): Program {
  const cli = program();
  const content = { ...DECISION.content, context: `Before ${CONTROL} after`, decision: `sqlite ${CONTROL}` };
  cli.ask(
    'save',
    'decision',
    '--input',
    draftFile(cli, 'draft.json', { ...DECISION, title: `Use${CONTROL} SQLite`, tags: [`st${CONTROL}`], content, related_files: [`a${CONTROL}.ts`] }),
  );
  return cli;
}

describe('control sequences in a memory', () => {
  it('are inert in everything that is said to people', () => {
    const cli = hostile();
    const [{ id }] = cli.ask('search', 'sqlite')['hits'] as [{ id: string }];
    cli.ask('retire', id, '--reason', `because ${CONTROL}`);
    cli.ask('restore', id);
    const lines = [
      ['search', 'sqlite'],
      ['show', id],
      ['get', id],
      ['log'],
      ['diff', id],
      ['status'],
      ['doctor'],
      ['candidate', '--category', 'decision', '--new-info', 'use sqlite'],
      ['archive', id],
      ['undo'],
      ['gc'],
    ];
    for (const argv of lines) {
      const { code, out, err } = cli.run(...argv);
      expect(code, argv.join(' ')).toBe(0);
      expect(OBEYED.exec(out + err), argv.join(' ')).toBeNull();
    }
  });

  it('are shown, not obeyed, where a hand put them into a file', () => {
    const cli = hostile();
    const [{ id, file }] = cli.ask('search', 'sqlite')['hits'] as [{ id: string; file: string }];
    fs.appendFileSync(file, `\n${CONTROL}\n`);
    for (const argv of [
      ['show', id],
      ['get', id],
      ['search', 'owned'],
    ])
      expect(OBEYED.exec(cli.run(...argv).out), argv.join(' ')).toBeNull();
    expect(cli.run('show', id).out).toContain(String.raw`\x1b[2J\x1b]0;owned\x07\x0dback\x08\x08\x9b31m\x7f`);
  });

  it('and in the names of files made by hand', () => {
    const cli = hostile();
    fs.mkdirSync(path.join(cli.records, 'context'), { recursive: true });
    fs.writeFileSync(path.join(cli.records, 'context', '\u001b[2Jtask.md'), '# Task\n\nxylophone\n');
    fs.writeFileSync(path.join(cli.records, 'decisions', '\u001b[2Jbad.md'), '---\ntags: [\n---\n');
    for (const argv of [['search', 'xylophone'], ['status'], ['doctor'], ['rebuild'], ['gc', '--dry-run']]) {
      const { out, err } = cli.run(...argv);
      expect(OBEYED.exec(out + err), argv.join(' ')).toBeNull();
    }
  });

  it('and in settings that came with a clone', () => {
    const cli = program();
    const shared = path.join(cli.project, '.claude/memory');
    fs.mkdirSync(shared, { recursive: true });
    fs.writeFileSync(
      path.join(shared, 'memory-config.json'),
      JSON.stringify({ [`no${CONTROL}such`]: 1, categories: { decision: { description: `x${CONTROL}` } } }),
    );
    for (const argv of [['config'], ['config', 'get', 'categories.decision.description'], ['doctor']]) {
      const { out, err } = cli.run(...argv);
      expect(out).not.toBe('');
      expect(OBEYED.exec(out + err), argv.join(' ')).toBeNull();
    }
  });

  it('and in what an error repeats', () => {
    const cli = program();
    for (const argv of [
      ['show', CONTROL],
      ['search', 'x', '--project', `p${CONTROL}`],
      ['save', CONTROL, 'x'],
      ['write', '--action', 'create', '--category', 'decision', '--target', `decisions/${CONTROL}.md`, '--input', CONTROL],
      [CONTROL],
      ['search', `--${CONTROL}`],
    ]) {
      const { code, out, err } = cli.run(...argv);
      expect(code).not.toBe(0);
      expect(OBEYED.exec(out + err), JSON.stringify(argv)).toBeNull();
    }
  });

  it('while scripts get the text as it is', () => {
    const cli = hostile();
    const [{ id }] = cli.ask('search', 'sqlite')['hits'] as [{ id: string }];
    expect(cli.ask('show', id)).toMatchObject({ record: { content: { context: `Before ${CONTROL} after` } } });
  });
});

describe('a record that came with a clone', () => {
  it('cannot make a search read outside the memory', () => {
    const cli = program();
    const secret = path.join(cli.folder, 'outside.md');
    fs.writeFileSync(secret, '# Keys\n\nxylophone\n');
    const shared = path.join(cli.project, '.claude/memory');
    for (const folder of ['context', 'decisions']) fs.mkdirSync(path.join(shared, folder), { recursive: true });
    fs.symlinkSync(secret, path.join(shared, 'context/notes.md'));
    fs.symlinkSync(secret, path.join(shared, 'decisions/notes.md'));
    fs.mkdirSync(path.join(cli.folder, 'more'));
    fs.copyFileSync(secret, path.join(cli.folder, 'more/plan.md'));
    fs.symlinkSync(path.join(cli.folder, 'more'), path.join(shared, 'progress'));
    expect(cli.ask('search', 'xylophone')).toMatchObject({ hits: [] });
    expect(cli.refused('show', 'context/notes')).toMatchObject({ exit: 4 });
  });

  it('cannot make a save write outside the project', () => {
    const cli = program();
    const outside = path.join(cli.folder, 'outside');
    fs.mkdirSync(outside);
    fs.mkdirSync(path.join(cli.project, '.claude'));
    fs.symlinkSync(outside, path.join(cli.project, '.claude/memory'));
    expect(cli.refused('save', 'decision', 'Use SQLite', '--shared').exit).not.toBe(0);
    expect(fs.readdirSync(outside)).toEqual([]);
  });
});
