import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { refresh } from '../../../src/app/index/refresh.ts';
import { findProblems } from '../../../src/app/read/doctor.ts';
import { show } from '../../../src/app/read/show.ts';
import { writeDocument } from '../../../src/app/documents/write.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { ok } from '../../../src/core/result.ts';
import { scratch } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';
import { commitAll, git, person, type Person } from './clones.ts';

const by = { actor: 'test' };
const SHARED = '.claude/memory';

/** A repository with one shared record, and a clone of it made with some settings. */
async function cloned(attributes: string, ...settings: readonly string[]): Promise<{ readonly left: Person; readonly right: Person; readonly at: string }> {
  const folder = scratch();
  const first = path.join(folder, 'left', 'webshop');
  fs.mkdirSync(first, { recursive: true });
  git(first, 'init', '--quiet');
  if (attributes !== '') fs.writeFileSync(path.join(first, '.gitattributes'), attributes);
  const left = person(folder, 'left', '2026-03-01T12:00:00Z');
  const { place } = must(await save(left.memory, 'runbook', { title: 'Fix it' }, { root: 'shared' }));
  commitAll(first, 'Start');
  fs.mkdirSync(path.join(folder, 'right'));
  git(
    folder,
    ...settings.flatMap((setting) => ['-c', setting]),
    'clone',
    '--quiet',
    ...settings.flatMap((setting) => ['-c', setting]),
    first,
    path.join(folder, 'right', 'webshop'),
  );
  const right = person(folder, 'right', '2026-03-02T12:00:00Z');
  await refresh(right.memory, 'all');
  return { left, right, at: place.path };
}

describe('a checkout with line ends of Windows', () => {
  it.each([
    ['core.autocrlf', '', ['core.autocrlf=true']],
    ['* text=auto', '* text=auto eol=crlf\n', []],
  ] as const)('by %s holds the same records, keeps its line ends, and merges', async (_name, attributes, settings) => {
    const { left, right, at } = await cloned(attributes, ...settings);
    const file = path.join(right.clone, SHARED, at);
    fs.rmSync(file);
    const checkedOut = git(right.clone, ...settings.flatMap((setting) => ['-c', setting]), 'checkout', '--', '.');
    expect([checkedOut.code, fs.readFileSync(file, 'utf8').includes('\r\n')]).toEqual([0, true]);
    await refresh(right.memory, 'all');
    expect(must(await show(right.memory, 'fix-it')).record).toEqual(must(await show(left.memory, 'fix-it')).record);
    must(await moveRecord(right.memory, 'retire', { root: 'shared', path: at }, { ...by, reason: 'done' }));
    expect(fs.readFileSync(file, 'utf8')).not.toMatch(/(?<!\r)\n/);
    must(await save(left.memory, 'constraint', { title: 'Another' }, { root: 'shared' }));
    commitAll(left.clone, 'Left');
    git(right.clone, ...settings.flatMap((setting) => ['-c', setting]), 'add', '-A');
    git(right.clone, 'commit', '--quiet', '-m', 'Right');
    git(left.clone, 'fetch', '--quiet', right.clone);
    expect(git(left.clone, 'merge', '--no-edit', 'FETCH_HEAD')).toMatchObject({ code: 0 });
    await refresh(left.memory, 'all');
    expect(must(await show(left.memory, 'fix-it')).record).toMatchObject({ record_status: 'retired', retired_reason: 'done' });
    expect((await findProblems(left.memory)).filter(({ level }) => level === 'problem')).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('the mode of a shared file', () => {
  it('is what git would give it, and stays what somebody made of it', async () => {
    const { memory, project, root } = openMemory();
    const { place, file } = must(await save(memory, 'runbook', { title: 'Fix it' }, { root: 'shared' }));
    const usual = 0o666 & ~process.umask();
    const modeOf = (name: string): number => fs.statSync(name).mode & 0o777;
    expect([modeOf(file), modeOf(path.join(project, SHARED))]).toEqual([usual, 0o777 & ~process.umask()]);
    fs.chmodSync(file, 0o755);
    must(await moveRecord(memory, 'retire', place, by));
    expect(modeOf(file)).toBe(0o755);
    const own = must(await save(memory, 'runbook', { title: 'Mine' }));
    expect([modeOf(own.file), modeOf(root)]).toEqual([0o600, 0o700]);
  });
});

const CONFLICT = 'Before\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\nAfter';

describe('text that quotes conflict markers', () => {
  it('is saved and read back word for word, in Markdown and in JSON', async () => {
    for (const format of ['markdown', 'json']) {
      const { memory } = openMemory({ storage: { format } });
      const content = { trigger: CONFLICT, steps: [CONFLICT, 'git add'], verification: '>>>>>>> is gone' };
      const { file, record } = must(await save(memory, 'runbook', { title: 'Settle a conflict', content }));
      expect(record.content).toMatchObject(content);
      expect(fs.readFileSync(file, 'utf8')).not.toMatch(/^(?:<{7}|>{7})/m);
      expect(must(await show(memory, record.id)).record?.content).toMatchObject(content);
      expect((await findProblems(memory)).filter(({ level }) => level === 'problem')).toEqual([]);
    }
  });

  it('is indented in a document, and a document with a real conflict is not written to', async () => {
    const { memory, root } = openMemory();
    const place = { root: 'private', path: 'context/current-task.md' } as const;
    const written = must(await writeDocument(memory, { ...by, place, edit: () => ok(`# Task\n${CONFLICT}\n`) }));
    expect(written.text).toContain('\n <<<<<<< HEAD\n');
    fs.writeFileSync(path.join(root, place.path), `# Task\n${CONFLICT}\n`);
    expect(await writeDocument(memory, { ...by, place, edit: (text) => ok(`${text}more\n`) })).toMatchObject({ ok: false, error: { code: 'READ_ERROR' } });
    expect((await findProblems(memory)).map(({ what }) => what)).toContainEqual(expect.stringContaining('conflict markers in context/current-task.md'));
  });
});
