import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitAll, git } from '../../../../app/sharing/clones.ts';
import { DECISION, draftFile, program, programAt, type Program } from '../../program.ts';

const RECORD = '.claude/memory/decisions/use-sqlite.md';

function create(cli: Program): void {
  const input = draftFile(cli, 'draft.json', DECISION);
  cli.ask('write', '--action', 'create', '--category', 'decision', '--shared', '--target', 'decisions/use-sqlite.md', '--input', input);
}

const edit = (cli: Program, from: string, to: string): void => {
  const { text } = { text: fs.readFileSync(path.join(cli.project, RECORD), 'utf8') };
  expect(cli.runIn({ input: text.replace(from, to) }, 'edit', 'use-sqlite', '--input', '-')).toMatchObject({ code: 0 });
};

/** Two clones in which both changed the record, merged with plain git in the first. */
function diverged(): Program {
  const ours = program();
  git(ours.project, 'init', '--quiet');
  create(ours);
  commitAll(ours.project, 'Start');
  const clone = path.join(ours.folder, 'clone', 'webshop');
  git(ours.folder, 'clone', '--quiet', ours.project, clone);
  const theirs = programAt(ours.folder, path.join(ours.folder, 'other-home'), clone);
  edit(ours, 'SQLite with FTS5', 'SQLite in WAL mode');
  edit(theirs, 'SQLite with FTS5', 'PostgreSQL everywhere');
  theirs.ask('save', 'constraint', 'No network in tests', '--shared');
  ours.ask('save', 'constraint', 'Prices are in cents', '--shared');
  for (const cli of [ours, theirs]) commitAll(cli.project, 'Changed');
  git(ours.project, 'fetch', '--quiet', clone);
  expect(git(ours.project, 'merge', 'FETCH_HEAD')).toMatchObject({ code: 1 });
  return ours;
}

describe('a shared record that two branches changed', () => {
  it('is named by doctor, told to nobody and not written to, until merge settles it', () => {
    const cli = diverged();
    const file = path.join(cli.project, RECORD);
    const conflicted = fs.readFileSync(file, 'utf8');
    expect(cli.run('doctor')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /a merge left conflict markers in decisions\/use-sqlite\.md.*"SQLite in WAL mode" in ours and "PostgreSQL everywhere" in theirs[\s\S]*holdfast merge decisions\/use-sqlite\.md --ours or --theirs/,
      ),
    });
    const told = ['search', 'brief', 'recall'].map((word) => cli.run(word, ...(word === 'brief' ? [] : ['sqlite in wal mode or postgresql'])).out).join('\n');
    expect(told).not.toMatch(/<<<<<<<|>>>>>>>|WAL mode|PostgreSQL/);
    for (const argv of [
      ['retire', 'use-sqlite'],
      ['show', 'decision/use-sqlite'],
      ['get', RECORD.slice('.claude/memory/'.length)],
    ]) {
      expect(cli.refused(...argv)).toMatchObject({
        error: 'READ_ERROR',
        message: expect.stringContaining('conflict markers'),
        hint: expect.stringContaining('merge'),
      });
    }
    expect(cli.ask('save', 'decision', 'Use SQLite because it is there', '--title', 'Use SQLite')).toMatchObject({ id: 'decision/use-sqlite-2' });
    expect(fs.readFileSync(file, 'utf8')).toBe(conflicted);

    expect(cli.run('merge')).toMatchObject({ code: 1, out: expect.stringMatching(/ours: {3}SQLite in WAL mode\n\s+theirs: PostgreSQL everywhere/) });
    expect(cli.ask('merge', 'use-sqlite', '--theirs')).toMatchObject({ merged: [{ path: 'decisions/use-sqlite.md', settled: ['content.decision'] }] });
    expect(cli.ask('get', 'decision/use-sqlite')).toMatchObject({ records: [{ record: { content: { decision: 'PostgreSQL everywhere' } } }] });
    expect(fs.readFileSync(file, 'utf8')).toContain('SQLite in WAL mode');
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
    expect(cli.run('search', 'network').out).toContain('No network in tests');
    expect(cli.run('search', 'cents').out).toContain('Prices are in cents');
    cli.ask('undo');
    expect(fs.readFileSync(file, 'utf8')).toBe(conflicted);
  });

  it('works again once a person has removed the markers', () => {
    const cli = diverged();
    const file = path.join(cli.project, RECORD);
    const text = fs.readFileSync(file, 'utf8').replace(/^<{7}.*\n([\s\S]*?)^={7}\n[\s\S]*?^>{7}.*\n/gm, '$1');
    fs.writeFileSync(file, text);
    expect(cli.run('doctor')).toMatchObject({ code: 0 });
    expect(cli.ask('retire', 'use-sqlite')).toMatchObject({ status: 'retired' });
  });
});

describe('the shared folder', () => {
  it('keeps an index.md as it is that an earlier version committed, and doctor says how to remove it', () => {
    const cli = program();
    const view = path.join(cli.project, '.claude/memory/index.md');
    fs.mkdirSync(path.dirname(view), { recursive: true });
    fs.writeFileSync(view, '<!-- old -->\n- [DECISION] Gone -> .claude/memory/decisions/gone.md\n');
    cli.ask('save', 'constraint', 'No network in tests', '--shared');
    expect(fs.readFileSync(view, 'utf8')).toContain('<!-- old -->');
    expect(cli.run('search', 'gone').out).not.toContain('gone.md');
    expect(cli.run('doctor')).toMatchObject({ code: 0, out: expect.stringContaining('git rm .claude/memory/index.md') });
  });
});
