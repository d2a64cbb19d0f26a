import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sample } from '../../core/sample.ts';
import { program } from '../../edges/cli/program.ts';

test('in a project with a store of JSON records new ones go there, in its format, once its user says so', () => {
  const cli = program();
  const store = path.join(cli.project, '.claude', 'memory');
  fs.mkdirSync(path.join(store, 'decisions'), { recursive: true });
  fs.writeFileSync(path.join(store, 'decisions', 'use-jwt.json'), JSON.stringify(sample('decision', { id: 'use-jwt', related_files: [] }), null, 2));
  expect(cli.run('start').err).toContain('`holdfast config set storage.root shared` puts them there, in its format');
  cli.ask('config', 'set', 'storage.root', 'shared');
  expect(cli.run('start').err).not.toContain('storage.root');
  const { file } = cli.ask('save', 'decision', 'Use pnpm because it is fast', '--title', 'Use pnpm') as { file: string };
  expect(path.relative(store, file)).toBe(path.join('decisions', 'use-pnpm.json'));
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({
    schema_version: '1.0',
    category: 'decision',
    id: 'use-pnpm',
    title: 'Use pnpm',
    record_status: 'active',
  });
  cli.ask('save', 'preference', 'Tabs, never spaces');
  expect(fs.readdirSync(path.join(store, 'preferences'))).toEqual(['tabs-never-spaces.json']);
  // A memory of Markdown files stays one.
  const other = program();
  other.ask('save', 'decision', 'Use npm because it is there', '--shared');
  expect((other.ask('save', 'decision', 'Use node because it is there', '--shared') as { file: string }).file).toMatch(/\.md$/);
});
