import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findProblems } from '../../../src/app/read/doctor.ts';
import { ioFailure } from '../../../src/adapters/files/durable.ts';
import type { FileRef } from '../../../src/core/ports/store.ts';
import { undo } from '../../../src/app/history/undo.ts';
import { rebuild } from '../../../src/app/read/rebuild.ts';
import { statusOfMemory } from '../../../src/app/read/status.ts';
import { searchMemory } from '../../../src/app/search/ranking.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { filesUnder } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';
import { PATIENCE } from '../../patience.ts';

const find = async (memory: Memory, query: string): Promise<string[]> => (await searchMemory([{ memory }], { query, limit: 10 })).map(({ id }) => id);
const problems = async (memory: Memory): Promise<string[]> => (await findProblems(memory)).filter(({ level }) => level === 'problem').map(({ what }) => what);
const VIEWS = ['_index.md', '_index-archive.md', 'index.md'];

describe('what is changed by hand', () => {
  it('is noticed when a file is edited in place, added, renamed or removed', async () => {
    const { memory, root, reopen } = openMemory();
    const { file } = must(await save(memory, 'runbook', { title: 'Restart the worker' }));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Restart the worker', 'Drain the kettle'));
    expect([await find(memory, 'kettle'), await find(memory, 'worker')]).toEqual([['runbook/restart-the-worker'], []]);

    fs.copyFileSync(file, path.join(root, 'runbooks', 'copied-by-hand.md'));
    expect((await find(memory, 'kettle')).toSorted()).toEqual(['runbook/restart-the-worker', 'runbook/restart-the-worker'].toSorted());
    fs.writeFileSync(path.join(root, 'runbooks', 'copied-by-hand.md'), fs.readFileSync(file, 'utf8').replace('id: restart-the-worker', 'id: copied-by-hand'));
    expect((await find(memory, 'kettle')).toSorted()).toEqual(['runbook/copied-by-hand', 'runbook/restart-the-worker']);

    fs.rmSync(file);
    expect(await find(memory, 'kettle')).toEqual(['runbook/copied-by-hand']);
    const later = await reopen();
    expect(await find(later.memory, 'kettle')).toEqual(['runbook/copied-by-hand']);
    expect(await problems(later.memory)).toEqual([]);
  });

  it('is journalled by the next write, so that it can be listed', async () => {
    const { memory } = openMemory();
    const { file } = must(await save(memory, 'runbook', { title: 'One' }));
    fs.appendFileSync(file, '\n## Notes\nmine\n');
    await find(memory, 'one');
    must(await save(memory, 'runbook', { title: 'Two' }));
    expect((await memory.store.journal.entries()).map(({ op, actor }) => [op, actor])).toEqual([
      ['create', 'command'],
      ['adopt', 'hand'],
      ['create', 'command'],
    ]);
  });

  it('is a record even when a person wrote little of it', async () => {
    const { memory, root } = openMemory();
    must(await save(memory, 'runbook', { title: 'One' }));
    fs.mkdirSync(path.join(root, 'decisions'), { recursive: true });
    fs.writeFileSync(
      path.join(root, 'decisions', '2026-02-03_001_use-tea.md'),
      '# Use tea\n\n**Date**: 2026-02-03\n**Status**: decided\n\n## Context\nMornings.\n\n## Decision\nTea, not coffee.\n\n## Rationale\n- calmer\n',
    );
    expect(await find(memory, 'coffee')).toEqual(['decision/use-tea']);
  });

  it('is searched as a document where it is one', async () => {
    const { memory, root, reopen } = openMemory();
    must(await save(memory, 'runbook', { title: 'One' }));
    fs.mkdirSync(path.join(root, 'context'));
    fs.writeFileSync(path.join(root, 'context', 'current-task.md'), '# Current task\nMigrate the ledger\n');
    expect(await find(memory, 'ledger')).toEqual(['context/current-task']);
    await reopen();
    expect(fs.readFileSync(path.join(root, '_index.md'), 'utf8')).toContain('- **Task**: Migrate the ledger');
  });
});

