import { expect, test } from 'vitest';
import { guardWrite, isReadable } from '../../../src/app/guard/guard.ts';

const folders = { roots: ['/home/me/.claude/projects/shop'], staging: '/home/me/.claude/holdfast/staging' };
const verdict = (file: string) => guardWrite(file, folders).permission;

test('drafters and verifiers write their files without anybody being asked', () => {
  const session = `${folders.staging}/2b2af2f4-e7b9-4e1b-9417-f97485a1cac0`;
  expect(verdict(`${session}/.memory-draft-decision-6112.json`)).toBe('allow');
  expect(verdict(`${session}/.memory-verdict-tech_debt-6112.json`)).toBe('allow');
  expect(verdict(`${folders.staging}/.memory-draft-decision-1.json`)).toBe('allow');
});

test.each(['.memory-draft-decision-1.sh', '.memory-triage-context-decision.txt', 'a/b/.memory-draft-decision-1.json', 'sources.json', '.bashrc'])(
  'nothing else in the staging folder is let through: %s',
  (name) => {
    expect(verdict(`${folders.staging}/${name}`)).toBe('none');
  },
);

test('records, reports and indexes are written by Holdfast alone, and each answer names the way; documents are anybody’s', () => {
  const reason = (file: string) => guardWrite(`${folders.roots[0]}/${file}`, folders).reason;
  for (const file of ['decisions/2026-01-01_001_x.md', '_index.md', '_session.json', 'index.md']) expect(reason(file), file).toContain('holdfast save');
  expect(reason('subagent/2026-01-19_223000_scan.md')).toContain('call memory_save with');
  for (const file of ['context/blockers.md', 'progress/active.md', 'project.md']) expect(verdict(`${folders.roots[0]}/${file}`), file).toBe('none');
});

test('every memory is read without a prompt, and nothing else of the client: not its transcripts, not its settings', () => {
  const all = { ...folders, projects: '/home/me/.claude/projects' };
  const home = '/home/me/.claude';
  for (const file of ['projects/other/_index.md', 'projects/other/decisions/x.md', 'projects/other/context/blockers.md', 'workspace.md', 'MEMORY.md'])
    expect(isReadable(`${home}/${file}`, all), file).toBe(true);
  for (const file of [
    'settings.json',
    '.credentials.json',
    'projects/-home-me-shop/0b7e.jsonl',
    'projects/-home-me-shop/memory/MEMORY.md',
    'projects/other/a.env',
    'x/workspace.md',
  ])
    expect(isReadable(`${home}/${file}`, all), file).toBe(false);
  for (const file of ['projects/-home-me-shop/memory/MEMORY.md', 'projects/other/context/blockers.md'])
    expect(guardWrite(`${home}/${file}`, all).permission, file).toBe('none');
});
