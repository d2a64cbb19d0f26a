import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, programAt } from '../../program.ts';

test('the workspace shows projects, initiatives and the relationships of this project, and opens a neighbour', () => {
  const cli = program();
  const billing = path.join(cli.folder, 'billing_lib');
  fs.mkdirSync(billing);
  const other = programAt(cli.folder, cli.home, billing);
  expect(cli.run('workspace').out).toContain('None yet.');
  cli.ask('start');
  other.ask('start');
  other.ask('save', 'decision', 'Invoices are immutable');
  cli.ask('workspace', 'relate', 'depends-on', 'billing-lib', '--note', 'invoices');
  cli.ask('workspace', 'relate', 'elsewhere', 'fork-of', 'billing-lib');
  cli.ask('workspace', 'initiative', 'Node 24', '--with', 'webshop', '--with', 'billing-lib', '--status', 'in progress');
  cli.ask('workspace', 'status', 'billing-lib', 'paused');
  cli.ask('workspace', 'add', '--description', 'The shop');
  const shown = cli.run('workspace').out;
  expect(shown).toMatch(/webshop +active .*webshop {2}The shop {2}← here/);
  expect(shown).toMatch(/billing-lib +paused/);
  expect(shown).toContain('Node 24: in progress  [webshop, billing-lib]');
  expect(shown).toContain('webshop depends-on billing-lib  (invoices)');
  expect(shown).not.toContain('elsewhere');
  expect(shown).toMatch(/billing-lib → .*projects\/billing-lib\/_index\.md/);
  expect(cli.ask('workspace')).toMatchObject({ current: 'webshop', neighbours: ['billing-lib'], taking_part: [{ initiative: 'Node 24' }] });
  const near = cli.run('workspace', 'show', 'billing-lib').out;
  expect(near).toContain('# Memory Index: billing-lib');
  expect(near).toContain('Invoices are immutable');
  expect(cli.run('show', 'invoices-are-immutable', '--project', 'billing-lib').out).toContain('Invoices are immutable');
  expect(cli.refused('workspace', 'dance')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  expect(cli.refused('workspace', 'relate', 'uses')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  expect(cli.refused('workspace', 'relate', 'webshop', 'billing-lib')).toMatchObject({ error: 'USAGE_ERROR', exit: 2 });
  expect(cli.refused('workspace', 'remove', 'nobody')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
  cli.ask('workspace', 'remove', 'billing-lib');
  expect(cli.ask('workspace')).toMatchObject({ neighbours: [] });
  expect(fs.readFileSync(path.join(cli.home, 'workspace.md'), 'utf8')).not.toMatch(/depends-on|fork-of|billing-lib →/);
  expect(cli.refused('workspace', 'show', 'nobody')).toMatchObject({ error: 'NOT_FOUND', exit: 4 });
});

test('a start and discover put on the map what the files of the project say about its neighbours', () => {
  const cli = program();
  const billing = path.join(cli.folder, 'billing_lib');
  fs.mkdirSync(billing);
  const other = programAt(cli.folder, cli.home, billing);
  other.ask('start');
  expect(cli.run('start').out).not.toContain('Found');
  fs.writeFileSync(path.join(cli.project, 'package.json'), '{"dependencies":{"billing":"file:../billing_lib"}}');
  expect(cli.run('workspace', 'discover').out).toMatch(/^ {2}webshop depends-on billing-lib {2}\(found \d{4}-\d\d-\d\d: package\.json\)\n$/);
  expect(cli.ask('workspace')).toMatchObject({ neighbours: ['billing-lib'] });
  expect(cli.ask('workspace', 'discover')).toMatchObject({ found: [{ to: 'billing-lib' }], added: [] });
  cli.ask('workspace', 'unrelate', 'webshop', 'billing-lib');
  expect(cli.ask('start')).toMatchObject({ related: [] });
  fs.writeFileSync(path.join(billing, 'package.json'), '{"dependencies":{"shop":"file:../webshop"}}');
  expect(other.run('start').out).toMatch(/^ {2}Found: billing-lib depends-on webshop \(package\.json\)$/m);
  expect(fs.readFileSync(path.join(cli.home, 'workspace.md'), 'utf8')).toMatch(/^\| billing-lib \| depends-on \| webshop \| found .*: package\.json \|$/m);
});

test('a relationship with what is not on the map is kept, and told', () => {
  const cli = program();
  cli.ask('workspace', 'add');
  const said = cli.run('workspace', 'relate', 'webshop', 'lib', 'depends on');
  expect([said.code, said.err]).toEqual([0, 'note "depends on" is not on the map; a relationship is FROM RELATION TO\n']);
  fs.mkdirSync(path.join(cli.folder, 'lib'));
  programAt(cli.folder, cli.home, path.join(cli.folder, 'lib')).ask('workspace', 'add');
  expect(cli.run('workspace', 'relate', 'depends-on', 'lib').err).toBe('');
});
