import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeDocument } from '../../../src/app/documents/write.ts';
import { undo } from '../../../src/app/history/undo.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { readPending, readProfile } from '../../../src/app/profile/categories.ts';
import { entriesAbout, forget } from '../../../src/app/profile/forget.ts';
import { profileHistory } from '../../../src/app/profile/history.ts';
import { answerObservation, saveProfileNote, noteFeedback, observe } from '../../../src/app/profile/learn.ts';
import { exportProfile, importProfile } from '../../../src/app/profile/portable.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import { openUser } from '../../open.ts';
import { ok } from '../../../src/core/result.ts';
import { filesUnder, scratch } from '../../scratch.ts';
import { must } from '../memory.ts';

const by = { actor: 'test' } as const;

function open(): { user: Memory; folder: string; home: string; read(name: string): string } {
  const home = path.join(scratch(), 'home');
  const opened = openUser({ home, now: () => Date.parse('2026-03-01T12:00:00Z') });
  onTestFinished(() => opened.close());
  const folder = path.join(home, 'user');
  return { user: opened.memory, folder, home, read: (name) => fs.readFileSync(path.join(folder, name), 'utf8') };
}

const said = async (user: Memory): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await readProfile(user)).map(({ category, entries }) => [category, entries.map(({ topic, text }) => (topic ? `${topic}: ${text}` : text))]),
  );

