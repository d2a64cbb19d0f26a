import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { undo } from '../../../src/app/history/undo.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { endInitiative, mapProject, relate, setProjectStatus, trackInitiative, unmapProject, unrelate } from '../../../src/app/workspace/change.ts';
import { addFoundRelations } from '../../../src/app/workspace/discover.ts';
import { neighbourhood, readWorkspace, registerProject } from '../../../src/app/workspace/workspace.ts';
import { openUser } from '../../open.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';

const by = { actor: 'test' } as const;

function open(text?: string): { user: Memory; file: string; text(): string } {
  const home = path.join(scratch(), 'home');
  fs.mkdirSync(home);
  const file = path.join(home, 'workspace.md');
  if (text !== undefined) fs.writeFileSync(file, text);
  const opened = openUser({ home, now: () => Date.parse('2026-03-01T12:00:00Z') });
  onTestFinished(() => opened.close());
  return { user: opened.memory, file, text: () => fs.readFileSync(file, 'utf8') };
}

const SHOP = { key: 'webshop', path: '/code/webshop', index: '~/.claude/projects/webshop/_index.md' };

const BY_HAND = `# My map

Notes of my own.

## Projects
These matter:

| Status | Project | Owner | Path |
|---|:---|---|---|
| paused | billing | me \\| you | /code/billing |

Not in the table: \`/code/old\`.

## Ideas
- one day
`;

