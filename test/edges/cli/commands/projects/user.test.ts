import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { documentsOf, program, programAt } from '../../program.ts';

test('the profile is shown, updated, asked about, forgotten, listed, and told to every project', () => {
  const cli = program();
  expect(cli.run('user').out).toContain('Your profile is empty.');
  expect(cli.run('user', 'update', 'preferences', 'Tabs, never spaces', '--topic', 'indentation').out).toBe('📝 Noted: indentation: Tabs, never spaces\n');
  expect(cli.run('user', 'update', 'code-style', 'Short names').err, 'a misspelt category is noticed').toContain(
    'code-style is a new category of your profile.',
  );
  expect(cli.run('undo', '--user').code).toBe(0);
  expect(cli.run('user', 'update', 'Answers in French').out).toBe('📝 Noted: Answers in French\n');
  expect(cli.run('user', 'feedback', 'fails', 'Long summaries').out).toBe('📝 Noted: Long summaries\n');
  expect(cli.run('user', 'update', 'workflow', 'Commits before lunch', '--observed').out).toMatch(
    /^Observed, not saved yet: Commits before lunch\n.*user confirm 1/,
  );

  const other = path.join(cli.folder, 'elsewhere');
  fs.mkdirSync(other);
  const brief = programAt(cli.folder, cli.home, other).run('brief').out;
  for (const words of ['indentation', 'Tabs, never spaces', 'Answers in French', 'Does not work: Long summaries', '💭 Based on your preference...'])
    expect(brief).toContain(words);
  expect(brief).not.toContain('lunch');

  const shown = cli.run('user').out;
  expect(shown).toMatch(/preferences\n- \*\*indentation\*\*: Tabs, never spaces\n- Answers in French/);
  expect(shown).toMatch(/not saved yet.*confirm N.*\n {2}1\. workflow: Commits before lunch/);
  expect(cli.run('user', 'confirm', '1').out).toBe('📝 Noted: Commits before lunch\n');
  expect(cli.ask('user', 'show', 'workflow')).toMatchObject({ categories: { workflow: { entries: [{ text: 'Commits before lunch' }] } } });

  expect(cli.ask('user', 'forget', 'french')).toMatchObject({ status: 'asked', matches: [{ text: 'Answers in French' }] });
  expect(cli.run('user').out).toContain('French');
  expect(cli.run('user', 'forget', 'french', '--yes').out).toMatch(/^Forgotten:\n {2}preferences: Answers in French\n.*undo --user/);
  expect(cli.run('user').out).not.toContain('French');
  cli.ask('undo', '--user');
  expect(cli.run('user').out).toContain('French');

  const changes = documentsOf(cli.run('user', 'history', 'preferences', '--json'));
  expect(changes.map(({ op, undone }) => `${String(op)}${undone === true ? ' undone' : ''}`)).toEqual(['undo', 'write undone', 'write', 'create']);
  expect(cli.run('user', 'history').out).toContain('+ Answers in French');

  expect(cli.refused('user', 'dance')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  expect(cli.refused('user', 'feedback', 'maybe', 'x')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  expect(cli.refused('user', 'forget', 'unheard of')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
  expect(cli.refused('user', 'show', 'nope')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
});

test('the profile moves to another home by export and import', () => {
  const [here, there] = [program(), program()];
  here.ask('user', 'update', 'preferences', 'Tabs, never spaces');
  const file = path.join(here.folder, 'me.json');
  expect(here.ask('user', 'export', file)).toMatchObject({ file, files: 1 });
  expect(here.refused('user', 'export', file)).toMatchObject({ error: 'INPUT_ERROR' });
  expect(there.run('user', 'import', file).out).toBe('📝 Noted: preferences.md\n1 new, 0 merged, 0 unchanged\n');
  expect(there.run('user').out).toContain('Tabs, never spaces');
  expect(there.refused('user', 'import', path.join(here.folder, 'absent.json'))).toMatchObject({ error: 'INPUT_ERROR', exit: 1 });
});

test('a category is edited as a whole in the editor', () => {
  const cli = program();
  const editor = path.join(cli.folder, 'editor.sh');
  fs.writeFileSync(editor, '#!/bin/sh\nprintf -- "- By editor\\n" >> "$1"\n', { mode: 0o755 });
  expect(cli.runIn({ env: { EDITOR: editor } }, 'user', 'update', 'profile').out).toContain('📝 Noted: profile created');
  expect(cli.run('user').out).toContain('- By editor');
  for (const env of [{ EDITOR: editor, CLAUDECODE: '1' }, { EDITOR: '' }])
    expect(cli.runIn({ env }, 'user', 'update', 'preferences')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('No terminal to open an editor in.'),
    });
});

test('what was saved as a record is known of you too, and forget names the command for it', () => {
  const cli = program();
  cli.ask('save', 'preference', 'Answers in short sentences', '--user');
  expect(cli.run('user').out).toBe('records\n- preference/answers-in-short-sentences  Answers in short sentences\n');
  expect(cli.ask('user')).toMatchObject({ records: [{ id: 'preference/answers-in-short-sentences', title: 'Answers in short sentences' }] });
  expect(cli.refused('user', 'forget', 'short sentences')).toMatchObject({
    error: 'NOT_FOUND',
    hint: 'holdfast retire preference/answers-in-short-sentences --user',
  });
  cli.ask('retire', 'preference/answers-in-short-sentences', '--user');
  expect(cli.run('user').out).toContain('Your profile is empty.');
});
