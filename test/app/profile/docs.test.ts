import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { saveProfileNote, noteFeedback, observe } from '../../../src/app/profile/learn.ts';
import { exportProfile } from '../../../src/app/profile/portable.ts';
import { openUser } from '../../open.ts';
import { root } from '../../../scripts/bundle.js';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';

test('the files and the exported form are as docs/profile.md says', async () => {
  const docs = fs.readFileSync(path.join(root, 'docs', 'profile.md'), 'utf8');
  const home = path.join(scratch(), 'home');
  const opened = openUser({ home, now: () => Date.parse('2026-03-01T12:00:00Z') });
  onTestFinished(() => opened.close());
  const by = { actor: 'test' };
  must(await saveProfileNote(opened.memory, { category: 'preferences', topic: 'indentation', text: 'Tabs, never spaces' }, by));
  must(await saveProfileNote(opened.memory, { category: 'profile', text: 'x' }, by));
  must(await noteFeedback(opened.memory, 'works', 'x', by));
  must(await noteFeedback(opened.memory, 'fails', 'y', by));
  must(await observe(opened.memory, { category: 'preferences', text: 'z' }, by));
  const files = fs.readdirSync(path.join(home, 'user')).filter((name) => name !== 'index.md');
  for (const name of files) expect(docs).toContain(`| \`${name}\` |`);
  expect(files).toEqual(['_pending.md', 'feedback.md', 'preferences.md', 'profile.md']);
  expect(docs).toContain(
    `    ${fs
      .readFileSync(path.join(home, 'user', 'preferences.md'), 'utf8')
      .trim()
      .split('\n')
      .at(-1)}`,
  );
  for (const heading of ['## Works', '## Does not work']) expect(docs).toContain(`\`${heading}\``);
  const { format, version, exportedAt, files: exported } = await exportProfile(opened.memory);
  for (const line of [`"format": "${format}"`, `"version": ${version}`, `"exportedAt": "${exportedAt}"`]) expect(docs).toContain(line);
  expect(Object.keys(exported[0] ?? {})).toEqual(['path', 'md5', 'text']);
});
