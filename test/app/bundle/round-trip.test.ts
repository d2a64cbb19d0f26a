import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeDocument } from '../../../src/app/documents/write.ts';
import { undo } from '../../../src/app/history/undo.ts';
import { show } from '../../../src/app/read/show.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import { replaceText } from '../../../src/app/write/edit.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { draftFromText } from '../../../src/core/record/from-text.ts';
import { ok } from '../../../src/core/result.ts';
import { filesUnder } from '../../scratch.ts';
import { must, save } from '../memory.ts';
import { entriesOf, isTruth, type Machine, machine, timeless } from './machine.ts';

const edit = async (memory: Memory, id: string, from: string, to: string): Promise<void> => {
  const { item, text, hash } = must(await show(memory, id));
  expect(text).toContain(from);
  must(await replaceText(memory, item, text.replace(from, to), hash, { actor: 'test' }));
};

async function fill({ open, user }: Machine): Promise<void> {
  const { memory } = open();
  must(await save(memory, 'decision', { title: 'Use SQLite' }));
  must(await save(memory, 'runbook', { title: `A runbook with a ${'long '.repeat(14)}name` }));
  must(await save(memory, 'constraint', { title: 'Old limit' }));
  must(await moveRecord(memory, 'retire', must(await show(memory, 'old-limit')).item, { actor: 'test', reason: 'gone' }));
  await edit(memory, 'use-sqlite', 'Use SQLite', 'Use SQLite é😀');
  must(await writeDocument(memory, { actor: 'test', place: { root: 'private', path: 'context/blockers.md' }, edit: () => ok('# Blockers\n\nnone\n') }));
  const own = user().memory;
  must(
    await createRecord(own, {
      category: 'preference',
      draft: { ...draftFromText('preference', 'Tabs, not spaces'), tags: ['style'] },
      root: 'user',
      actor: 'test',
    }),
  );
  must(await writeDocument(own, { actor: 'test', place: { root: 'home', path: 'workspace.md' }, edit: () => ok('# Workspace\n') }));
}

const truth = ({ home }: Machine): Record<string, string> => Object.fromEntries(Object.entries(filesUnder(home)).filter(([name]) => isTruth(name)));

