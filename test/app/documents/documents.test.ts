import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DOCUMENTS, documentText, readDocument } from '../../../src/app/documents/read.ts';
import { editDocument, writeDocument } from '../../../src/app/documents/write.ts';
import { diffOf, logOf } from '../../../src/app/history/log.ts';
import { undo } from '../../../src/app/history/undo.ts';
import { catchUp } from '../../../src/app/index/catch-up.ts';
import { refresh } from '../../../src/app/index/refresh.ts';
import { writing } from '../../../src/app/write/transaction.ts';
import { openUser } from '../../open.ts';
import { ok, refuse } from '../../../src/core/result.ts';
import { filesUnder, scratch } from '../../scratch.ts';
import { must, openMemory } from '../memory.ts';

const by = { actor: 'test' } as const;
const put = (text: string | undefined) => () => ok(text);

describe('a document', () => {
  test('is written, found, listed, compared and taken back like a record', async () => {
    const { memory, root } = openMemory();
    const place = DOCUMENTS.task;
    expect(await readDocument(memory, place)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(must(await writeDocument(memory, { ...by, place, edit: put('# Current Task\n\nMend the checkout\n') }))).toMatchObject({ status: 'created' });
    const second = must(await writeDocument(memory, { ...by, place, edit: (text) => ok(text?.replace('Mend', 'Rebuild')) }));
    expect(second).toMatchObject({ status: 'updated', file: path.join(root, 'context', 'current-task.md') });
    expect(must(await readDocument(memory, place))).toMatchObject({ text: '# Current Task\n\nRebuild the checkout\n', hash: second.hash });
    expect(memory.index.search(['checkout'], {}, 5).map(({ item }) => item.id)).toEqual(['context/current-task']);
    expect(must(await logOf(memory, 'context/current-task', 9)).map(({ op }) => op)).toEqual(['write', 'create']);
    expect(must(await diffOf(memory, 'context/current-task')).text).toContain('+Rebuild the checkout');
    must(await undo(memory, by));
    expect(await documentText(memory, place)).toContain('Mend the checkout');
    expect(fs.readFileSync(path.join(root, '_index.md'), 'utf8')).toContain('- **Task**: Mend the checkout');
  });

  test('is left alone when nothing changes, and goes when it is removed', async () => {
    const { memory } = openMemory();
    const place = DOCUMENTS.blockers;
    must(await writeDocument(memory, { ...by, place, edit: put('# Blockers\n') }));
    const writes = (await memory.store.journal.entries()).length;
    expect(must(await writeDocument(memory, { ...by, place, edit: put('# Blockers\n') })).status).toBe('unchanged');
    expect(await memory.store.journal.entries()).toHaveLength(writes);
    expect(must(await writeDocument(memory, { ...by, place, edit: put(undefined) })).status).toBe('removed');
    expect(memory.index.count({ kind: 'document' })).toBe(0);
    must(await undo(memory, by));
    expect(await documentText(memory, place)).toBe('# Blockers\n');
  });

  test('keeps what a person wrote into it meanwhile, and its version', async () => {
    const { memory, root } = openMemory();
    const place = DOCUMENTS.project;
    const { hash } = must(await writeDocument(memory, { ...by, place, edit: put('# Project: project\n') }));
    fs.appendFileSync(path.join(root, 'project.md'), '\nBy hand.\n');
    await catchUp(memory);
    expect(await writeDocument(memory, { ...by, place, hash, edit: put('lost') })).toMatchObject({ ok: false, error: { code: 'OCC_CONFLICT' } });
    const next = must(await writeDocument(memory, { ...by, place, edit: (text) => ok(`${text}By command.\n`) }));
    expect(next.text).toBe('# Project: project\n\nBy hand.\nBy command.\n');
    expect(must(await logOf(memory, 'project', 9)).map(({ op, actor }) => `${op} ${actor}`)).toEqual(['write test', 'adopt hand', 'create test']);
  });

  test('never takes a secret to the disk', async () => {
    const { memory, home } = openMemory();
    const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
    const written = must(await writeDocument(memory, { ...by, place: DOCUMENTS.task, edit: put(`# Task\n\nuse ${secret}\n`) }));
    expect(written.redactions).toMatchObject([{ field: 'line 3' }]);
    expect(JSON.stringify(filesUnder(home))).not.toContain(secret);
  });

  test('is refused where it is none, where a link lies, and where its maker says no', async () => {
    const { memory, root } = openMemory();
    const at = (target: string) => writeDocument(memory, { ...by, place: { root: 'private', path: target }, edit: put('x') });
    for (const target of ['_index.md', 'decisions/a.md', '../out.md', 'a/b/c.md', 'notes.txt', '']) {
      expect(await at(target), target).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
    }
    expect(await writeDocument(memory, { ...by, place: { root: 'user', path: 'profile.md' }, edit: put('x') })).toMatchObject({ ok: false });
    const outside = path.join(scratch(), 'outside.md');
    fs.writeFileSync(outside, 'mine');
    fs.mkdirSync(path.join(root, 'context'), { recursive: true });
    fs.symlinkSync(outside, path.join(root, 'context', 'current-task.md'));
    expect(await writeDocument(memory, { ...by, place: DOCUMENTS.task, edit: put('x') })).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
    expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
    const no = await writeDocument(memory, { ...by, place: DOCUMENTS.active, edit: () => refuse('INPUT_ERROR', 'no') });
    expect(no).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR' } });
  });
});

test('several documents change as one action', async () => {
  const { memory, root } = openMemory();
  await writing(memory, by, async (write) => {
    must(await editDocument(memory, write, { place: DOCUMENTS.active, edit: put('# Active\n') }));
    must(await editDocument(memory, write, { place: DOCUMENTS.completed, edit: put('# Completed\n') }));
  });
  expect(fs.readdirSync(path.join(root, 'progress'))).toEqual(['active.md', 'completed.md']);
  must(await undo(memory, by));
  expect(fs.readdirSync(path.join(root, 'progress'))).toEqual([]);
});

describe('documents of the home', () => {
  const open = () => {
    const home = path.join(scratch(), 'home');
    fs.mkdirSync(home);
    const user = openUser({ home, now: Date.now });
    onTestFinished(() => user.close());
    return { home, memory: user.memory };
  };

  test('are written and indexed beside the profile, and nothing else in the home is', async () => {
    const { home, memory } = open();
    fs.writeFileSync(path.join(home, 'CLAUDE.md'), '# Instructions\n');
    fs.mkdirSync(path.join(home, 'memory'));
    fs.writeFileSync(path.join(home, 'memory', 'other.md'), '# Other\n');
    must(await writeDocument(memory, { ...by, place: DOCUMENTS.workspace, edit: put('# Workspace\n') }));
    must(await writeDocument(memory, { ...by, place: { root: 'user', path: 'profile.md' }, edit: put('# Profile\n') }));
    await refresh(memory, 'everything');
    expect(memory.index.items().map(({ root, path: at }) => `${root}:${at}`)).toEqual(['home:workspace.md', 'user:profile.md']);
    expect(fs.readdirSync(home).toSorted()).toEqual(['CLAUDE.md', 'holdfast', 'memory', 'user', 'workspace.md']);
    expect(await writeDocument(memory, { ...by, place: { root: 'home', path: 'CLAUDE.md' }, edit: put('x') })).toMatchObject({ ok: false });
  });

  test('leave no trace when they are only looked for', async () => {
    const { home, memory } = open();
    expect(await documentText(memory, DOCUMENTS.workspace)).toBe('');
    await refresh(memory);
    expect(fs.readdirSync(home)).toEqual([]);
  });
});