describe('what is known of the user', () => {
  test('is stored at once when it was stated, by category, one value a topic', async () => {
    const { user, read } = open();
    expect(must(await saveProfileNote(user, { category: 'preferences', text: 'Tabs, never spaces', topic: 'indentation' }, by))).toMatchObject({
      status: 'noted',
    });
    must(await saveProfileNote(user, { category: 'preferences', text: 'Small commits' }, by));
    must(await saveProfileNote(user, { category: 'profile', text: 'Works on payments' }, by));
    must(await saveProfileNote(user, { category: 'code-style', text: 'Early returns' }, by));
    must(await saveProfileNote(user, { category: 'preferences', text: 'Two spaces', topic: 'Indentation' }, by));
    expect(must(await saveProfileNote(user, { category: 'preferences', text: 'small  commits' }, by)).status).toBe('known');
    expect(await said(user)).toEqual({
      profile: ['Works on payments'],
      preferences: ['Indentation: Two spaces', 'Small commits'],
      'code-style': ['Early returns'],
    });
    expect(read('preferences.md')).toContain('- **Indentation**: Two spaces <!-- explicit 2026-03-01 -->');
  });

  test('waits when it was only observed, until the user has been asked', async () => {
    const { user, folder } = open();
    expect(must(await observe(user, { category: 'workflow', text: 'Commits before lunch', topic: 'habit' }, by))).toMatchObject({
      status: 'pending',
      number: 1,
    });
    must(await observe(user, { category: 'preferences', text: 'Likes tables' }, by));
    must(await observe(user, { category: 'preferences', text: 'Likes tables' }, by));
    expect(await said(user)).toEqual({});
    expect(user.index.count()).toBe(0);
    expect(await readPending(user)).toHaveLength(2);
    expect(must(await answerObservation(user, 'lunch', 'confirm', by))).toMatchObject({
      status: 'noted',
      category: 'workflow',
      topic: 'habit',
      text: 'Commits before lunch',
    });
    expect(must(await answerObservation(user, '1', 'reject', by))).toEqual({ status: 'rejected', text: 'Likes tables' });
    expect(await said(user)).toEqual({ workflow: ['habit: Commits before lunch'] });
    expect(fs.readFileSync(path.join(folder, 'workflow.md'), 'utf8')).toContain('<!-- observed 2026-03-01 -->');
    expect(await answerObservation(user, '1', 'confirm', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(must(await observe(user, { category: 'workflow', text: 'Commits before lunch' }, by)).status).toBe('known');
  });

  test('includes what worked and what did not', async () => {
    const { user, read } = open();
    must(await noteFeedback(user, 'fails', 'Long summaries', by));
    must(await noteFeedback(user, 'works', 'Plans as tables', by));
    must(await noteFeedback(user, 'fails', 'Emoji', by));
    expect(read('feedback.md').replace(/ <!--.*?-->/g, '')).toMatch(/## Does not work\n- Long summaries\n- Emoji\n\n## Works\n- Plans as tables\n/);
  });

  test('keeps what a person wrote by hand', async () => {
    const { user, folder, read } = open();
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'preferences.md'), 'I like it plain.\n\n* **editor**: vi\n\n## Later\ntext\n');
    must(await saveProfileNote(user, { category: 'preferences', text: 'emacs', topic: 'Editor' }, by));
    must(await saveProfileNote(user, { category: 'preferences', text: 'Dark' }, by));
    expect(read('preferences.md').replace(/ <!--.*?-->/g, '')).toBe('I like it plain.\n\n- **Editor**: emacs\n- Dark\n\n## Later\ntext\n');
  });

  test('is forgotten by topic, brought back by an undo, or gone for good', async () => {
    const { user, home } = open();
    must(await saveProfileNote(user, { category: 'preferences', text: 'Tabs, never spaces', topic: 'indentation' }, by));
    must(await saveProfileNote(user, { category: 'profile', text: 'Indentation matters to her' }, by));
    must(await saveProfileNote(user, { category: 'profile', text: 'Works on payments' }, by));
    expect(must(await entriesAbout(user, 'INDENT'))).toHaveLength(2);
    must(await forget(user, 'indentation', by));
    expect(await said(user)).toEqual({ profile: ['Works on payments'], preferences: [] });
    must(await undo(user, by));
    expect((await said(user))['preferences']).toEqual(['indentation: Tabs, never spaces']);
    must(await forget(user, 'indentation', { ...by, forGood: true }));
    expect(JSON.stringify(Object.entries(filesUnder(home)).filter(([name]) => !name.endsWith('.db')))).not.toMatch(/never spaces|matters to her/);
    expect(await undo(user, by)).toMatchObject({ ok: false, error: { code: 'UNDO_CONFLICT' } });
    expect(await forget(user, 'nothing of the kind', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await forget(user, '  ', by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
  });

  test('has a history of changes', async () => {
    const { user, folder } = open();
    must(await saveProfileNote(user, { category: 'preferences', text: 'Tabs', topic: 'indentation' }, by));
    must(await saveProfileNote(user, { category: 'preferences', text: 'Spaces', topic: 'indentation' }, by));
    fs.appendFileSync(path.join(folder, 'preferences.md'), '- By hand\n');
    must(await saveProfileNote(user, { category: 'profile', text: 'Works on payments' }, by));
    expect((await profileHistory(user, undefined, 9)).map(({ path: at, actor }) => `${at} ${actor}`)[0]).toBe('profile.md test');
    await readProfile(user);
    must(await saveProfileNote(user, { category: 'profile', text: 'Lives by the sea' }, by));
    must(await writeDocument(user, { ...by, place: { root: 'user', path: 'preferences.md' }, edit: (text) => ok(text?.replace('By hand', 'By command')) }));
    const changes = await profileHistory(user, 'preferences', 9);
    expect(changes.map(({ op, actor, added, removed }) => ({ op, actor, added, removed }))).toEqual([
      { op: 'write', actor: 'test', added: ['- By command'], removed: ['- By hand'] },
      { op: 'adopt', actor: 'hand', added: ['- By hand'], removed: [] },
      { op: 'write', actor: 'test', added: ['- **indentation**: Spaces'], removed: ['- **indentation**: Tabs'] },
      { op: 'create', actor: 'test', added: ['- **indentation**: Tabs'], removed: [] },
    ]);
  });

  test('takes bad words with a reason and no secret at all', async () => {
    const { user, home } = open();
    expect(await saveProfileNote(user, { category: '../up', text: 'x' }, by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(await saveProfileNote(user, { category: 'index', text: 'x' }, by)).toMatchObject({ ok: false });
    expect(await saveProfileNote(user, { category: 'preferences', text: ' \n' }, by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(await saveProfileNote(user, { category: 'preferences', text: 'x'.repeat(2000) }, by)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
    must(await saveProfileNote(user, { category: 'preferences', text: 'a --> b <!-- c\n# d', topic: '**' }, by));
    expect((await said(user))['preferences']).toHaveLength(1);
    const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
    must(await saveProfileNote(user, { category: 'preferences', text: `my token is ${secret}` }, by));
    must(await observe(user, { category: 'preferences', text: `the token ${secret}` }, by));
    expect(JSON.stringify(filesUnder(home))).not.toContain(secret);
  });
});

describe('a profile that travels', () => {
  test('arrives as it left, and a second time changes nothing', async () => {
    const [here, there] = [open(), open()];
    must(await saveProfileNote(here.user, { category: 'preferences', text: 'Tabs', topic: 'indentation' }, by));
    must(await noteFeedback(here.user, 'works', 'Plans', by));
    must(await observe(here.user, { category: 'preferences', text: 'Likes tables' }, by));
    must(
      await createRecord(here.user, {
        ...by,
        root: 'user',
        category: 'preference',
        draft: { title: 'Short answers', tags: ['style'], content: { topic: 'answers', value: 'short', reason: 'time', strength: 'strong' } },
      }),
    );
    const profile = await exportProfile(here.user);
    expect(profile.files.map(({ path: at }) => at)).toEqual(['_pending.md', 'feedback.md', 'preferences.md', 'preferences/short-answers.md']);
    expect(must(await importProfile(there.user, JSON.stringify(profile), by)).created).toHaveLength(4);
    expect(await exportProfile(there.user)).toEqual(profile);
    expect(must(await importProfile(there.user, JSON.stringify(profile), by))).toMatchObject({ created: [], merged: [], conflicts: [] });
  });

  test('is merged with the one that is there: nothing is lost, what differs is shown', async () => {
    const [here, there] = [open(), open()];
    must(await saveProfileNote(here.user, { category: 'preferences', text: 'Tabs', topic: 'indentation' }, by));
    must(await saveProfileNote(here.user, { category: 'preferences', text: 'Dark' }, by));
    must(await saveProfileNote(there.user, { category: 'preferences', text: 'Spaces', topic: 'indentation' }, by));
    must(await saveProfileNote(there.user, { category: 'preferences', text: 'Loud' }, by));
    const merged = must(await importProfile(there.user, JSON.stringify(await exportProfile(here.user)), by));
    expect(merged).toMatchObject({ merged: ['preferences.md'], conflicts: [{ yours: 'indentation: Spaces', theirs: 'indentation: Tabs' }] });
    expect(await said(there.user)).toEqual({ preferences: ['indentation: Spaces', 'Loud', 'Dark'] });
  });

  test('is refused whole when a part of it is damaged or leads elsewhere', async () => {
    const { user, home } = open();
    const md5 = user.md5('x');
    const good = { path: 'preferences.md', text: '- x\n', md5: user.md5('- x\n') };
    const bundle = (...files: object[]): string => JSON.stringify({ format: 'holdfast-profile', version: 1, files });
    const bad: readonly (readonly [string, string])[] = [
      ['{', 'INPUT_ERROR'],
      ['[]', 'INPUT_ERROR'],
      [JSON.stringify({ format: 'holdfast-profile', version: 2, files: [] }), 'INPUT_ERROR'],
      [bundle(good, { ...good, md5: 'other' }), 'INPUT_ERROR'],
      [bundle(good, { path: 7, text: 'x', md5 }), 'INPUT_ERROR'],
      ...['../settings.json', '/etc/passwd', 'index.md', 'a/b.md', '.hidden.md', 'preferences/../../x.md'].map(
        (at) => [bundle(good, { path: at, text: 'x', md5 }), 'PATH_ERROR'] as const,
      ),
      [bundle(good, { path: 'preferences/broken.json', text: '{', md5: user.md5('{') }), 'VALIDATION_ERROR'],
    ];
    for (const [source, code] of bad)
      expect(await importProfile(user, source, by), source).toMatchObject({ ok: false, error: { code: expect.stringMatching(`${code}|SECURITY_ERROR`) } });
    expect(fs.existsSync(path.join(home, 'user', 'preferences.md'))).toBe(false);
  });
});