describe('a bundle', () => {
  it('exported, imported into an empty home and exported again is the same but for times', async () => {
    const first = machine();
    await fill(first);
    const file = path.join(first.folder, 'a.tar.gz');
    expect(must(await first.export(file))).toMatchObject({ records: 4, documents: 2, projects: ['webshop'], warnings: [] });
    const second = machine(first.folder, path.join(first.folder, 'other-home'));
    second.now.ms += 86_400_000;
    const { parts } = must(await second.import(file));
    expect(parts.map(({ project, created, conflicts }) => [project, created.length, conflicts])).toEqual([
      ['webshop', 4, []],
      [undefined, 2, []],
    ]);
    const again = path.join(first.folder, 'b.tar.gz');
    must(await second.export(again));
    expect(timeless(again)).toEqual(timeless(file));
    expect(truth(second)).toEqual(truth(first));
    expect(must(await show(second.open().memory, 'old-limit')).item.status).toBe('retired');
  });

  it('brought in twice changes nothing, and can be undone', async () => {
    const first = machine();
    await fill(first);
    const file = path.join(first.folder, 'a.tar.gz');
    must(await first.export(file, 'project'));
    const second = machine(first.folder, path.join(first.folder, 'other-home'));
    must(await second.import(file));
    const before = truth(second);
    const { parts } = must(await second.import(file));
    expect(parts).toMatchObject([{ created: [], updated: [], kept: [], conflicts: [], unchanged: expect.objectContaining({ length: 4 }) }]);
    expect(truth(second)).toEqual(before);
    must(await undo(second.open().memory, { actor: 'test' }));
    expect(Object.keys(truth(second)).filter((name) => !/index/.test(name))).toEqual([]);
  });

  it('is an ordinary tar that other programs read, the same bytes for the same memory', async () => {
    const one = machine();
    await fill(one);
    const [a, b] = [path.join(one.folder, 'a.tar.gz'), path.join(one.folder, 'b.tar.gz')];
    must(await one.export(a));
    must(await one.export(b));
    expect(fs.readFileSync(a).equals(fs.readFileSync(b))).toBe(true);
    const listed = spawnSync('tar', ['-tzf', a], { encoding: 'utf8' });
    expect(listed.status, listed.stderr).toBe(0);
    expect(listed.stdout.trim().split('\n')).toEqual(entriesOf(a).map(({ name }) => name));
    expect(listed.stdout).toMatch(/^manifest\.json\nprojects\/webshop\/private\//);
  });

  it('holds only its scope, and no secrets', async () => {
    const one = machine();
    await fill(one);
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    fs.appendFileSync(path.join(one.home, 'projects', 'webshop', 'context', 'blockers.md'), `token ${key}\n`);
    const file = path.join(one.folder, 'a.tar.gz');
    must(await one.export(file, 'user'));
    expect(entriesOf(file).map(({ name }) => name)).toEqual(['manifest.json', 'user/home/workspace.md', 'user/user/preferences/tabs-not-spaces.md']);
    must(await one.export(file, 'project'));
    expect(entriesOf(file).every(({ name, text }) => !name.startsWith('user/') && !text.includes(key))).toBe(true);
  });
});

describe('merging', () => {
  const both = async (): Promise<{ first: Machine; second: Machine; file: string }> => {
    const first = machine();
    must(await save(first.open().memory, 'decision', { title: 'Use SQLite' }));
    const file = path.join(first.folder, 'a.tar.gz');
    must(await first.export(file, 'project'));
    const second = machine(first.folder, path.join(first.folder, 'other-home'));
    must(await second.import(file));
    return { first, second, file };
  };

  it('takes what is newer in the bundle, whatever the clocks say', async () => {
    const { first, second, file } = await both();
    second.now.ms += 86_400_000;
    await edit(first.open().memory, 'use-sqlite', 'Use SQLite', 'Use SQLite 3');
    must(await first.export(file, 'project'));
    expect(must(await second.import(file)).parts).toMatchObject([{ updated: [expect.stringContaining('use-sqlite')], conflicts: [] }]);
    expect(must(await show(second.open().memory, 'use-sqlite')).text).toContain('Use SQLite 3');
  });

  it('keeps what is newer here, and what was removed here', async () => {
    const { second, file } = await both();
    await edit(second.open().memory, 'use-sqlite', 'Use SQLite', 'Use SQLite 3');
    expect(must(await second.import(file)).parts).toMatchObject([{ kept: [expect.stringContaining('use-sqlite')], updated: [] }]);
    expect(must(await show(second.open().memory, 'use-sqlite')).text).toContain('Use SQLite 3');
    const { memory } = second.open();
    const { item } = must(await show(memory, 'use-sqlite'));
    fs.rmSync(memory.store.absolute(item));
    expect(must(await second.import(file)).parts).toMatchObject([{ kept: [expect.stringContaining('use-sqlite')], created: [] }]);
  });

  it('keeps both when both changed, shows it, and does not double it', async () => {
    const { first, second, file } = await both();
    await edit(first.open().memory, 'use-sqlite', 'Use SQLite', 'Use their SQLite');
    await edit(second.open().memory, 'use-sqlite', 'Use SQLite', 'Use our SQLite');
    must(await first.export(file, 'project'));
    const { conflicts } = must(await second.import(file)).parts[0] ?? { conflicts: [] };
    expect(conflicts).toEqual([{ ours: expect.stringMatching(/use-sqlite\.md$/), theirs: expect.stringMatching(/use-sqlite-imported\.md$/) }]);
    expect(must(await show(second.open().memory, 'decision/use-sqlite')).text).toContain('Use our SQLite');
    expect(must(await show(second.open().memory, 'decision/use-sqlite-imported')).text).toContain('Use their SQLite');
    const before = truth(second);
    must(await second.import(file));
    expect(truth(second)).toEqual(before);
  });

  it('gives a project of the same name and another identity a name of its own', async () => {
    const first = machine();
    must(await save(first.open().memory, 'decision', { title: 'Theirs' }));
    const file = path.join(first.folder, 'a.tar.gz');
    must(await first.export(file, 'project'));
    const other = machine();
    must(await save(other.open().memory, 'decision', { title: 'Ours' }));
    const { parts } = must(await other.import(file));
    expect(parts).toMatchObject([{ was: 'webshop', project: expect.stringMatching(/^webshop-[0-9a-f]{6}$/) }]);
    expect(fs.readdirSync(path.join(other.home, 'projects', 'webshop', 'decisions'))).toHaveLength(1);
  });
});
