import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { machine } from '../app/bundle/machine.ts';
import { program } from '../edges/cli/program.ts';
import { attack } from './attack.ts';
import { type Bundle, type Json, RECORD, refused, sound, take, write } from './hostile-bundle.ts';

it('takes the bundle that the attacks below are made from', async () => {
  const { ok, files } = await take(() => {});
  expect(ok).toBe(true);
  expect(files['projects/webshop/decisions/use-sqlite.md']).toBe(RECORD);
  expect(JSON.parse(files['settings.json'] ?? '')).toEqual({ memory: { updateThreshold: 7 } });
});

const renamed = (to: unknown) => (bundle: Bundle) => void Object.assign(bundle.manifest.files[0] as Json, { path: to });
attack(
  'bundle',
  'a path that is no record or document of the memory',
  [
    ...[
      '../x.md',
      '../../settings.json',
      '/etc/x.md',
      'decisions/../../x.md',
      'decisions/./x.md',
      'decisions//x.md',
      './decisions/x.md',
      'decisions/x.md/',
      'decisions/',
      '',
    ],
    ...[
      'decisions\\x.md',
      'C:\\x.md',
      'c:/x.md',
      'decisions/a:b.md',
      'decisions/a\u0000.md',
      'decisions/a\nb.md',
      'decisions/\u001b[2J.md',
      'decisions/a*.md',
      'decisions/a?.md',
      'decisions/<a>.md',
      'decisions/a|b.md',
      'decisions/"a".md',
    ],
    ...[
      'memory-config.json',
      '_index.md',
      'index.md',
      '_session.json',
      '.claude.json',
      'hooks/x.md',
      'decisions/.hidden.md',
      'decisions/_x.md',
      'decisions/x.sh',
      'decisions/x',
      'secret/decisions/x.md',
      'x'.repeat(5_000),
      '__proto__',
      'constructor/x.md',
    ],
    ...[null, 7, true, [], {}, ['decisions/x.md']],
  ].map((to) => [JSON.stringify(to).slice(0, 40), to] as const),
  (to) => refused(renamed(to)),
);

const lie = (label: string, change: (manifest: Bundle['manifest'], texts: Bundle['texts']) => void) => [label, change] as const;
attack(
  'bundle',
  'a manifest that lies',
  [
    ...['format', 'version', 'projects', 'files', 'settings', 'conversations'].flatMap((key) =>
      [undefined, null, 'x', 7, { length: 1 }].map((value) =>
        lie(`${key} is ${JSON.stringify(value)}`, (manifest) => void Object.assign(manifest, { [key]: value })),
      ),
    ),
    ...['../up', 'a/b', '.hidden', '', 'UP', 'a b', '-x', 'a\u0000', 'x'.repeat(101), '__proto__', null, 7].map((key) =>
      lie(`project ${JSON.stringify(key).slice(0, 30)}`, ({ projects, files, conversations }) => {
        for (const one of [...files, ...conversations]) one['project'] = key;
        (projects[0] as Json)['key'] = key;
      }),
    ),
    ...['shared', 'folder', 'home', 'user', 'state', '', null, '__proto__'].map((root) =>
      lie(`root ${JSON.stringify(root)}`, ({ files }) => void ((files[0] as Json)['root'] = root)),
    ),
    ...['0'.repeat(64), 'A'.repeat(64), '', 'x', 7, false].map((hash) =>
      lie(`hash ${JSON.stringify(hash).slice(0, 12)}`, ({ files }) => void ((files[0] as Json)['sha256'] = hash)),
    ),
    ...[['x'], ['../../x'], [7], 'x', null, ['0'.repeat(33)]].map((versions) =>
      lie(`versions ${JSON.stringify(versions).slice(0, 20)}`, ({ files }) => void ((files[0] as Json)['versions'] = versions)),
    ),
    lie('a file of another project', ({ files }) => void ((files[0] as Json)['project'] = 'other')),
    lie('a conversation of another project', ({ conversations }) => void ((conversations[0] as Json)['project'] = 'other')),
    lie('a conversation of no project', ({ conversations }) => void delete (conversations[0] as Json)['project']),
    lie('a file twice', ({ files }) => void files.push({ ...files[0] })),
    lie('a file under two names', (manifest, texts) => {
      texts['b.md'] = RECORD;
      manifest.files.push({ ...manifest.files[0], name: 'b.md' });
    }),
    lie('two files that differ in case', (manifest, texts) => {
      texts['b.md'] = RECORD;
      manifest.files.push({ ...manifest.files[0], name: 'b.md', path: 'decisions/USE-SQLITE.md' });
    }),
    lie('a file that is not there', ({ files }) => void files.push({ ...files[0], name: 'nowhere.md' })),
    lie('a file that is not listed', (_manifest, texts) => void (texts['evil.sh'] = 'rm')),
    lie('a record listed as settings', (manifest) => void manifest.settings.push({ ...manifest.files[0] })),
  ],
  (change) => refused(({ manifest, texts }) => change(manifest, texts)),
);

attack(
  'bundle',
  'a manifest that is no JSON object',
  [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '7',
    '{"format":"holdfast-bundle"',
    '['.repeat(100_000),
    '{"__proto__":{"format":"holdfast-bundle","version":1}}',
    '\u0000',
    '{"format":"holdfast-bundle","version":1e999}',
  ].map((text) => [JSON.stringify(text.slice(0, 30)), text] as const),
  (text) => refused(() => text),
);

it('an agent cannot make records confirmed by importing a bundle: in its shell the command is refused', () => {
  const cli = program();
  const file = write(machine(), sound());
  const answer = cli.runIn({ env: { CLAUDECODE: '1' } }, 'import', file, '--format', 'bundle');
  expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('Only a person imports a bundle') });
  expect(fs.existsSync(path.join(cli.records, 'decisions'))).toBe(false);
  expect(cli.run('import', file, '--format', 'bundle').code).toBe(0);
});