describe('a record file that is no record', () => {
  it('is named by doctor with its remedy, and neither found nor listed', async () => {
    const { memory, root } = openMemory();
    const { file } = must(await save(memory, 'decision', { title: 'Use tea because it is calm' }));
    const bytes = Buffer.from(Array.from({ length: 600 }, (_, at) => (at % 40 === 0 ? 10 : (at * 151 + 77) % 256)));
    fs.writeFileSync(file, Buffer.concat([bytes, Buffer.from(' because '), bytes]));
    fs.writeFileSync(path.join(root, 'decisions', 'loose.md'), 'no heading, because nothing here is a record\n');
    expect(await find(memory, 'because')).toEqual([]);
    expect(memory.index.items({ kind: 'record' })).toEqual([]);
    expect((await problems(memory)).toSorted()).toEqual([
      'Not a readable record: it has neither front matter nor a heading',
      'Not a readable record: it is not UTF-8 text',
    ]);
    await save(memory, 'runbook', { title: 'Two' });
    const adopted = (await memory.store.journal.entries()).findLast(({ op, before }) => op === 'adopt' && before !== undefined);
    expect((await findProblems(memory)).map(({ mend }) => mend)).toContainEqual(expect.stringMatching(`^holdfast undo '#${adopted?.seq}' `));
    must(await undo(memory, { actor: 'command', groups: [String(adopted?.seq)] }));
    expect(await find(memory, 'tea')).toEqual(['decision/use-tea-because-it-is-calm']);
  });

  it('is named where the system does not let it be read', async () => {
    const { memory } = openMemory();
    const { file } = must(await save(memory, 'decision', { title: 'Use tea', related_files: ['tea.ts'] }));
    const read = (place: FileRef) => {
      if (memory.store.absolute(place) === file) throw ioFailure(new Error('EACCES: permission denied'), `cannot read ${file}`);
      return memory.store.read(place);
    };
    const store = new Proxy(memory.store, {
      get: (target, name) => {
        const member: unknown = name === 'read' ? read : Reflect.get(target, name, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
    expect(await problems({ ...memory, store })).toEqual([`cannot read ${file}: EACCES: permission denied`]);
  });
});

describe('a document that says nothing yet', () => {
  it('is not found by the comment that tells how it is kept', async () => {
    const { memory, root } = openMemory();
    must(await save(memory, 'runbook', { title: 'One' }));
    fs.mkdirSync(path.join(root, 'context'));
    fs.writeFileSync(path.join(root, 'context', 'blockers.md'), '# Blockers\n\n<!-- What holds the work up. Edits by hand are kept. -->\n\nNone.\n');
    expect(await find(memory, 'kept apart')).toEqual([]);
    expect(await find(memory, 'blockers')).toEqual(['context/blockers']);
  });
});

describe('a file that cannot be read', () => {
  it('is reported, left alone, and hides nothing else', async () => {
    const { memory, root } = openMemory();
    must(await save(memory, 'runbook', { title: 'Good one' }));
    const bad = path.join(root, 'runbooks', 'bad.json');
    fs.writeFileSync(bad, '{broken');
    expect(await find(memory, 'good')).toEqual(['runbook/good-one']);
    expect(await problems(memory)).toEqual([expect.stringContaining('Not a readable record')]);
    expect((await statusOfMemory(memory)).unreadable).toBe(1);
    expect(fs.readFileSync(bad, 'utf8')).toBe('{broken');
    fs.rmSync(bad);
    expect(await problems(memory)).toEqual([]);
  });
});

describe('the index', () => {
  it('is made again when it is missing, damaged or of another version', async () => {
    const opened = openMemory();
    must(await save(opened.memory, 'runbook', { title: 'Keep me' }));
    const index = path.join(opened.home, 'holdfast/projects/project/index.db');
    let current = await opened.reopen();
    await find(current.memory, 'keep');
    for (const damage of [() => fs.rmSync(index), () => fs.writeFileSync(index, 'garbage '.repeat(2_000)), () => fs.truncateSync(index, 9_000)]) {
      current = await current.reopen();
      for (const log of ['-wal', '-shm']) fs.rmSync(`${index}${log}`, { force: true });
      damage();
      current = await current.reopen();
      expect(await find(current.memory, 'keep')).toEqual(['runbook/keep-me']);
    }
  });

  it('looks at a slice of many files at a time, and at every hit before it is shown', async () => {
    const { memory, root, at, reopen } = openMemory();
    const { file, record } = must(await save(memory, 'runbook', { title: 'Template' }));
    const text = fs.readFileSync(file, 'utf8');
    const name = (n: number): string => `q${[...n.toString(9)].map((digit) => 'bcdfghjkl'[Number(digit)]).join('')}q`;
    for (let n = 0; n < 2_200; n++)
      fs.writeFileSync(path.join(root, 'runbooks', `r-${n}.md`), text.replaceAll('Template', name(n)).replace(`id: ${record.id}`, `id: r-${n}`));
    expect(await find(memory, name(77))).toEqual(['runbook/r-77']);
    fs.writeFileSync(path.join(root, 'runbooks', 'r-77.md'), text.replaceAll('Template', 'Changed').replace(`id: ${record.id}`, 'id: r-77'));
    // Nothing holds the word any more, so that records with words spelt nearly like it may come in its place; the stale one must not.
    expect(await find(memory, name(77))).not.toContain('runbook/r-77');
    const later = await reopen();
    // The folder's own time has settled by then, so that only looking at the file itself can tell.
    const searches: number[] = [];
    for (let second = 0; second < 180; second++) {
      at(new Date(Date.now() + 3_600_000 + second * 1_000).toISOString());
      if (second === 1)
        fs.writeFileSync(path.join(root, 'runbooks', 'r-2100.md'), text.replaceAll('Template', 'Giraffes').replace(`id: ${record.id}`, 'id: r-2100'));
      if ((await find(later.memory, 'giraffes')).length > 0) searches.push(second);
    }
    expect(searches[0]).toBeGreaterThan(0);
    expect(searches.length).toBeGreaterThan(20);
  });
});

describe('views', () => {
  it('are rebuilt byte for byte from the files', async () => {
    const { memory, root, at } = openMemory();
    for (let n = 1; n <= 25; n++) {
      at(`2026-03-01T12:00:${String(n).padStart(2, '0')}Z`);
      must(await save(memory, n % 2 ? 'runbook' : 'decision', { title: `Entry | number ${n}`, tags: [`t${n % 3}`] }));
    }
    await memory.repairViews();
    const before = filesUnder(root);
    expect(before['_index.md']?.match(/^\| (Runbook|Decision) /gm)).toHaveLength(20);
    expect(before['_index-archive.md']?.match(/^\| (Runbook|Decision) /gm)).toHaveLength(5);
    expect(before['index.md']?.match(/^- \[/gm)).toHaveLength(25);
    for (const view of VIEWS) fs.rmSync(path.join(root, view));
    expect(await rebuild(memory, 'test')).toMatchObject({ records: 25, decisions: 12 });
    const after = filesUnder(root);
    for (const view of VIEWS) expect(after[view]).toBe(before[view]);
  });

  it('are mended by the next command after a writer died before it rendered them', async () => {
    const { memory, root, reopen } = openMemory();
    must(await save(memory, 'runbook', { title: 'One' }));
    const first = filesUnder(root);
    must(await save(memory, 'runbook', { title: 'Two' }));
    const later = await reopen();
    for (const view of VIEWS) fs.writeFileSync(path.join(root, view), first[view] ?? '');
    later.memory.index.update((change) => change.views({ position: -1 }));
    await find(later.memory, 'two');
    // Views are for people, so the caller gets the answer first.
    expect(fs.readFileSync(path.join(root, 'index.md'), 'utf8')).toBe(first['index.md']);
    const last = await later.reopen();
    expect(fs.readFileSync(path.join(root, 'index.md'), 'utf8')).toContain('Two');
    expect(await problems(last.memory)).toEqual([]);
  });

  it('are mended without being waited for while a memory stays open', async () => {
    const { memory, root } = openMemory();
    const { file } = must(await save(memory, 'runbook', { title: 'One' }));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('# One', '# Kettle'));
    await find(memory, 'kettle');
    await vi.waitFor(() => expect(fs.readFileSync(path.join(root, 'index.md'), 'utf8')).toContain('Kettle'), PATIENCE);
  });
});