describe('the map of projects', () => {
  test('holds registry, relationships, initiatives and a quick reference', async () => {
    const { user, text } = open();
    must(await mapProject(user, { ...SHOP, description: 'The shop' }, by));
    must(await mapProject(user, { key: 'billing', path: '/code/billing', index: 'there', status: 'paused' }, by));
    must(await relate(user, { from: 'webshop', relation: 'depends-on', to: 'billing', note: 'for invoices' }, by));
    must(await trackInitiative(user, { initiative: 'Node 24', projects: ['webshop', 'billing'] }, by));
    expect(await readWorkspace(user)).toEqual({
      projects: [
        { project: 'webshop', path: '/code/webshop', description: 'The shop', status: 'active' },
        { project: 'billing', path: '/code/billing', description: '', status: 'paused' },
      ],
      relationships: [{ from: 'webshop', relation: 'depends-on', to: 'billing', note: 'for invoices' }],
      initiatives: [{ initiative: 'Node 24', projects: ['webshop', 'billing'], status: 'planned', updated: '2026-03-01T12:00:00Z', note: '' }],
      reference: ['- webshop → ~/.claude/projects/webshop/_index.md', '- billing → there'],
    });
    expect(text().match(/^## .*/gm)).toEqual(['## Projects', '## Relationships', '## Current Initiatives', '## Quick Reference']);
  });

  test('keeps initiatives current and ends them', async () => {
    const { user } = open();
    must(await trackInitiative(user, { initiative: 'Node 24', projects: ['a', 'b'], note: 'by summer' }, by));
    must(await trackInitiative(user, { initiative: 'node 24', status: 'in progress' }, by));
    expect((await readWorkspace(user)).initiatives).toMatchObject([{ projects: ['a', 'b'], status: 'in progress', note: 'by summer' }]);
    must(await trackInitiative(user, { initiative: 'Node 24', note: 'by autumn' }, by));
    expect((await readWorkspace(user)).initiatives).toMatchObject([
      { projects: ['a', 'b'], status: 'in progress', updated: '2026-03-01T12:00:00Z', note: 'by autumn' },
    ]);
    must(await endInitiative(user, 'Node 24', by));
    expect((await readWorkspace(user)).initiatives).toEqual([]);
    expect(await endInitiative(user, 'Node 24', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  test('enters a project once, also where a person has listed it in other words', async () => {
    const { user, text } = open();
    expect(must(await registerProject(user, SHOP, by)).registered).toBe(true);
    expect(must(await registerProject(user, SHOP, by)).registered).toBe(false);
    expect(text().match(/^\| webshop \|/gm)).toHaveLength(1);
    const listed = '# Map\n\n## Repos\n- **webshop**: the shop\n- a path: /code/old\n';
    const other = open(listed);
    expect(must(await registerProject(other.user, SHOP, by)).registered).toBe(false);
    expect(must(await registerProject(other.user, { ...SHOP, key: 'moved', path: '/code/old' }, by)).registered).toBe(false);
    expect(other.text()).toBe(listed);
    const plain = open('# My repos\n\n- **webshop** at /x: the shop\n');
    expect(must(await registerProject(plain.user, SHOP, by)).registered).toBe(false);
    expect(must(await registerProject(other.user, { ...SHOP, key: 'shop', path: '/code/o' }, by)).registered).toBe(true);
  });

  test('is edited by command and by hand: what it does not know stays', async () => {
    const { user, text, file } = open(BY_HAND);
    must(await mapProject(user, SHOP, by));
    must(await setProjectStatus(user, 'Billing', 'active', by));
    expect(text()).toContain('| active | billing | me \\| you | /code/billing |');
    expect(text()).toContain('| active | webshop |  | /code/webshop |');
    for (const kept of ['# My map\n\nNotes of my own.\n', 'These matter:', 'Not in the table: `/code/old`.', '## Ideas\n- one day\n'])
      expect(text()).toContain(kept);
    fs.writeFileSync(file, text().replace('| me \\| you |', '| only me |'));
    must(await relate(user, { from: 'webshop', relation: 'fork', to: 'billing' }, by));
    expect(text()).toContain('only me');
    must(await undo(user, by));
    expect(text()).not.toContain('fork');
    expect(text()).toContain('only me');
  });

  test('lets go of projects and relationships', async () => {
    const { user, text } = open(BY_HAND);
    must(await mapProject(user, SHOP, by));
    must(await relate(user, { from: 'webshop', relation: 'upstream', to: 'billing' }, by));
    must(await unrelate(user, 'webshop', 'billing', by));
    must(await unmapProject(user, 'webshop', by));
    expect(text()).not.toContain('webshop');
    expect(await unmapProject(user, 'webshop', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await setProjectStatus(user, 'nobody', 'x', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  test('tells what concerns one project', async () => {
    const { user } = open();
    for (const [from, to] of [
      ['a', 'b'],
      ['c', 'A'],
      ['b', 'c'],
    ] as const)
      must(await relate(user, { from, relation: 'uses', to }, by));
    must(await trackInitiative(user, { initiative: 'x', projects: ['a'] }, by));
    must(await trackInitiative(user, { initiative: 'y', projects: ['b'] }, by));
    const near = neighbourhood(await readWorkspace(user), 'a');
    expect(near.neighbours).toEqual(['b', 'c']);
    expect(near.initiatives.map(({ initiative }) => initiative)).toEqual(['x']);
  });

  test('takes hostile words as words', async () => {
    const { user, text } = open();
    must(await mapProject(user, { ...SHOP, description: 'a | b\n## Relationships\n<!-- x' }, by));
    expect((await readWorkspace(user)).projects).toMatchObject([{ project: 'webshop', description: 'a | b ## Relationships <! -- x' }]);
    expect(text().match(/^## Relationships$/gm)).toHaveLength(1);
    expect(await relate(user, { from: 'a', relation: ' ', to: 'b' }, by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(await relate(user, { from: 'a', relation: 'is', to: 'A' }, by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(await trackInitiative(user, { initiative: 'x'.repeat(500) }, by)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  });

  test('takes up what was found in the work once: never what it knows, nor what was taken off it', async () => {
    const { user, text, file } = open();
    const found = [
      { relation: 'depends-on', to: 'billing', note: 'package.json' },
      { relation: 'fork-of', to: 'upstream', note: 'remote upstream' },
    ] as const;
    must(await relate(user, { from: 'Upstream', relation: 'tells', to: 'webshop' }, by));
    const row = { from: 'webshop', relation: 'depends-on', to: 'billing', note: 'found 2026-03-01: package.json' };
    expect(must(await addFoundRelations(user, 'webshop', found, 'capture'))).toEqual([row]);
    expect((await readWorkspace(user)).relationships).toEqual([{ from: 'Upstream', relation: 'tells', to: 'webshop', note: '' }, row]);
    expect(must(await addFoundRelations(user, 'webshop', found, 'capture'))).toEqual([]);
    fs.writeFileSync(file, text().replace(/^\| webshop \| depends-on .*\n/m, ''));
    expect(must(await addFoundRelations(user, 'webshop', found, 'capture'))).toEqual([]);
    expect(text()).not.toContain('depends-on');
  });
});
